/** Readers of encrypted streams: their ends, their refusals, and sources that do not keep their word. */
import { describe, expect, it, vi } from 'vitest';
import { agePayload, chunked, randomAccess, type Reader } from '../../src/stream.ts';
import { concat, expectBytes, sample } from '../support/bytes.ts';
import { context, formats, key, plaintextOf, Recorder, rejection } from '../support/stream-reader.ts';

describe.each(formats)('$name', (format) => {
  const { chunk, headerLength } = format;

  it('ends with destroy: also reads that are under way', async () => {
    const plaintext = plaintextOf(2 * chunk + 40);
    const sealed = await format.seal(plaintext);
    const destroyed = new Error('cannot use a reader after destroy()');
    const ends: ((file: Reader) => unknown)[] = [
      (file) => file.destroy(),
      (file) => (file as unknown as Disposable)[Symbol.dispose ?? 'destroy'](),
      (file): unknown => (file as unknown as AsyncDisposable)[Symbol.asyncDispose ?? 'destroy'](),
    ];
    for (const end of ends) {
      const source = new Recorder(sealed);
      const file = await format.reader(source);
      let aborted: unknown;
      source.read = (_from: number, _to: number, signal?: AbortSignal) =>
        new Promise<never>(() =>
          signal!.addEventListener('abort', () => {
            aborted = signal!.reason;
          }),
        );
      const reads = [rejection(file.read(0, 5)), rejection(file.read(5, 2 * chunk))];
      await end(file);
      expect(await Promise.all(reads)).toEqual([destroyed, destroyed]);
      expect(aborted).toEqual(destroyed);
      expect(() => file.read(0, 1)).toThrow(destroyed);
      expect(() => file.read(2 * chunk, file.size), 'what was kept').toThrow(destroyed);
      expect(file.size).toBe(plaintext.length);
      file.destroy();
    }
  });

  it('adds one listener to the signal of many reads, and removes it', async () => {
    const file = await format.reader(new Recorder(await format.seal(plaintextOf(40))));
    const { signal } = new AbortController();
    const [add, remove] = [vi.spyOn(signal, 'addEventListener'), vi.spyOn(signal, 'removeEventListener')];
    await Promise.all(Array.from({ length: 20 }, (_, i) => file.read(i, i + 1, { signal })));
    expect(add).toHaveBeenCalledTimes(1);
    expect(remove.mock.calls).toEqual(add.mock.calls);
    file.destroy();
  });

  it('destroyed in the moment when the source has answered', async () => {
    const source = new Recorder(await format.seal(plaintextOf(2 * chunk)));
    const file = await format.reader(source);
    let answer!: () => void;
    source.delay = () => new Promise((resolve) => (answer = resolve));
    const read = rejection(file.read(0, 5));
    answer();
    await Promise.resolve();
    file.destroy();
    expect(await read).toEqual(new Error('cannot use a reader after destroy()'));
  });

  it('aborted, with the reason: while it is opened, while it reads, and before', async () => {
    const plaintext = plaintextOf(2 * chunk + 40);
    const sealed = await format.seal(plaintext);
    const reason = new RangeError('mine');
    const never = (): Promise<never> => new Promise(() => undefined);
    const abortSoon = (): AbortSignal => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(reason), 3);
      return controller.signal;
    };
    // A source that takes no notice.
    expect(await rejection(format.reader({ size: never, read: never }, { signal: abortSoon() }))).toBe(reason);
    expect(await rejection(format.reader({ size: sealed.length, read: never }, { signal: abortSoon() }))).toBe(reason);
    const source = new Recorder(sealed);
    expect(await rejection(format.reader(source, { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(source.reads).toEqual([]);

    const file = await format.reader(source);
    const { delay } = source;
    source.delay = never;
    expect(await rejection(file.read(0, 5, { signal: abortSoon() }))).toBe(reason);
    expect(await rejection(file.read(0, 5, { signal: AbortSignal.abort(reason) }))).toBe(reason);
    source.delay = delay;
    expectBytes(await file.read(0, 5), plaintext.subarray(0, 5), 'another read');

    const controller = new AbortController();
    const bound = await format.reader(source, { signal: controller.signal });
    source.delay = never;
    const read = rejection(bound.read(0, 5));
    controller.abort(reason);
    expect(await read).toBe(reason);
    expect(await rejection(bound.read(0, 5))).toBe(reason);
    expect(await rejection(bound.read(2 * chunk, bound.size)), 'what was kept').toBe(reason);
  });

  it('leaves no listeners behind', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const count = (name: 'addEventListener' | 'removeEventListener', by: number): void => {
      const real = signal[name].bind(signal) as (...values: unknown[]) => void;
      signal[name] = (...values: unknown[]) => {
        listeners += by;
        real(...values);
      };
    };
    count('addEventListener', 1);
    count('removeEventListener', -1);
    const file = await format.reader(await format.seal(plaintextOf(chunk + 3)), { signal });
    await file.read(0, 5);
    await file.read(0, 5, { signal });
    file.destroy();
    expect(listeners).toBe(0);
  });

  it('refuses wrong arguments at once', async () => {
    const sealed = await format.seal(plaintextOf(100));
    const file = await format.reader(sealed);
    const kinds =
      'Blob, FileHandle, FileSystemFileHandle, FileSystemSyncAccessHandle, Uint8Array or object { size, read }';
    const module = (its: unknown = key) =>
      (format.name === 'chunked' ? chunked : agePayload)(its as Uint8Array) as {
        reader(...values: unknown[]): unknown;
      };
    const stream = '; a stream can be read once only: use decrypt, or a Blob';
    const wrong: readonly [what: string, call: () => unknown, error: Error][] = [
      [
        'to above the size',
        () => file.read(0, 101),
        new RangeError('"to" expected integer from "from" to 100, the size, got 101'),
      ],
      ['to below from', () => file.read(5, 4), new RangeError('"to" expected integer from 5 up, got 4')],
      ['a negative from', () => file.read(-1, 4), new RangeError('"from" expected integer from 0 up, got -1')],
      ['no to', () => file.read(0, undefined as never), new TypeError('"to" expected integer, got type=undefined')],
      ['a third', () => file.read(0.5, 1), new RangeError('"from" expected integer from 0 up, got 0.5')],
      ['a text', () => file.read('0' as never, 1), new TypeError('"from" expected integer, got type=string')],
      [
        'an unknown option',
        () => file.read(0, 1, { out: sealed } as never),
        new TypeError('"options" expected plain object { signal }, got { out }'),
      ],
      [
        'a controller',
        () => file.read(0, 1, { signal: {} as never }),
        new TypeError('"signal" expected AbortSignal, got type=Object'),
      ],
      [
        'an argument too many',
        () => (file as unknown as { read(...values: unknown[]): unknown }).read(0, 1, {}, 1),
        new TypeError('"arguments" expected at most 3, got another of type=number'),
      ],
      [
        'for destroy, too',
        () => file.destroy(...([1] as unknown as [])),
        new TypeError('"arguments" expected at most 0, got another of type=number'),
      ],
      [
        'an unknown option of the reader',
        () => module().reader(sealed, { ofset: 1 }),
        new TypeError(`"options" expected plain object { offset, signal, pool }, got { ofset }`),
      ],
      [
        'a negative offset',
        () => module().reader(sealed, { offset: -1 }),
        new RangeError('"offset" expected integer from 0 up, got -1'),
      ],
      [
        'a signal that is none',
        () => module().reader(sealed, { signal: null }),
        new TypeError('"signal" expected AbortSignal, got type=null'),
      ],
      [
        'a short key',
        () => module(key.subarray(1)).reader(sealed),
        new RangeError('"key" expected Uint8Array of length 32, got length=31'),
      ],
      [
        'no key',
        () => module(null).reader(sealed),
        new TypeError('"key" expected Uint8Array of length 32, got type=null'),
      ],
      [
        'too many for the reader',
        () => module().reader(sealed, {}, 1),
        new TypeError('"arguments" expected at most 2, got another of type=number'),
      ],
      [
        'a URL',
        () => module().reader('https://example.org/'),
        new TypeError(`"source" expected ${kinds}, got type=string; use fetchRange(url), or open(path) for a file`),
      ],
      [
        'a stream',
        () => module().reader(new Blob([sealed]).stream()),
        new TypeError(`"source" expected ${kinds}, got type=ReadableStream${stream}`),
      ],
      [
        'a response',
        () => module().reader(new Response(sealed)),
        new TypeError(`"source" expected ${kinds}, got type=Response${stream}`),
      ],
      [
        'a buffer',
        () => module().reader(sealed.buffer),
        new TypeError(`"source" expected ${kinds}, got type=ArrayBuffer; use new Uint8Array(buffer)`),
      ],
      [
        'a promise of a file',
        () => module().reader(Promise.resolve(sealed)),
        new TypeError(`"source" expected ${kinds}, got type=Promise; did you forget await?`),
      ],
      ['nothing', () => module().reader(undefined), new TypeError(`"source" expected ${kinds}, got type=undefined`)],
    ];
    for (const [what, call, error] of wrong) expect(call, what).toThrow(error);
    expect(await file.read(0, 100)).toHaveLength(100);
  });

  it('sources that lie', async () => {
    const sealed = await format.seal(plaintextOf(100));
    for (const [size, told] of [
      [-1, '-1'],
      [NaN, 'NaN'],
      [1.5, '1.5'],
      ['5', 'type=string'],
      [2 ** 53, `${2 ** 53}`],
    ])
      for (const its of [size, () => size])
        expect(await rejection(format.reader({ size: its as number, read: () => sealed }))).toEqual(
          new Error(`cannot read the source: it says that its size is ${told}`),
        );
    const length = headerLength || sealed.length;
    for (const [bytes, gave] of [
      [sealed.subarray(1, length), `${length - 1}`],
      [concat(sealed, sealed), `${2 * sealed.length}`],
      [[...sealed], 'type=Array'],
      [undefined, 'type=undefined'],
    ] as const)
      expect(await rejection(format.reader({ size: sealed.length, read: () => bytes as Uint8Array }))).toEqual(
        new Error(`cannot read ${length} bytes of the source at 0: it gave ${gave}; was it changed?`),
      );
    const mine = new Error('mine');
    const source = {
      size: sealed.length,
      read: (): never => {
        throw mine;
      },
    };
    expect(await rejection(format.reader(source))).toBe(mine);
  });

  it('what the caller does to key and context after the call changes nothing', async () => {
    const sealed = await format.seal(plaintextOf(100));
    const [itsKey, itsContext] = [key.slice(), context.slice()];
    const opening =
      format.name === 'chunked'
        ? chunked(itsKey, { context: itsContext }).reader(sealed)
        : agePayload(itsKey).reader(sealed);
    itsKey.fill(0);
    itsContext.fill(0);
    expectBytes(await (await opening).read(0, 100), plaintextOf(100), 'read');
  });
});

describe('randomAccess', () => {
  const bytes = sample(1000, 7);
  it('reads what there is', async () => {
    const source = randomAccess(new Blob([bytes]));
    expect(await source.size()).toBe(1000);
    expectBytes(await source.read(5, 900), bytes.subarray(5, 900), 'read');
    expect(await source.read(5, 5)).toHaveLength(0);
    expect(randomAccess(source)).toBe(source);
    expect(await rejection(source.read(900, 1001))).toEqual(
      new Error('cannot read 101 bytes of the source at 900: it gave 100; was it changed?'),
    );
    expect(await rejection(randomAccess(bytes).read(1001, 1002))).toEqual(
      new Error('cannot read 1 bytes of the source at 1001: it gave 0; was it changed?'),
    );
  });

  it('heeds a signal', async () => {
    const source = randomAccess({ size: () => new Promise(() => undefined), read: () => bytes });
    expect(await rejection(source.size(AbortSignal.abort('mine')))).toBe('mine');
    expect(await rejection(source.read(0, 5, AbortSignal.abort('mine')))).toBe('mine');
  });

  it('refuses wrong arguments at once', () => {
    const source = randomAccess(bytes);
    for (const [call, error] of [
      [() => source.read(5, 4), new RangeError('"to" expected integer from 5 up, got 4')],
      [() => source.size({} as never), new TypeError('"signal" expected AbortSignal, got type=Object')],
      [() => randomAccess(...([bytes, 1] as unknown as [Uint8Array])), TypeError],
      [() => randomAccess({ seek: 1, stat: 1, read: 1 } as never), TypeError],
    ] as const)
      expect(call).toThrow(error);
  });
});
