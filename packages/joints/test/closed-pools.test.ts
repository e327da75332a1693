/** A call with a pool, whose source or file never answers, is rejected when the pool is closed. Nothing else would settle it. */
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Decrypter, Encrypter } from '@lanewise/age';
import { createPool, type Pool } from 'lanewise/pool.js';
import { createDecryptor, createEncryptor } from 'lanewise/stream-node.js';
import { agePayload, chunked } from 'lanewise/stream.js';
import { expect, test } from 'vitest';

const MiB = 1_048_576;
const key = Uint8Array.from({ length: 32 }, (_, i) => i + 1);
const plaintext = new Uint8Array(4 * MiB);
const collect = async (stream: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer());
const sealed = await collect(chunked(key).encrypt(plaintext));
const payload = await collect(agePayload(key).encrypt(plaintext));
const encrypter = new Encrypter();
encrypter.setPassphrase('words');
encrypter.setScryptWorkFactor(1);
const decrypter = new Decrypter();
decrypter.addPassphrase('words');
const file = await encrypter.encrypt(plaintext);

const { promise: never } = Promise.withResolvers<never>();
/** Gives the first bytes, and nothing more. */
async function* stalled(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  if (length) yield bytes.slice(0, length);
  await never;
}
/** Has its start and its last bytes, as a reader asks for them when it is made. */
const gaps = (bytes: Uint8Array) => ({
  size: bytes.length,
  read: (from: number, to: number) =>
    from < 2000 || from > bytes.length - 100_000 ? Promise.resolve(bytes.slice(from, to)) : never,
});
function written(pair: { readable: ReadableStream<Uint8Array>; writable: WritableStream<Uint8Array> }, length: number) {
  const writer = pair.writable.getWriter();
  writer.closed.catch(() => undefined);
  if (length) writer.write(new Uint8Array(length)).catch(() => undefined);
  return Promise.any([collect(pair.readable), writer.closed]).catch((error: unknown) => {
    const { errors } = error as AggregateError;
    expect(String(errors[0])).toBe(String(errors[1]));
    throw errors[0];
  });
}

type Call = (pool: Pool, length: number) => Promise<unknown>;
const streams: Record<string, Call> = {
  'chunked().encrypt': (pool, length) => collect(chunked(key).encrypt(stalled(plaintext, length), { pool })),
  'chunked().encrypt with size': (pool, length) =>
    collect(chunked(key).encrypt(stalled(plaintext, length), { pool, size: 64 * MiB })),
  'chunked().decrypt': (pool, length) => collect(chunked(key).decrypt(stalled(sealed, length), { pool })),
  'chunked().decryptWhole': (pool, length) => chunked(key).decryptWhole(stalled(sealed, length), { pool }),
  'chunked().encryptor': (pool, length) => written(chunked(key).encryptor({ pool }), length),
  'agePayload().encrypt': (pool, length) => collect(agePayload(key).encrypt(stalled(plaintext, length), { pool })),
  'agePayload().decrypt': (pool, length) => collect(agePayload(key).decrypt(stalled(payload, length), { pool })),
  'agePayload().decryptWhole': (pool, length) => agePayload(key).decryptWhole(stalled(payload, length), { pool }),
  'agePayload().encryptor': (pool, length) => written(agePayload(key).encryptor({ pool }), length),
  createEncryptor(pool, length) {
    const from = new PassThrough();
    if (length) from.write(plaintext.slice(0, length));
    return pipeline(from, createEncryptor(chunked(key), { pool }), new PassThrough().resume());
  },
  createDecryptor(pool, length) {
    const from = new PassThrough();
    if (length) from.write(sealed.slice(0, length));
    return pipeline(from, createDecryptor(chunked(key), { pool }), new PassThrough().resume());
  },
  'Pool.blake3': (pool, length) => pool.blake3(stalled(plaintext, length)),
  'Pool.blake3Xof': (pool, length) => pool.blake3Xof(stalled(plaintext, length)),
  'age Encrypter.encrypt': async (pool, length) =>
    collect(await encrypter.encrypt(stalled(plaintext, length), { pool })),
};
/** Their headers are there: who waits for one waits for no pool. */
const headed: Record<string, Call> = {
  'age Decrypter.decrypt': async (pool, length) =>
    collect(await decrypter.decrypt(stalled(file, 1000 + length), undefined, { pool })),
  'age Decrypter.decryptWhole': (pool, length) => decrypter.decryptWhole(stalled(file, 1000 + length), { pool }),
};
const readers: Record<string, Call> = {
  'chunked().reader': (pool) => chunked(key).reader({ size: sealed.length, read: () => never }, { pool }),
  'Reader.read': async (pool, length) => (await chunked(key).reader(gaps(sealed), { pool })).read(100_000, length),
  'Reader.read of an age payload': async (pool, length) =>
    (await agePayload(key).reader(gaps(payload), { pool })).read(100_000, length),
  'Reader.read of an age file': async (pool, length) =>
    (await decrypter.reader(gaps(file), { pool })).read(100_000, length),
};

const cases = [
  ...Object.entries({ ...streams, ...headed }).flatMap((call) => [0, 100_000, 3 * MiB].map((each) => [...call, each])),
  ...Object.entries(readers).flatMap((call) => [150_000, 3 * MiB].map((each) => [...call, each])),
] as [string, Call, number][];

test.each(cases)('%s, which waits', async (_, call, length) => {
  const pool = createPool({ threads: 1, threshold: 0 });
  const outcome = call(pool, length).then(
    () => 'done',
    (error: unknown) => (error as Error).message,
  );
  const soon = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms, 'waits'));
  expect(await Promise.race([outcome, soon(20)])).toBe('waits');
  void pool.close();
  expect(await Promise.race([outcome, soon(2000)])).toBe('the pool was closed while it worked');
  await pool.close();
});
