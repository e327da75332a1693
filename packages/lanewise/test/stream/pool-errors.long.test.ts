/** Errors of streams on a pool are those of one thread, and so is all that comes before them. */
// Runs in browsers, too: workers are those of the host.
// Needs workers: a request handler has none, and too little memory for messages that are long enough.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ByteSource } from '../../src/stream.ts';
import { expectBytes } from '../support/bytes.ts';
import { formats, key, MiB, names, plain, warmPool, type Name } from '../support/stream-pool.ts';
import { all, cut, untilError } from '../support/stream.ts';

const pool = await warmPool();
afterAll(() => pool.close());
const sealed = {} as Record<Name, Uint8Array>;
beforeAll(async () => {
  for (const name of names) sealed[name] = await all(formats[name](key).encrypt(plain));
});

/** The results with and without a pool: the same bytes, and the same error. */
async function expectSame(
  name: string,
  make: (options: { pool?: typeof pool }) => ReadableStream<Uint8Array>,
  open: (given: Uint8Array) => Promise<Uint8Array> = (given) => Promise.resolve(given),
) {
  const one = await untilError(make({}));
  const many = await untilError(make({ pool }));
  expect(one.error, name).toBeDefined();
  expect(many.error, name).toEqual(one.error);
  expect(many.given.length, name).toBe(one.given.length);
  expectBytes(await open(many.given), await open(one.given), name);
}

/** Sources whose size is known, and whose size is not. */
const kinds: Record<string, (bytes: Uint8Array) => ByteSource> = {
  bytes: (bytes) => bytes,
  'a Blob': (bytes) => new Blob([bytes as Uint8Array<ArrayBuffer>]),
  'pieces of one chunk': (bytes) => cut(bytes, [65_552]),
  'odd pieces': (bytes) => cut(bytes, [150_000, 3]),
};

describe.each(names)('errors of %s are those of one thread', (name) => {
  const format = formats[name];
  const sealedLength = format.chunkLength + 16;
  const its = (): Uint8Array => sealed[name].slice();
  /** Each encryption by chunked has a salt of its own. */
  const open = async (given: Uint8Array): Promise<Uint8Array> =>
    name === 'chunked' ? (await untilError(format(key).decrypt([given]))).given : given;

  it.each(Object.entries(kinds))('flipped, cut off, extended: %s', async (_, source) => {
    const { length } = its();
    // In front of the chunks, in the part of one thread, at edges of jobs, within jobs, and at the end.
    const places = [
      0,
      40,
      70,
      MiB,
      4 * MiB + 5,
      5_000_000,
      7 * MiB,
      64 * sealedLength - 1,
      64 * sealedLength + 56,
      length - 1,
    ];
    for (const at of places) {
      const wrong = its();
      wrong[at] ^= 1;
      await expectSame(`flipped at ${at}`, (options) => format(key).decrypt(source(wrong), options));
    }
    const ends = [
      4 * MiB,
      5_000_000,
      format.headerLength + 100 * sealedLength,
      length - sealedLength,
      length - 17,
      length - 1,
    ];
    for (const end of ends)
      await expectSame(`cut off at ${end}`, (options) => format(key).decrypt(source(its().subarray(0, end)), options));
    for (const more of [1, 17, sealedLength, 3 * MiB]) {
      const longer = new Uint8Array(length + more);
      longer.set(its());
      await expectSame(`${more} bytes more`, (options) => format(key).decrypt(source(longer), options));
    }
  });

  it.each(Object.entries(kinds))('chunks in another order: %s', async (_, source) => {
    const start = format.headerLength;
    const chunk = (index: number): Uint8Array =>
      its().subarray(start + index * sealedLength, start + (index + 1) * sealedLength);
    for (const [a, b] of [
      [20, 21],
      [64, 65],
      [63, 64],
      [90, 100],
      [129, 5],
    ]) {
      const wrong = its();
      wrong.set(chunk(a), start + b * sealedLength);
      wrong.set(chunk(b), start + a * sealedLength);
      await expectSame(`chunks ${a} and ${b}`, (options) => format(key).decrypt(source(wrong), options));
    }
  });

  it('a whole stream, with bytes behind it in another piece', async () => {
    const exact = plain.subarray(0, 5 * MiB);
    const encrypted = await all(format(key).encrypt(exact));
    for (const more of [1, 16, 5000, sealedLength, 2 * MiB])
      for (const length of [MiB, 16 * sealedLength, 100_000]) {
        const pieces = [...cut(encrypted, [length]), new Uint8Array(more)];
        await expectSame(`${more} bytes, after ${length}`, (options) => format(key).decrypt(pieces, options));
      }
  });

  it('of the source', async () => {
    const broken = new Error('disk on fire');
    const failing = async function* (bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
      for (const piece of cut(bytes, [length])) yield await Promise.resolve(piece);
      throw broken;
    };
    for (const end of [5 * MiB, 5_000_000, 4 * MiB + 1, 8 * format.chunkLength + 4 * MiB])
      for (const length of [200_000, 65_536, 2 * MiB]) {
        const text = `${end} by ${length}`;
        await expectSame(
          text,
          (options) => format(key).encrypt(failing(plain.subarray(0, end), length), options),
          open,
        );
        await expectSame(text, (options) => format(key).decrypt(failing(its().subarray(0, end), length), options));
      }
    // All of it came, and then the error.
    await expectSame('all', (options) => format(key).decrypt(failing(its(), 500_000), options));
    const exact = await all(format(key).encrypt(plain.subarray(0, 6 * MiB)));
    await expectSame('exact', (options) => format(key).decrypt(failing(exact, 500_000), options));
    const withText = (): ByteSource => [...cut(plain, [MiB]), 'text' as never].values();
    await expectSame('a piece that is none', (options) => format(key).encrypt(withText(), options), open);
  });

  it('of the size', async () => {
    for (const size of [plain.length - 1, plain.length + 1, 4 * MiB, 5_000_000, 10 * MiB])
      for (const length of [200_000, 65_536, 2 * MiB]) {
        const text = `${size} by ${length}`;
        await expectSame(text, (options) => format(key).encrypt(cut(plain, [length]), { ...options, size }), open);
        // The bytes before the error depend on the pieces in which the bytes come.
        const one = await untilError(format(key).decrypt(cut(its(), [length]), { size }));
        const many = await untilError(format(key).decrypt(cut(its(), [length]), { size, pool }));
        expect(many.error, text).toEqual(one.error);
        expectBytes(many.given, plain.subarray(0, many.given.length), text);
        expect(many.given.length, text).toBeLessThanOrEqual(size);
        expect(many.given.length, text).toBeGreaterThan(Math.min(size, plain.length) - 2 * MiB);
      }
  });

  it('of decryptWhole', async () => {
    const wrong = its();
    wrong[7 * MiB] ^= 1;
    const whole = (options: object, source: ByteSource): Promise<unknown> =>
      format(key)
        .decryptWhole(source, options)
        .then(
          () => 'no error',
          (error: unknown) => error,
        );
    for (const source of [wrong, its().subarray(0, 6 * MiB)])
      for (const kind of [source, cut(source, [200_000])])
        expect(await whole({ pool }, kind)).toEqual(await whole({}, kind));
    const maxLength = 7 * MiB;
    expect(await whole({ pool, maxLength }, cut(its(), [200_000]))).toEqual(
      await whole({ maxLength }, cut(its(), [200_000])),
    );
  });
});
