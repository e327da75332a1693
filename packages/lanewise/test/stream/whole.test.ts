/** `decryptWhole`: nothing before the last chunk is known to be authentic, in memory and in a file. */
import { describe, expect, it, vi } from 'vitest';
import { agePayload, chunked, secretstream, type ByteSource, type FileTarget, type Streams } from '../../src/stream.ts';
import { concat, expectBytes, sample } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';
import { withFile } from '../support/opfs.ts';
import { all, cut } from '../support/stream.ts';
import { rejection } from '../support/stream-reader.ts';

const key = sample(32, 51);
const plaintextOf = (length: number): Uint8Array<ArrayBuffer> => sample(length, 52);
const formats: readonly (readonly [
  name: string,
  format: (key: Uint8Array) => Streams,
  chunk: number,
  headerLength: number,
])[] = [
  ['chunked', chunked, 16_384, 56],
  ['agePayload', agePayload, 65_536, 0],
  ['secretstream', secretstream, 65_536, 24],
];

/** A file in memory, which records its calls. */
class Target implements FileTarget {
  readonly done: string[] = [];
  /** The bytes under its name. */
  content: Uint8Array | undefined;
  readonly #failing: string | undefined;
  constructor(failing?: string) {
    this.#failing = failing;
  }
  createWritable() {
    this.#do('create');
    const parts: Uint8Array[] = [];
    return Promise.resolve({
      write: async (bytes: Uint8Array) => {
        await Promise.resolve();
        this.#do('write');
        parts.push(bytes.slice());
      },
      close: () => {
        this.#do('close');
        this.content = concat(...parts);
      },
      abort: () => this.#do('abort'),
    });
  }
  #do(what: string): void {
    if (this.done[this.done.length - 1] !== what) this.done.push(what);
    if (what === this.#failing) throw new Error(`cannot ${what}`);
  }
}

