/** scrypt with parameters that take much memory: the fourth vector of RFC 7914, 1 GiB, and those that people use. */
// Runs in Node only: takes gigabytes of memory.
import { scryptSync as openssl } from 'node:crypto';
import { scrypt as noble } from '@noble/hashes/scrypt.js';
import { expect, it } from 'vitest';
import { select } from '../../src/engine.ts';
import { scrypt, scryptSync } from '../../src/scrypt.ts';
import { expectBytes, hex, sample } from '../support/bytes.ts';
import { utf8, vectors } from '../support/scrypt.ts';

const large = vectors.at(-1)!;

it.each(['simd', 'js'] as const)(
  'RFC 7914 with N = 2^20, in 1 GiB: %s',
  async (engine) => {
    select(engine);
    const { P, S, N, r, p, dkLen, output } = large;
    expect(hex(await scrypt(utf8(P), utf8(S), { N, r, p, dkLen }))).toBe(output);
    select('auto');
  },
  120_000,
);

it.each([
  [2 ** 18, 8, 1],
  [2 ** 17, 8, 1],
  [2 ** 16, 8, 2],
  [2 ** 15, 8, 3],
  [2 ** 12, 64, 6],
  [2 ** 19, 1, 1],
])(
  'N = %i, r = %i, p = %i',
  (N, r, p) => {
    const [password, salt] = [sample(20, N), sample(16, r)];
    const options = { N, r, p, dkLen: 64 };
    const key = scryptSync(password, salt, options);
    expectBytes(key, noble(password, salt, options), 'noble');
    // OpenSSL refuses N from 2^16 on with r = 1, as RFC 7914 §2 asks; Ethereum's key files have such parameters.
    if (r > 1) expectBytes(key, openssl(password, salt, 64, { ...options, maxmem: 2 ** 31 }), 'OpenSSL');
  },
  60_000,
);

it('2 GiB and a bit are more than the js engine has, and more than maxmem allows unless the caller raises it', () => {
  const options = { logN: 21, maxmem: 2 ** 31 };
  expect(() => scryptSync(utf8(''), utf8(''), { logN: 21 })).toThrow('"maxmem" expected at least');
  select('js');
  expect(() => scryptSync(utf8(''), utf8(''), options)).toThrow(new RangeError('cannot allocate 2048 MiB of memory'));
  select('auto');
});

it('many derivations do not pile up memory', () => {
  // 64 MiB each. V8 frees memory only if it counts it.
  for (let i = 0; i < 24; i++) scryptSync(utf8(''), utf8(`${i}`), { N: 2 ** 16 });
  expect(process.memoryUsage().rss).toBeLessThan(2 ** 30);
}, 60_000);
