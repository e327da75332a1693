/**
 * The figures of docs/inside/box.md: boxes, SHA-2 and Argon2id, each beside other libraries. Batches alternate, so that a load of the machine
 * hits all alike; the result is the median of the ratios of their times, how many times as long the other takes.
 *
 *     node packages/lanewise/scripts/key-figures.ts [--argon2] [--iron] [--awasm FILE]
 *
 * `--argon2` measures Argon2id instead, with 64 MiB and three passes. `--iron` fetches iron-webcrypto from npm into a temporary folder. `--awasm` is
 * a module of awasm-noble that exports `argon2id`: its targets are made by `@awasm/compiler`, which npm doesn't have, so it is built
 * elsewhere.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { xchacha20poly1305 as nobleCipher } from '@noble/ciphers/chacha.js';
import { managedNonce as nobleManaged } from '@noble/ciphers/utils.js';
import type { argon2id as nobleArgon2id } from '@noble/hashes/argon2.js';
import { hkdf as nobleHkdf } from '@noble/hashes/hkdf.js';
import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { createSHA256 } from 'hash-wasm';
import { argon2id, argon2idSync, lanesOn } from '../src/argon2.ts';
import { createBox } from '../src/box.ts';
import { managedNonce, xchacha20poly1305 } from '../src/chacha.ts';
import { createPool } from '../src/pool.ts';
import { hashMany, hkdf, sha256 } from '../src/sha2.ts';
import { randomBytes } from '../src/utils.ts';
import { argon2Others } from './argon2-others.ts';

const { values: options } = parseArgs({
  options: { argon2: { type: 'boolean' }, iron: { type: 'boolean' }, awasm: { type: 'string' } },
});

type Work = () => unknown;
const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1];

/** Nanoseconds of a call, of `count` in a row. */
async function timeOf(work: Work, count: number): Promise<number> {
  const start = process.hrtime.bigint();
  for (let i = 0; i < count; i++) {
    const result = work();
    if (result instanceof Promise) await result;
  }
  return Number(process.hrtime.bigint() - start) / count;
}

/** Prints our time, and how many times as long each of the others takes. */
async function contest(
  title: string,
  ours: Work,
  others: Readonly<Record<string, Work>>,
  rounds: number,
): Promise<void> {
  const works = [ours, ...Object.values(others)];
  const counts: number[] = [];
  for (const work of works) {
    const once = await timeOf(work, 1);
    // Engines compile code once it is hot.
    if (once < 5e6) await timeOf(work, Math.min(20_000, Math.ceil(1e8 / once)));
    counts.push(Math.max(1, Math.round(2e5 / (await timeOf(work, 3)))));
  }
  const times: number[][] = works.map(() => []);
  for (let round = 0; round < rounds; round++)
    for (const [i, work] of works.entries()) times[i].push(await timeOf(work, counts[i]));
  const ratios = Object.keys(others).map(
    (name, i) => `${name} ${median(times[i + 1].map((time, round) => time / times[0][round])).toFixed(2)}`,
  );
  console.log(`${title}: ${Math.round(median(times[0]))} ns; ${ratios.join(', ')}`);
}

async function boxes(): Promise<void> {
  const [key, message] = [randomBytes(32), randomBytes(100)];
  const [box, managed, noble] = [createBox(key), managedNonce(xchacha20poly1305)(key), nobleManaged(nobleCipher)(key)];
  const [sealed, ofManaged, ofNoble] = [box.seal(message), managed.encrypt(message), noble.encrypt(message)];
  const sealing: Record<string, Work> = {
    'our managedNonce': () => managed.encrypt(message),
    "noble's managedNonce": () => noble.encrypt(message),
  };
  const opening: Record<string, Work> = {
    'our managedNonce': () => managed.decrypt(ofManaged),
    "noble's managedNonce": () => noble.decrypt(ofNoble),
  };
  await contest('a box seals 100 bytes', () => box.seal(message), sealing, 301);
  await contest('a box opens 100 bytes', () => box.open(sealed), opening, 301);
}