describe.each(formats)('%s', (_, format, chunk, headerLength) => {
  const seal = (plaintext: Uint8Array): Promise<Uint8Array> => all(format(key).encrypt(plaintext));
  /** Its size is not known. */
  const pieces = (bytes: Uint8Array, ...lengths: number[]): Uint8Array[] => cut(bytes, lengths);

  onEachEngine(() => {
    it('gives the plaintext, in memory and in a file, from all kinds of sources', async () => {
      for (const length of [0, 1, chunk - 1, chunk, chunk + 1, 5 * chunk + 7]) {
        const plaintext = plaintextOf(length);
        const sealed = await seal(plaintext);
        const sources: Readonly<Record<string, () => ByteSource>> = {
          bytes: () => sealed,
          Blob: () => new Blob([sealed as Uint8Array<ArrayBuffer>]),
          'a stream': () => new Response(sealed as Uint8Array<ArrayBuffer>).body!,
          'an iterable': () => pieces(sealed, 100_000, 0, 3),
        };
        for (const [kind, source] of Object.entries(sources)) {
          const whole = await format(key).decryptWhole(source());
          expectBytes(whole, plaintext, `${length} bytes of ${kind}`);
          expect(whole.byteLength).toBe(whole.buffer.byteLength);
          const to = new Target();
          expect(await format(key).decryptWhole(source(), { to })).toBe(length);
          expectBytes(to.content!, plaintext, `${length} bytes of ${kind}, in a file`);
          expect(to.done).toEqual(length ? ['create', 'write', 'close'] : to.done);
        }
      }
    });
  });

  it('gives nothing of a stream that is cut off, changed or too long', async () => {
    const sealed = await seal(plaintextOf(3 * chunk + 50));
    const flipped = (at: number): Uint8Array => sealed.map((byte, i) => (i === at ? byte ^ 1 : byte));
    const damaged: readonly [what: string, bytes: Uint8Array, error: RegExp][] = [
      ['the last byte', sealed.subarray(0, -1), /not authentic, or truncated after \d+ bytes$/],
      ['the last chunk', sealed.subarray(0, headerLength + 2 * chunk + 70), /truncated after \d+ bytes$/],
      ['nothing', sealed.subarray(0, 0), /^truncated after 0 bytes/],
      ['the header', sealed.subarray(0, 5), /^truncated after 5 bytes/],
      ['the first chunk', flipped(headerLength + 9), /0 is not authentic$/],
      ['a chunk', flipped(headerLength + 2 * chunk + 99), /2 is not authentic$/],
      ['the tag', flipped(sealed.length - 1), /3 is not authentic, or truncated/],
      ['more', concat(sealed, sealed), /not authentic$/],
    ];
    for (const [what, bytes, error] of damaged)
      for (const source of [bytes, pieces(bytes, 5000), pieces(bytes, 1e9)]) {
        const to = new Target();
        const [inMemory, inFile] = [
          await rejection(format(key).decryptWhole(source)),
          await rejection(format(key).decryptWhole(source, { to })),
        ];
        expect((inMemory as Error).message, what).toMatch(error);
        expect((inFile as Error).message, what).toBe((inMemory as Error).message);
        expect(to.content).toBeUndefined();
        // There is a file only if a chunk was authentic, and then it is removed.
        expect(to.done.join()).toMatch(/^(create,write,abort)?$/);
      }
    expect(await rejection(format(sample(32, 1)).decryptWhole(sealed))).toBeInstanceOf(Error);
  });

  it('refuses impossible sizes before it reads', async () => {
    const sealed = await seal(plaintextOf(chunk + 50));
    const size = headerLength + chunk + 16 + 5;
    const blob = new Blob([sealed.subarray(0, size) as Uint8Array<ArrayBuffer>]);
    blob.stream = () => {
      throw new Error('it was read');
    };
    expect(await rejection(format(key).decryptWhole(blob))).toEqual(
      new Error(`truncated after ${size} bytes, or no encrypted stream: none has this size`),
    );
  });

  it('has a limit, which is checked before anything is read if the size is known', async () => {
    const plaintext = plaintextOf(3 * chunk + 50);
    const sealed = await seal(plaintext);
    const most = plaintext.length - 1;
    const text = (got: number | 'more', more: string): Error =>
      new RangeError(
        `"source" expected at most ${most} bytes of plaintext, got ${got}: decrypt it with a greater "maxLength"${more}`,
      );
    const blob = new Blob([sealed as Uint8Array<ArrayBuffer>]);
    let read = 0;
    const endless = {
      *[Symbol.iterator]() {
        for (const piece of pieces(sealed, 1000)) {
          read++;
          yield piece;
        }
        throw new Error('it was read to its end');
      },
    };
    for (const [source, got] of [
      [sealed, plaintext.length],
      [blob, plaintext.length],
      [pieces(sealed, 9999), 'more'],
    ] as const) {
      expect(await rejection(format(key).decryptWhole(source, { maxLength: most }))).toEqual(
        text(got, ', or to a file with "to"'),
      );
      const to = new Target();
      expect(await rejection(format(key).decryptWhole(source, { maxLength: most, to }))).toEqual(text(got, ''));
      expect(to.content).toBeUndefined();
      expectBytes(await format(key).decryptWhole(source, { maxLength: most + 1 }), plaintext, 'at the limit');
    }
    // Not a byte of the chunk that would be too much is decrypted, and the rest is not read.
    expect(((await rejection(format(key).decryptWhole(endless, { maxLength: chunk }))) as Error).message).toContain(
      `at most ${chunk} bytes`,
    );
    expect(read * 1000).toBeLessThan(headerLength + 2 * (chunk + 17) + 1000);
    expect(await format(key).decryptWhole(await seal(new Uint8Array(0)), { maxLength: 0 })).toHaveLength(0);
  });

  it('in memory at most 1 GiB unless told, in a file any number', async () => {
    const size = 2 ** 30 + 1;
    const chunks = Math.ceil(size / chunk);
    const its = new Blob([]);
    // By its size alone it is refused.
    Object.defineProperty(its, 'size', {
      value: headerLength + size + chunks * (format === secretstream ? 17 : 16),
    });
    expect(((await rejection(format(key).decryptWhole(its))) as Error).message).toContain(
      `at most ${2 ** 30} bytes of plaintext, got ${size}:`,
    );
    expect(((await rejection(format(key).decryptWhole(its, { to: new Target() }))) as Error).message).toMatch(
      /^truncated after 0 bytes/,
    );
  });

  it('tells its progress, and checks `size`', async () => {
    const plaintext = plaintextOf(3 * chunk + 50);
    const sealed = await seal(plaintext);
    const told: (readonly [done: number, total: number | undefined])[] = [];
    await format(key).decryptWhole(pieces(sealed, chunk), {
      onProgress: (done, total) => told.push([done, total]),
      size: plaintext.length,
    });
    expect(told[told.length - 1]).toEqual([plaintext.length, plaintext.length]);
    expect(told.length).toBeGreaterThan(2);
    const wrong = plaintext.length - 1;
    expect(await rejection(format(key).decryptWhole(pieces(sealed, chunk), { size: wrong }))).toEqual(
      new RangeError(`"source" expected ${wrong} bytes of plaintext, as "size" says, got more`),
    );
    const mine = new Error('mine');
    const throwing = (): never => {
      throw mine;
    };
    expect(await rejection(format(key).decryptWhole(sealed, { onProgress: throwing }))).toBe(mine);
  });

  it('ends with the reason of a signal, and cancels its source', async () => {
    const sealed = await seal(plaintextOf(3 * chunk + 50));
    const reason = new RangeError('mine');
    for (const inFile of [false, true]) {
      let cancelled: unknown;
      let started!: () => void;
      const waiting = new Promise<void>((resolve) => (started = resolve));
      let given = false;
      const source = new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            if (given) return new Promise(() => started());
            given = true;
            controller.enqueue(sealed.subarray(0, -5));
            return undefined;
          },
          cancel(its) {
            cancelled = its;
          },
        },
        { highWaterMark: 0 },
      );
      const controller = new AbortController();
      const to = new Target();
      const options = { signal: controller.signal };
      const whole = rejection(
        inFile ? format(key).decryptWhole(source, { ...options, to }) : format(key).decryptWhole(source, options),
      );
      await waiting;
      controller.abort(reason);
      expect(await whole).toBe(reason);
      expect(cancelled).toBe(reason);
      if (inFile) expect(to.done).toEqual(['create', 'write', 'abort']);
    }
    expect(await rejection(format(key).decryptWhole(sealed, { signal: AbortSignal.abort(reason) }))).toBe(reason);
  });

  it('aborted while the file is made: it is removed all the same', async () => {
    const sealed = await seal(plaintextOf(3 * chunk + 50));
    const controller = new AbortController();
    const to = new Target();
    let make!: () => void;
    const slow: FileTarget = {
      createWritable: () => new Promise((resolve) => (make = () => resolve(to.createWritable()))),
    };
    const whole = rejection(format(key).decryptWhole(sealed, { to: slow, signal: controller.signal }));
    while (!make) await new Promise((resolve) => setTimeout(resolve, 1));
    controller.abort('mine');
    make();
    expect(await whole).toBe('mine');
    expect(to.done).toEqual(['create', 'abort']);
  });

  it.each(['a signal', 'a forgery'])('ends by %s though the place or the source never does', async (by) => {
    const never = new Promise<never>(() => undefined);
    /** Called where nothing goes on but by a signal: in the place, or in the source. */
    let stuck: () => void = () => undefined;
    const hang = (): Promise<never> => (stuck(), never);
    const file = { write: () => undefined as unknown, close: () => undefined, abort: () => undefined as unknown };
    const places: Record<string, () => Promise<typeof file>> = {
      'createWritable hangs': hang,
      'write hangs': () => Promise.resolve({ ...file, write: hang }),
      'abort hangs': () => Promise.resolve({ ...file, abort: () => never }),
      'both hang': () => Promise.resolve({ ...file, write: hang, abort: () => never }),
    };
    const sealed = await seal(plaintextOf(3 * chunk));
    const reason = new Error('mine');
    for (const [what, createWritable] of Object.entries(places)) {
      // Only a signal ends the wait for a place that neither opens nor takes bytes.
      if (by !== 'a signal' && what !== 'abort hangs') continue;
      const controller = new AbortController();
      const source = (async function* () {
        yield sealed.subarray(0, -20);
        if (by === 'a signal') await (what === 'abort hangs' ? hang() : never);
        yield new Uint8Array(20);
      })();
      source.return = () => never;
      const waits = new Promise<void>((resolve) => (stuck = resolve));
      const ended = rejection(format(key).decryptWhole(source, { to: { createWritable }, signal: controller.signal }));
      if (by === 'a signal') {
        await waits;
        controller.abort(reason);
      }
      // If it hangs, the limit of the test says so.
      const error = await ended;
      if (by === 'a signal') expect(error, what).toBe(reason);
      else expect((error as Error).message, what).toMatch(/not authentic/);
    }
  });

  it('aborted while the place waits for permission: the file is removed when it comes', async () => {
    const target = new Target();
    let permit: () => void = () => undefined;
    const permission = new Promise<void>((resolve) => (permit = resolve));
    const controller = new AbortController();
    const { signal } = controller;
    const sealed = await seal(plaintextOf(3 * chunk));
    let ended: Promise<unknown> | undefined;
    await new Promise<void>((asked) => {
      const createWritable = () => (asked(), permission.then(() => target.createWritable()));
      ended = rejection(format(key).decryptWhole(sealed, { to: { createWritable }, signal }));
    });
    controller.abort(new Error('mine'));
    expect(await ended).toEqual(new Error('mine'));
    permit();
    await vi.waitFor(() => expect(target.done).toEqual(['create', 'abort']));
  });

  it.each([undefined, {}, { write: () => undefined }])('a place that gives no file: %o', async (given) => {
    const to = { createWritable: () => Promise.resolve(given as never) };
    const error = await rejection(format(key).decryptWhole(await seal(plaintextOf(chunk)), { to }));
    expect(String(error)).toMatch(
      /^TypeError: "createWritable" expected function that gives \{ write, close, abort \}, got type=/,
    );
  });

  it('gives the errors of source and file', async () => {
    const sealed = await seal(plaintextOf(3 * chunk + 50));
    const mine = new Error('mine');
    const breaking = function* () {
      yield sealed.subarray(0, 2 * chunk + 100);
      throw mine;
    };
    const to = new Target();
    expect(await rejection(format(key).decryptWhole(breaking()))).toBe(mine);
    expect(await rejection(format(key).decryptWhole(breaking(), { to }))).toBe(mine);
    expect(to.done).toEqual(['create', 'write', 'abort']);
    for (const what of ['create', 'write', 'close']) {
      const failing = new Target(what);
      expect(await rejection(format(key).decryptWhole(sealed, { to: failing }))).toEqual(new Error(`cannot ${what}`));
      expect(failing.done[failing.done.length - 1]).toBe(what === 'create' ? 'create' : 'abort');
      expect(failing.content).toBeUndefined();
    }
    // An error of `abort` does not hide the reason.
    const broken = new Target('abort');
    expect(await rejection(format(key).decryptWhole(breaking(), { to: broken }))).toBe(mine);
  });

  it('refuses wrong arguments at once', () => {
    const call = (...values: unknown[]): unknown =>
      (format(key) as unknown as { decryptWhole(...values: unknown[]): unknown }).decryptWhole(...values);
    const sealed = new Uint8Array(100);
    const target = '"to" expected FileSystemFileHandle or object { createWritable }';
    for (const [values, error] of [
      [
        [sealed, { to: 'name' }],
        new TypeError(`${target}, got type=string; use newFile(path) of lanewise/stream-node.js`),
      ],
      [[sealed, { to: null }], new TypeError(`${target}, got type=null`)],
      [[sealed, { to: {} }], new TypeError(`${target}, got type=Object`)],
      [[sealed, { maxLength: -1 }], new RangeError('"maxLength" expected integer from 0 up, got -1')],
      [[sealed, { maxLength: '5' }], new TypeError('"maxLength" expected integer, got type=string')],
      [[sealed, key], /^"options" expected plain object .*, got type=Uint8Array$/],
      [[sealed, {}, 1], new TypeError('"arguments" expected at most 2, got another of type=number')],
    ] as const)
      expect(() => call(...values)).toThrow(error);
    expect(() => call(sealed, { maxlength: 1 })).toThrow(/got \{ maxlength \}$/);
    // The others have no such option.
    expect(() => format(key).decrypt(sealed, { maxLength: 1 } as never)).toThrow(/got \{ maxLength \}/);
  });
});

it('a file of a browser', async ({ skip }) => {
  const plaintext = plaintextOf(300_000);
  const sealed = await all(chunked(key).encrypt(plaintext));
  const absent = await withFile(async (handle) => {
    if (!('createWritable' in handle)) return skip('this host writes files in workers only');
    const file = handle;
    const read = async (): Promise<Uint8Array> => {
      const blob = await file.getFile();
      return new Uint8Array(await blob.slice(0, blob.size).arrayBuffer());
    };
    const to = handle as unknown as FileTarget;
    expect(await chunked(key).decryptWhole(sealed, { to })).toBe(plaintext.length);
    expectBytes(await read(), plaintext, 'the file');
    const other = await all(chunked(key).encrypt(plaintextOf(5)));
    const cutOff = await all(chunked(key).encrypt(sample(300_000, 9)));
    await rejection(chunked(key).decryptWhole(cutOff.subarray(0, -9), { to }));
    expectBytes(await read(), plaintext, 'the file after a failure');
    expect(await chunked(key).decryptWhole(other, { to })).toBe(5);
    expectBytes(await read(), plaintextOf(5), 'the shorter file');
  });
  if (absent !== undefined) skip(absent);
});
