/** The published vectors of SHA-2, HMAC, HKDF and PBKDF2, and the calls that have to give them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as sha2 from '../../src/sha2.ts';
import { expectBytes, unhex } from '../support/bytes.ts';

type Name = 'sha224' | 'sha256' | 'sha384' | 'sha512' | 'sha512_256';
type Vector<Fields> = { readonly hash: Name; readonly tcId: number; readonly result: string } & Readonly<Fields>;

const read = <Fields>(name: string): readonly Vector<Fields>[] =>
  (
    JSON.parse(readFileSync(join(import.meta.dirname, '../../../../vectors', name), 'utf8')) as {
      readonly tests: readonly Vector<Fields>[];
    }
  ).tests;

/** A message and its digest, or the Monte Carlo test of a hash. */
export const cavp = read<{ msg?: string; md: string; seed: string; chain: readonly string[] }>('sha2-cavp.json');
export const macs = read<{ key: string; msg: string; tag: string }>('wycheproof-hmac.json');
export const keys = read<{ ikm: string; salt: string; info: string; size: number; okm: string }>(
  'wycheproof-hkdf.json',
);
export const passwords = read<{ password: string; salt: string; iterationCount: number; dkLen: number; dk: string }>(
  'wycheproof-pbkdf2.json',
);

/** The first links of a Monte Carlo test: each is the last of 1000 digests. SHAVS 6.4 */
export function expectChain({ hash, seed, chain }: (typeof cavp)[number], links: number): void {
  for (let i = 0, last = unhex(seed); i < links; i++) {
    const three = new Uint8Array(3 * last.length);
    for (let at = 0; at < 3; at++) three.set(last, at * last.length);
    for (let round = 0; round < 1000; round++) {
      const next = sha2[hash](three);
      three.copyWithin(0, last.length);
      three.set(next, 2 * last.length);
    }
    last = three.slice(2 * last.length);
    expectBytes(last, unhex(chain[i]), `${hash}, link ${i}`);
  }
}

export function expectKey({ hash, tcId, password, salt, iterationCount, dkLen, dk }: (typeof passwords)[number]): void {
  const key = sha2.pbkdf2Sync(sha2[hash], unhex(password), unhex(salt), { c: iterationCount, dkLen });
  expectBytes(key, unhex(dk), `${hash} ${tcId}`);
}
