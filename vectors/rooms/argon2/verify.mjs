// Who confirms the vectors of Argon2: noble for all, OpenSSL for version 0x13, and for version 0x10, which OpenSSL lacks, RFC 9106 and
// the paper of 2015 written plainly in BigInt.
import { argon2Sync } from 'node:crypto';
import * as noble from '@noble/hashes/argon2.js';
import { blake2b } from '@noble/hashes/blake2.js';
import { unhex } from '../../oracles.mjs';
import { equal } from '../../verify-file.mjs';

const M = (1n << 64n) - 1n;
const LOW = 0xffffffffn;
const le32 = (...words) => Buffer.from(Uint32Array.from(words).buffer);
const wordsOf = (bytes) => [...new BigUint64Array(Uint8Array.from(bytes).buffer)];
const join = (...parts) => Buffer.concat(parts.map((part) => Buffer.from(part)));

/** RFC 9106 §3.3 */
function variableHash(length, bytes) {
  if (length <= 64) return blake2b(join(le32(length), bytes), { dkLen: length });
  const r = Math.ceil(length / 32) - 2;
  let v = blake2b(join(le32(length), bytes));
  const taken = [v.subarray(0, 32)];
  for (let i = 1; i < r; i++) taken.push((v = blake2b(v)).subarray(0, 32));
  return join(...taken, blake2b(v, { dkLen: length - 32 * r }));
}

/** §3.6 */
function permute(v) {
  const step = (a, b, d, n) => {
    v[a] = (v[a] + v[b] + 2n * (v[a] & LOW) * (v[b] & LOW)) & M;
    const x = v[d] ^ v[a];
    v[d] = ((x >> n) | (x << (64n - n))) & M;
  };
  for (const [a, b, c, d] of [
    [0, 4, 8, 12],
    [1, 5, 9, 13],
    [2, 6, 10, 14],
    [3, 7, 11, 15],
    [0, 5, 10, 15],
    [1, 6, 11, 12],
    [2, 7, 8, 13],
    [3, 4, 9, 14],
  ]) {
    step(a, b, d, 32n);
    step(c, d, b, 24n);
    step(a, b, d, 16n);
    step(c, d, b, 63n);
  }
  return v;
}

/** §3.5 */
function compress(x, y) {
  const r = x.map((word, i) => word ^ y[i]);
  const q = [];
  for (let row = 0; row < 8; row++) q.push(...permute(r.slice(16 * row, 16 * row + 16)));
  for (let column = 0; column < 8; column++) {
    const places = Array.from({ length: 16 }, (_, i) => 16 * (i >> 1) + 2 * column + (i & 1));
    permute(places.map((place) => q[place])).forEach((word, i) => (q[places[i]] = word));
  }
  return q.map((word, i) => word ^ r[i]);
}

/** §3.2 to §3.4 */
function model({ function: name, version, t, m, p, password, salt, secret = '', ad = '', dkLen = 32 }) {
  const kind = ['argon2d', 'argon2i', 'argon2id'].indexOf(name);
  const inputs = [password, salt, secret, ad].map((hex) => unhex(hex));
  const h0 = blake2b(join(le32(p, dkLen, m, t, version, kind), ...inputs.flatMap((x) => [le32(x.length), x])));
  const q = 4 * Math.floor(m / (4 * p));
  const segment = q / 4;
  const b = Array.from({ length: p }, (_, i) => [0, 1].map((j) => wordsOf(variableHash(1024, join(h0, le32(j, i))))));
  const zeros = Array.from({ length: 128 }, () => 0n);
  for (let pass = 0; pass < t; pass++)
    for (let slice = 0; slice < 4; slice++)
      for (let lane = 0; lane < p; lane++) {
        const first = pass === 0 && slice === 0;
        let pairs;
        for (let i = first ? 2 : 0; i < segment; i++) {
          const j = slice * segment + i;
          let pair = b[lane][(j + q - 1) % q][0];
          if (kind === 1 || (kind === 2 && pass === 0 && slice < 2)) {
            if (!pairs || i % 128 === 0) {
              const numbers = [pass, lane, slice, q * p, t, kind, Math.floor(i / 128) + 1].map(BigInt);
              pairs = compress(zeros, compress(zeros, [...numbers, ...zeros.slice(numbers.length)]));
            }
            pair = pairs[i % 128];
          }
          const l = first ? lane : Number(pair >> 32n) % p;
          let area = pass === 0 ? slice * segment : q - segment;
          area += l === lane ? i - 1 : i === 0 ? -1 : 0;
          const x = ((pair & LOW) * (pair & LOW)) >> 32n;
          const z = area - 1 - Number((BigInt(area) * x) >> 32n);
          const start = pass === 0 || slice === 3 ? 0 : (slice + 1) * segment;
          const made = compress(b[lane][(j + q - 1) % q], b[l][(start + z) % q]);
          b[lane][j] = pass > 0 && version === 0x13 ? made.map((word, k) => word ^ b[lane][j][k]) : made;
        }
      }
  const last = b.map((row) => row[q - 1]).reduce((x, y) => x.map((word, i) => word ^ y[i]));
  return variableHash(dkLen, Buffer.from(BigUint64Array.from(last).buffer));
}

function verify(f, { tests }) {
  for (const test of tests) {
    const [message, nonce] = [unhex(test.password), unhex(test.salt)];
    const [secret, associatedData] = [test.secret, test.ad].map((hex) => hex && unhex(hex));
    const { t, m, p, version, dkLen = 32 } = test;
    const options = { t, m, p, version, dkLen, key: secret, personalization: associatedData, maxmem: 2 ** 31 };
    const said = [['noble', noble[test.function](message, nonce, options)]];
    const own = { message, nonce, parallelism: p, tagLength: dkLen, memory: m, passes: t };
    if (version === 0x13)
      said.push(['OpenSSL', argon2Sync(test.function, secret ? { ...own, secret, associatedData } : own)]);
    if (m <= 256) said.push(['model', model(test)]);
    f.vector(`${test.function}, m = ${m}, t = ${t}, p = ${p}, version ${version}`, equal(said, test.tag));
  }
}

/** By file, how its vectors are confirmed. */
export const files = { 'argon2.json': verify, 'argon2-crate.json': verify };
