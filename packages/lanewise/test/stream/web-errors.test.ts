/** Streams of the platform: refusals, errors of both sides, signals, sizes, progress. */
import { describe, expect, it, vi } from 'vitest';
import { agePayload, chunked, secretstream, type ByteSource, type StreamOptions } from '../../src/stream.ts';
import { expectBytes, sample } from '../support/bytes.ts';
import { all, untilError } from '../support/stream.ts';
import { turns } from '../support/turns.ts';

const key = sample(32, 71);
const plaintext = sample(200_000, 73);
const formats = Object.entries({ chunked, agePayload, secretstream });

const broken = new Error('the disk is full');

/** A source that notes how it is ended. */
function watched(pieces: readonly unknown[], error?: unknown) {
  const its = { pulls: 0, cancelled: [] as unknown[] };
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (its.pulls < pieces.length) controller.enqueue(pieces[its.pulls++] as Uint8Array);
        else if (error === undefined) controller.close();
        else controller.error(error);
      },
      cancel(reason) {
        its.cancelled.push(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return { its, stream };
}

describe('sources', () => {
  const KINDS =
    '"source" expected ReadableStream, Blob, Response, Request, FileHandle, Uint8Array or iterable of Uint8Array';
  const locked = new ReadableStream();
  locked.getReader();
  const used = new Response('text');
  const lockedBody = new Response('text');
  lockedBody.body?.getReader();

  it.each([
    [
      'a string',
      './film.sealed',
      `${KINDS}, got type=string; use hexToBytes, fromBase64, TextEncoder, or scrypt for a password; for a file open(path)`,
    ],
    ['an empty FormData', new FormData(), `${KINDS}, got type=FormData`],
    ['an empty Map', new Map(), `${KINDS}, got type=Map`],
    ['an empty Set', new Set(), `${KINDS}, got type=Set`],
    ['empty Headers', new Headers(), `${KINDS}, got type=Headers`],
    ['empty URLSearchParams', new URLSearchParams(), `${KINDS}, got type=URLSearchParams`],
    ['an ArrayBuffer', new ArrayBuffer(5), `${KINDS}, got type=ArrayBuffer; use new Uint8Array(buffer)`],
    ['a promise', Promise.resolve(new Uint8Array(5)), `${KINDS}, got type=Promise; did you forget await?`],
    ['other words', new Uint16Array(5), `${KINDS}, got type=Uint16Array`],
    ['nothing', undefined, `${KINDS}, got type=undefined`],
    ['null', null, `${KINDS}, got type=null`],
    ['a number', 5, `${KINDS}, got type=number`],
    ['an object', {}, `${KINDS}, got type=Object`],
    ['a function', () => [], `${KINDS}, got type=function`],
    ['an array of numbers', [1, 2], '"chunk" expected Uint8Array, got type=number'],
    ['a locked stream', locked, '"source" expected stream that is not locked to a reader, got a locked one'],
    ['a used body', used, '"source" expected body that is not used yet, got one that was read'],
    [
      'a locked body',
      lockedBody,
      // In Bun a body that is locked counts as used.
      lockedBody.bodyUsed
        ? '"source" expected body that is not used yet, got one that was read'
        : '"source" expected stream that is not locked to a reader, got a locked one',
    ],
  ])('%s is refused before any work', async (_, source, message) => {
    if (source === used && !used.bodyUsed) await used.text();
    for (const [, format] of formats)
      for (const name of ['encrypt', 'decrypt'] as const)
        expect(() => format(key)[name](source as ByteSource)).toThrow(new TypeError(message));
  });

  it('are not touched when another argument is wrong', () => {
    const { stream } = watched([]);
    for (const [, format] of formats)
      for (const name of ['encrypt', 'decrypt'] as const) {
        expect(() => format(key.subarray(1))[name](stream)).toThrow(
          new RangeError('"key" expected Uint8Array of length 32, got length=31'),
        );
        expect(() => format(key)[name](stream, { sizes: 1 } as never)).toThrow(TypeError);
        // Encryption of agePayload has this option.
        if (format !== agePayload || name === 'decrypt')
          expect(() => format(key)[name](stream, { header: key })).toThrow('header');
        expect(stream.locked).toBe(false);
      }
  });

  it('a body that is null is empty', async () => {
    const body = await all(agePayload(key).encrypt(new Response(null)));
    expect(body).toHaveLength(16);
    const request = new Request('http://localhost/');
    if ('body' in request) expect(await all(agePayload(key).encrypt(request))).toHaveLength(16);
    // Firefox.
    else expect(() => agePayload(key).encrypt(request)).toThrow('; use await request.blob()');
  });

  it('a stream that was read before goes on from there', async () => {
    const stream = new Blob([plaintext]).stream();
    const reader = stream.getReader();
    const first = (await reader.read()).value!;
    reader.releaseLock();
    const rest = await all(agePayload(key).decrypt(agePayload(key).encrypt(stream)));
    expectBytes(rest, plaintext.subarray(first.length), 'the rest');
  });

  it.each([
    [
      'a string',
      'text',
      '"chunk" expected Uint8Array, got type=string; use hexToBytes, fromBase64, TextEncoder, or scrypt for a password',
    ],
    ['a number', 65, '"chunk" expected Uint8Array, got type=number'],
    ['other words', new Float32Array(2), '"chunk" expected Uint8Array, got type=Float32Array'],
  ])('a chunk that is %s: an error, and the source is cancelled', async (_, chunk, message) => {
    const { stream, its } = watched([plaintext, chunk]);
    const { error } = await untilError(chunked(key).encrypt(stream));
    expect(error).toEqual(new TypeError(message));
    expect(its.cancelled).toEqual([error]);
    let ended = 0;
    const generator = function* (): Generator {
      try {
        yield plaintext;
        yield chunk;
      } finally {
        ended++;
      }
    };
    expect((await untilError(chunked(key).encrypt(generator() as Iterable<Uint8Array>))).error).toEqual(error);
    expect(ended).toBe(1);
    const { readable, writable } = chunked(key).encryptor();
    const writing = writable.getWriter().write(chunk as never);
    expect((await untilError(readable)).error).toEqual(error);
    await expect(writing).rejects.toThrow(message);
  });

  it('an error of the source goes through as it is', async () => {
    for (const [, format] of formats) {
      const { stream, its } = watched([plaintext], broken);
      expect((await untilError(format(key).encrypt(stream))).error).toBe(broken);
      expect(its.cancelled).toEqual([]);
      let returned = 0;
      const iterable = {
        [Symbol.asyncIterator]: () => ({
          next: () => Promise.reject(broken),
          return: () => Promise.resolve({ done: true as const, value: returned++ }),
        }),
      };
      expect((await untilError(format(key).encrypt(iterable))).error).toBe(broken);
      expect(returned).toBe(0);
      const { readable, writable } = format(key).encryptor();
      const writer = writable.getWriter();
      const writing = writer.write(plaintext).catch((error: unknown) => error);
      const aborted = turns(1).then(() => writer.abort(broken));
      expect((await untilError(readable)).error).toBe(broken);
      await aborted;
      await writing;
      await expect(writer.closed).rejects.toBe(broken);
    }
  });
});

describe('a stream that is not authentic', () => {
  it.each(formats)(
    '%s: the source is cancelled with the error, and whole chunks come before it',
    async (name, format) => {
      const chunk = name === 'chunked' ? 16_384 : 65_536;
      const sealed = await all(format(key).encrypt(plaintext));
      sealed[sealed.length - 20_000] ^= 1;
      const { stream, its } = watched([sealed.subarray(0, 100_000), sealed.subarray(100_000), sealed, sealed]);
      const { given, error } = await untilError(format(key).decrypt(stream));
      expect(error).toBeInstanceOf(Error);
      expect((error as Error).message).toMatch(/^(chunk|message) \d+ is not authentic$/);
      expect(its.cancelled).toEqual([error]);
      expectBytes(given, plaintext.subarray(0, given.length), 'given');
      expect(given.length % chunk).toBe(0);
      const { readable, writable } = format(key).decryptor();
      const writer = writable.getWriter();
      const writing = writer.write(sealed).then(() => writer.write(sealed));
      const again = await untilError(readable);
      expect(again.error).toEqual(error);
      await expect(writing).rejects.toBe(again.error);
      await expect(writer.closed).rejects.toBe(again.error);
    },
  );

  it.each(formats)('%s: cut off anywhere', async (_, format) => {
    const sealed = await all(format(key).encrypt(plaintext.subarray(0, 70_000)));
    const { headerLength } = format;
    for (const end of [0, 1, headerLength - 1, headerLength, headerLength + 1, 40_000, sealed.length - 1]) {
      if (end < 0) continue;
      const cut = sealed.subarray(0, end);
      const { error, given } = await untilError(format(key).decrypt([cut]));
      expect(String(error), `${end} bytes`).toMatch(
        end === 0 || end < headerLength + 16 ? `truncated after ${end} bytes` : 'truncated after',
      );
      expectBytes(given, plaintext.subarray(0, given.length), 'given');
      const { readable, writable } = format(key).decryptor();
      const writer = writable.getWriter();
      const closing = Promise.all([writer.write(cut), writer.close()]).catch((reason: unknown) => reason);
      const again = await untilError(readable);
      expect(again.error).toEqual(error);
      expect(await closing).toBe(again.error);
    }
  });

  it('chunked: a wrong key or context, before any chunk', async () => {
    const sealed = await all(chunked(key).encrypt(plaintext));
    const { stream, its } = watched([sealed.subarray(0, 60), sealed]);
    const { error, given } = await untilError(chunked(sample(32, 1)).decrypt(stream));
    expect(error).toEqual(new Error('wrong key or context, or a header that was changed'));
    expect([given.length, its.pulls, its.cancelled]).toEqual([0, 1, [error]]);
    expect((await untilError(chunked(key, { context: key }).decrypt(sealed))).error).toEqual(error);
  });
});

describe('a reader that cancels', () => {
  it.each(formats)('%s: the source is told why', async (_, format) => {
    const { stream, its } = watched([plaintext, plaintext]);
    const reader = format(key).encrypt(stream).getReader();
    await reader.read();
    await reader.cancel(broken);
    expect(its.cancelled).toEqual([broken]);
    for (const started of [false, true]) {
      const ends: string[] = [];
      const generator = (async function* () {
        try {
          yield await Promise.resolve(plaintext);
        } finally {
          ends.push('finally');
        }
      })();
      const itsReader = format(key).encrypt(generator).getReader();
      if (started) {
        await itsReader.read();
        await itsReader.read();
      }
      await itsReader.cancel(broken);
      expect(ends).toEqual(started ? ['finally'] : []);
      expect((await generator.next()).done).toBe(true);
    }
    const { readable, writable } = format(key).encryptor();
    const writer = writable.getWriter();
    const writing = writer.write(plaintext);
    await readable.cancel(broken);
    await expect(writing).rejects.toBe(broken);
    await expect(writer.closed).rejects.toBe(broken);
  });
});

describe('a signal', () => {
  it.each(formats)('%s: aborted before: no work', async (_, format) => {
    const { stream, its } = watched([plaintext]);
    const options: StreamOptions = { signal: AbortSignal.abort(broken) };
    expect((await untilError(format(key).encrypt(stream, options))).error).toBe(broken);
    await turns();
    expect([its.pulls, its.cancelled]).toEqual([0, [broken]]);
    const { readable, writable } = format(key).decryptor(options);
    expect((await untilError(readable)).error).toBe(broken);
    await expect(writable.getWriter().closed).rejects.toBe(broken);
  });

  it.each(formats)('%s: aborted on the way', async (_, format) => {
    const abort = new AbortController();
    const { stream, its } = watched([plaintext, plaintext]);
    const reader = format(key).encrypt(stream, { signal: abort.signal }).getReader();
    await reader.read();
    abort.abort(broken);
    await expect(reader.read()).rejects.toBe(broken);
    expect(its.cancelled).toEqual([broken]);
    // While it waits for the source.
    const waiting = new AbortController();
    const never = new ReadableStream<Uint8Array>();
    const reading = all(format(key).decrypt(never, { signal: waiting.signal }));
    await turns();
    waiting.abort(broken);
    await expect(reading).rejects.toBe(broken);
    const third = new AbortController();
    const { readable, writable } = format(key).encryptor({ signal: third.signal });
    const writing = writable.getWriter().write(plaintext);
    third.abort(broken);
    expect((await untilError(readable)).error).toBe(broken);
    await expect(writing).rejects.toBe(broken);
  });

  it('is left alone when the stream has ended', async () => {
    const { signal } = new AbortController();
    const [add, remove] = [vi.spyOn(signal, 'addEventListener'), vi.spyOn(signal, 'removeEventListener')];
    await all(agePayload(key).encrypt(plaintext, { signal }));
    await agePayload(key).encrypt(plaintext, { signal }).cancel();
    await untilError(agePayload(key).decrypt(plaintext, { signal }));
    expect([add.mock.calls.length, remove.mock.calls.length], '3 streams').toEqual([3, 3]);
    expect(remove.mock.calls.map(([name, listener]) => [name, listener])).toEqual(
      add.mock.calls.map(([name, listener]) => [name, listener]),
    );
  });

  it.each([true, {}, { aborted: false }, null, new AbortController()])('that is none is refused: %o', (signal) => {
    expect(() => agePayload(key).encryptor({ signal: signal as AbortSignal })).toThrow(
      /^"signal" expected AbortSignal, got type=/,
    );
  });
});

describe('progress', () => {
  it.each(formats)('%s', async (_, format) => {
    const reports: [number, number | undefined][] = [];
    const onProgress = (done: number, total?: number): void => void reports.push([done, total]);
    const sealed = await all(format(key).encrypt(plaintext, { onProgress }));
    const expectReports = (total: number | undefined): void => {
      expect(reports.length).toBeGreaterThan(0);
      expect(reports.at(-1)).toEqual([plaintext.length, total]);
      expect(reports.every(([done, its], i) => its === total && done >= (reports[i - 1]?.[0] ?? 0))).toBe(true);
      reports.length = 0;
    };
    expectReports(plaintext.length);
    const pieces = [sealed.subarray(0, 70_000), sealed.subarray(70_000)];
    await all(format(key).decrypt(sealed, { onProgress }));
    expectReports(plaintext.length);
    await all(format(key).decrypt(new Blob([sealed.slice()]), { onProgress }));
    expectReports(plaintext.length);
    await all(format(key).decrypt(pieces, { onProgress }));
    expectReports(undefined);
    await all(format(key).decrypt(pieces, { onProgress, size: plaintext.length }));
    expectReports(plaintext.length);
    await all(format(key).encrypt([], { onProgress }));
    expect(reports.at(-1)).toEqual([0, undefined]);
  });

  it('a function that throws ends the stream, and no function is refused', async () => {
    for (const at of [1, 2]) {
      let calls = 0;
      const onProgress = (): void => {
        if (++calls === at) throw broken;
      };
      const { stream, its } = watched([plaintext.subarray(0, 70_000)]);
      expect((await untilError(agePayload(key).encrypt(stream, { onProgress }))).error).toBe(broken);
      // The second call comes when the source has ended by itself.
      expect(its.cancelled).toEqual(at === 1 ? [broken] : []);
    }
    expect(() => agePayload(key).encryptor({ onProgress: 5 as never })).toThrow(
      new TypeError('"onProgress" expected function, got type=number'),
    );
  });
});

describe('a size', () => {
  const wrongSize = (size: number, got: string): RangeError =>
    new RangeError(`"source" expected ${size} bytes of plaintext, as "size" says, got ${got}`);

  it.each(formats)('%s: that is right', async (_, format) => {
    const size = plaintext.length;
    const sealed = await all(format(key).encrypt(plaintext, { size }));
    expectBytes(await all(format(key).decrypt(sealed, { size })), plaintext, 'opened');
    expectBytes(await all(format(key).decrypt([sealed], { size })), plaintext, 'opened');
    expectBytes(
      await all(format(key).decrypt([await all(format(key).encrypt([plaintext], { size }))])),
      plaintext,
      'opened',
    );
  });

  it.each(formats)('%s: that is wrong', async (_, format) => {
    const { length } = plaintext;
    const sealed = await all(format(key).encrypt(plaintext));
    for (const size of [0, length - 1, length + 1]) {
      const message = `"size" expected ${length}, as the source has, got ${size}`;
      expect(() => format(key).encrypt(plaintext, { size })).toThrow(new RangeError(message));
      expect(() => format(key).decrypt(sealed, { size })).toThrow(new RangeError(message));
      const got = size < length ? 'more' : `${length}`;
      const error = wrongSize(size, got);
      const { stream, its } = watched([plaintext, plaintext]);
      const result = await untilError(format(key).encrypt(stream, { size }));
      expect(result.error).toEqual(wrongSize(size, 'more'));
      expect(its.cancelled).toEqual([result.error]);
      expect((await untilError(format(key).encrypt([plaintext], { size }))).error).toEqual(error);
      const opened = await untilError(format(key).decrypt([sealed], { size }));
      expect(opened.error).toEqual(error);
      expect(opened.given.length).toBeLessThanOrEqual(size);
      // No reader can take the output for a whole stream.
      const { given } = await untilError(format(key).encrypt([plaintext], { size }));
      expect((await untilError(format(key).decrypt([given]))).error).toBeInstanceOf(Error);
    }
    expect(() => format(key).decrypt(sealed.subarray(1, 15), { size: 5 })).toThrow(
      new RangeError('"size" expected size of a complete stream, as the source has, got 5'),
    );
    for (const [size, error] of [
      [-1, RangeError],
      [1.5, RangeError],
      [2 ** 53, RangeError],
      ['5', TypeError],
    ] as const)
      expect(() => format(key).encryptor({ size: size as number })).toThrow(error);
  });
});
