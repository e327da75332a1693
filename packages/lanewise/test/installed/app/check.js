/** Compares a pool of the installed package with one thread. */
import { blake3 } from 'lanewise/blake3.js';
import { adiantum } from 'lanewise/disk.js';
import { describe } from 'lanewise/engine.js';
import { agePayload, chunked } from 'lanewise/stream.js';

/** Several jobs, and a part of one. */
const LENGTH = 6 * 2 ** 20 + 1234;
const PAGES = 4 * 2 ** 20;
/** So often the message makes one that is worth workers that are to be started. */
const TIMES = 7;
const PATIENCE_MILLISECONDS = 15_000;

const sample = (length) => Uint8Array.from({ length }, (_, i) => (Math.imul(i + 1, 0x9e3779b1) >>> 23) & 255);
const same = (a, b) => a.length === b.length && a.every((byte, i) => byte === b[i]);
/** A Response would hide the error of a stream. */
async function collect(stream) {
  const reader = stream.getReader();
  const parts = [];
  for (let part = await reader.read(); !part.done; part = await reader.read()) parts.push(part.value);
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** The names of what differs from one thread, and how the pool works after a while. */
export async function check(pool) {
  try {
    return await compare(pool);
  } catch (error) {
    return { failed: [`${error}\n${error?.stack}`] };
  }
}

async function compare(pool) {
  const [data, key] = [sample(LENGTH), sample(32)];
  const digest = blake3(data);
  const failed = [];
  const expect = (name, holds) => {
    if (!holds) failed.push(name);
  };

  const hasher = blake3.create();
  for (let i = 0; i < TIMES; i++) hasher.update(data);
  const large = new Blob(Array.from({ length: TIMES }, () => data));
  const digestOfLarge = hasher.digest();
  // Until a worker has loaded, or will not.
  const until = Date.now() + PATIENCE_MILLISECONDS;
  do expect('blake3 of a Blob', same(await pool.blake3(large), digestOfLarge));
  while (pool.describe().running === 0 && pool.describe().reason === undefined && Date.now() < until);

  expect('blake3', same(await pool.blake3(data), digest));
  if (globalThis.SharedArrayBuffer) {
    const shared = new Uint8Array(new SharedArrayBuffer(LENGTH));
    shared.set(data);
    expect('blake3 of shared memory', same(await pool.blake3(shared), digest));
  }
  for (const [name, format] of Object.entries({ chunked, agePayload })) {
    const sealed = await collect(format(key).encrypt(data, { pool }));
    expect(`${name}: encrypt`, same(await collect(format(key).decrypt([sealed])), data));
    expect(`${name}: decrypt`, same(await collect(format(key).decrypt(sealed, { pool })), data));
    sealed[LENGTH >> 1] ^= 1;
    const [mine, its] = await Promise.all(
      [format(key).decrypt([sealed]), format(key).decrypt(sealed, { pool })].map((stream) =>
        collect(stream).then(
          () => 'nothing',
          (error) => String(error),
        ),
      ),
    );
    expect(`${name}: damage is ${mine}, and in the pool ${its}`, mine === its && /not authentic/.test(mine));
  }
  const [pages, expected] = [sample(PAGES), sample(PAGES)];
  adiantum(key).encryptPages(expected, { pageSize: 4096, first: 0, tweak: 'index64' });
  await pool.encryptPages(adiantum(key), pages, { pageSize: 4096, first: 0, tweak: 'index64' });
  expect('encryptPages', same(pages, expected));
  // RFC 7914 §12, the second vector.
  const [password, salt] = ['password', 'NaCl'].map((text) => new TextEncoder().encode(text));
  const derived = await pool.scrypt(password, salt, { N: 1024, r: 8, p: 16, dkLen: 64 });
  expect('scrypt', derived[0] === 0xfd && derived[1] === 0xba && derived[62] === 0x06 && derived[63] === 0x40);

  // At once: workers of Deno end soon.
  const again = await pool.blake3(large);
  const description = pool.describe();
  expect('blake3 again', same(again, digestOfLarge));
  return { failed, ...description, engine: describe().engine };
}
