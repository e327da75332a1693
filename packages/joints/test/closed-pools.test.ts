/**
 * A call with a pool, whose source, file or key never answers, is rejected when the pool is closed. Nothing else would settle it.
 *
 * What nothing refers to is garbage, with all that waits for it: so each row holds the end of its stream that would write, as a socket
 * would, and garbage is collected before the pool is closed. A row that hangs fails by the time that the runner gives it.
 */
import type { FileHandle } from 'node:fs/promises';
import { PassThrough, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Decrypter, Encrypter, HeaderReader } from '@lanewise/age';
import { encode, outboard } from 'lanewise/bao.js';
import { adiantum, encryptedFile } from 'lanewise/disk.js';
import { createPool, type Pool } from 'lanewise/pool.js';
import { createDecryptor, createEncryptor } from 'lanewise/stream-node.js';
import { createBox } from 'lanewise/box.js';
import { agePayload, chunked } from 'lanewise/stream.js';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const { min } = Math;
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
const silent = (): Promise<never> => never;
/** The ends of streams that would write. */
const held = new Set<unknown>();
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
  held.add(writer);
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
    held.add(from);
    if (length) from.write(plaintext.slice(0, length));
    return pipeline(from, createEncryptor(chunked(key), { pool }), new PassThrough().resume());
  },
  createDecryptor(pool, length) {
    const from = new PassThrough();
    held.add(from);
    if (length) from.write(sealed.slice(0, length));
    return pipeline(from, createDecryptor(chunked(key), { pool }), new PassThrough().resume());
  },
  'Pool.blake3': (pool, length) => pool.blake3(stalled(plaintext, length)),
  'Pool.blake3Xof': (pool, length) => pool.blake3Xof(stalled(plaintext, length)),
  encode: (pool, length) => encode(stalled(plaintext, length), { pool }),
  outboard: (pool, length) => outboard(stalled(plaintext, length), { pool }),
  'age Encrypter.encrypt': async (pool, length) =>
    collect(await encrypter.encrypt(stalled(plaintext, length), { pool })),
};
/** Those of age files before their headers. */
const unheaded: Record<string, Call> = {
  'age Decrypter.decrypt, before the end of the header': (pool, length) =>
    decrypter.decrypt(stalled(file, min(length, 50)), undefined, { pool }),
  'age Decrypter.decryptWhole, before the end of the header': (pool, length) =>
    decrypter.decryptWhole(stalled(file, min(length, 50)), { pool }),
};
const headed: Record<string, Call> = {
  'age Decrypter.decrypt': async (pool, length) =>
    collect(await decrypter.decrypt(stalled(file, 1000 + length), undefined, { pool })),
  'age Decrypter.decryptWhole': (pool, length) => decrypter.decryptWhole(stalled(file, 1000 + length), { pool }),
};
const readers: Record<string, Call> = {
  'chunked().reader': (pool) => chunked(key).reader({ size: sealed.length, read: () => never }, { pool }),
  'Box.reader': (pool) => createBox(key, { chunked }).reader({ size: sealed.length, read: () => never }, { pool }),
  'Reader.read': async (pool, length) => (await chunked(key).reader(gaps(sealed), { pool })).read(100_000, length),
  'Reader.read of an age payload': async (pool, length) =>
    (await agePayload(key).reader(gaps(payload), { pool })).read(100_000, length),
  'Reader.read of an age file': async (pool, length) =>
    (await decrypter.reader(gaps(file), { pool })).read(100_000, length),
};

const recipient = new Encrypter();
recipient.addRecipient({ wrapFileKey: silent });
const identity = new Decrypter();
identity.addIdentity({ unwrapFileKey: silent });
const header = new HeaderReader();
header.push(file);
const store = { size: silent, read: silent, write: silent, truncate: silent, sync: silent, stat: silent };
/** Over a store that has one answer, and then none. */
const answersOnce = () => ({ ...store, stat: () => Promise.resolve({ size: 64 * MiB }) });
const pages = (pool: Pool, handle: object = store) =>
  encryptedFile(handle as FileHandle, adiantum(key), { tweak: 'dm-crypt-large', pool });