/** iron-webcrypto derives two keys from a password, AES-CBC encrypts, HMAC authenticates. */
async function iron(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'lanewise-iron-'));
  try {
    execFileSync('npm', ['install', '--no-save', '--prefix', folder, '--loglevel', 'error', 'iron-webcrypto@2.0.0'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const its = (await import(
      pathToFileURL(createRequire(join(folder, 'x.js')).resolve('iron-webcrypto')).href
    )) as Iron;
    const password = 'correct horse battery staple 1234567890';
    const value = { user: 'ada@example.org', roles: ['admin'], until: 1_800_000_000 };
    const box = createBox(randomBytes(32));
    const sealed = box.sealText(value, { json: true });
    const theirs = await its.seal(value, password, its.defaults);
    const seal = { 'iron-webcrypto': () => its.seal(value, password, its.defaults) };
    const open = { 'iron-webcrypto': () => its.unseal(theirs, password, its.defaults) };
    await contest('sealText of JSON', () => box.sealText(value, { json: true }), seal, 101);
    await contest('openText of JSON', () => box.openText(sealed, { json: true }), open, 101);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
/** The part of iron-webcrypto that is called. */
interface Iron {
  readonly defaults: object;
  seal(value: unknown, password: string, options: object): Promise<string>;
  unseal(sealed: string, password: string, options: object): Promise<unknown>;
}

async function hashes(): Promise<void> {
  const wasm = await createSHA256();
  const inHashWasm = (bytes: Uint8Array): Uint8Array => wasm.init().update(bytes).digest('binary');
  for (const length of [64, 65_536]) {
    const message = randomBytes(length);
    const others = { noble: () => nobleSha256(message), 'hash-wasm': () => inHashWasm(message) };
    await contest(`SHA-256 of ${length} bytes`, () => sha256(message), others, 301);
  }
  for (const length of [64, 1024]) {
    const messages = Array.from({ length: 64 }, () => randomBytes(length));
    const others = { 'one by one': () => messages.map((message) => sha256(message)) };
    await contest(`hashMany of 64 times ${length} bytes`, () => hashMany(sha256, messages), others, 301);
  }
  const [input, salt, info] = [randomBytes(32), randomBytes(32), randomBytes(16)];
  const others = { noble: () => nobleHkdf(nobleSha256, input, salt, info, 32) };
  await contest('HKDF of 32 bytes', () => hkdf(sha256, input, salt, info, 32), others, 301);
}

async function argon2(): Promise<void> {
  const [password, salt] = [new TextEncoder().encode('correct horse battery staple'), randomBytes(16)];
  const [t, m] = [3, 65_536];
  const others: Record<string, Work> = { ...(await argon2Others(password, salt, { t, m })) };
  if (options.awasm !== undefined) {
    const its = (await import(pathToFileURL(resolve(options.awasm)).href)) as { argon2id: typeof nobleArgon2id };
    others['awasm-noble'] = () => its.argon2id(password, salt, { t, m, p: 1, dkLen: 32 });
  }
  await contest('Argon2id, 64 MiB, t = 3, p = 1', () => argon2idSync(password, salt, { t, m, p: 1 }), others, 7);
  const pool = createPool({ threads: 2 });
  try {
    const lanes = { t, m, p: 4 } as const;
    const onPool = (): Promise<Uint8Array> => argon2id(password, salt, { ...lanes, lanes: lanesOn(pool) });
    await contest(
      'the same with p = 4 on two threads',
      onPool,
      { 'on one': () => argon2idSync(password, salt, lanes) },
      7,
    );
  } finally {
    await pool.close();
  }
}

console.log(`Node ${process.versions.node}, ${cpus()[0].model}, load ${loadavg()[0].toFixed(1)}`);
if (options.argon2) await argon2();
else {
  await boxes();
  await hashes();
  if (options.iron) await iron();
}
console.log(`load ${loadavg()[0].toFixed(1)}`);