const others: Record<string, Call> = {
  'age Encrypter.encrypt to a silent recipient': (pool) => recipient.encrypt('', { pool }),
  'age Encrypter.sealer': (pool) => recipient.sealer({ pool }),
  'age Encrypter.fileHeader': (pool) => recipient.fileHeader({ pool }),
  'age Decrypter.decrypt with a silent identity': (pool) => identity.decrypt(file, undefined, { pool }),
  'age Decrypter.opener': (pool) => identity.opener({ header: header.bytes, pool }),
  'age Decrypter.payloadKey': (pool) => identity.payloadKey({ header: header.bytes, pool }),
  'age Decrypter.decryptHeader': (pool) => identity.decryptHeader(header.header, { pool }),
  'age Decrypter.reader': (pool) => identity.reader({ size: file.length, read: silent }, { pool }),
  'age Decrypter.reader with a silent identity': (pool) => identity.reader(file, { pool }),
  'encryptedFile().size': (pool) => pages(pool).size(),
  'encryptedFile().flush': (pool) => pages(pool).flush(),
  'encryptedFile().truncate': (pool) => pages(pool).truncate(4096),
  'encryptedFile().read': (pool) => pages(pool, answersOnce()).read(new Uint8Array(3 * MiB), 100),
  'encryptedFile().write': (pool) => pages(pool, answersOnce()).write(new Uint8Array(3 * MiB), 100),
  async 'encryptedFile().flush after another call that waits'(pool) {
    const its = pages(pool);
    const first = its.size().catch((error: unknown) => error);
    const error: unknown = await its.flush().catch((reason: unknown) => reason);
    expect(await first).toBe(error);
    throw error;
  },
};

/** How long a call waits before the pool is closed: in the same turn, in later ones, or when it has come as far as it can. */
const DELAYS = [undefined, 0, 2, 20];
const cases = [
  ...Object.entries({ ...streams, ...headed }).flatMap((call) => [0, 100_000, 3 * MiB].map((each) => [...call, each])),
  ...Object.entries(unheaded).flatMap((call) => [0, 50].map((each) => [...call, each])),
  ...Object.entries(readers).flatMap((call) => [150_000, 3 * MiB].map((each) => [...call, each])),
  ...Object.entries(others).map((call) => [...call, 0]),
] as [string, Call, number][];

test.each(cases)('%s, which waits', { timeout: 30_000 }, async (_, call, length) => {
  const ends = DELAYS.map(async (delay) => {
    const pool = createPool({ threads: 1, threshold: 0 });
    let ended = false;
    const outcome = call(pool, length)
      .then(
        () => 'done',
        (error: unknown) => (error as Error).message,
      )
      .finally(() => (ended = true));
    if (delay !== undefined) await new Promise((resolve) => setTimeout(resolve, delay));
    if (delay === DELAYS.at(-1)) collectGarbage();
    expect(ended).toBe(false);
    const closed = pool.close();
    expect(await outcome).toBe('the pool was closed while it worked');
    await closed;
  });
  await Promise.all(ends);
  held.clear();
});

const closing = (stream: Transform): Promise<unknown> => new Promise((resolve) => stream.once('close', resolve));
test.each([createEncryptor, createDecryptor])('%o that was not used ends without an error', async (make) => {
  const pool = createPool({ threads: 1, threshold: 0 });
  const unused = make(chunked(key), { pool });
  const heard = make(chunked(key), { pool });
  const errors: unknown[] = [];
  heard.on('error', (error: Error) => errors.push(error.message));
  const ends = Promise.all([closing(unused), closing(heard)]);
  await pool.close();
  await ends;
  expect(unused.errored).toBeNull();
  expect(errors).toEqual(['the pool was closed while it worked']);
});
