// Who confirms the vectors of scrypt: node:crypto, noble and libsodium. No library has BlockMix and ROMix alone, so they are
// put together as the RFC says from libsodium's Salsa20/8 core, and from one in numbers.
import { pbkdf2Sync, scryptSync } from 'node:crypto';
import { pbkdf2 } from '@noble/hashes/pbkdf2.js';
import { scrypt } from '@noble/hashes/scrypt.js';
import { sha256 } from '@noble/hashes/sha2.js';
import sodium from 'libsodium-wrappers-sumo';
import { unhex } from '../../oracles.mjs';
import { equal } from '../../verify-file.mjs';

await sodium.ready;

/** RFC 7914 §3, written plainly. */
function inNumbers(block) {
  const view = new DataView(Uint8Array.from(block).buffer);
  const x = Array.from({ length: 16 }, (_, i) => view.getUint32(4 * i, true));
  const z = [...x];
  const step = (d, a, b, n) => (z[d] ^= ((z[a] + z[b]) << n) | (((z[a] + z[b]) | 0) >>> (32 - n)));
  const quarter = ([a, b, c, d]) => {
    step(b, a, d, 7);
    step(c, b, a, 9);
    step(d, c, b, 13);
    step(a, d, c, 18);
  };
  const columns = [
    [0, 4, 8, 12],
    [5, 9, 13, 1],
    [10, 14, 2, 6],
    [15, 3, 7, 11],
  ];
  const rows = [
    [0, 1, 2, 3],
    [5, 6, 7, 4],
    [10, 11, 8, 9],
    [15, 12, 13, 14],
  ];
  for (let round = 0; round < 8; round += 2) for (const four of [...columns, ...rows]) quarter(four);
  z.forEach((word, i) => view.setUint32(4 * i, word + x[i], true));
  return [...new Uint8Array(view.buffer)];
}

/** libsodium takes the block in four parts: constants on the diagonal, key around the input of four words. */
function byLibsodium(block) {
  const lib = sodium.libsodium;
  const bytes = Uint8Array.from(block);
  const words = (...places) => places.flatMap((i) => [...bytes.slice(4 * i, 4 * i + 4)]);
  const put = (given) => {
    const at = lib._malloc(given.length);
    lib.HEAPU8.set(given, at);
    return at;
  };
  const parts = [bytes, words(6, 7, 8, 9), words(1, 2, 3, 4, 11, 12, 13, 14), words(0, 5, 10, 15)].map(put);
  lib._crypto_core_salsa208(...parts);
  const out = [...lib.HEAPU8.slice(parts[0], parts[0] + 64)];
  for (const at of parts) lib._free(at);
  return out;
}

const xor = (a, b) => a.map((byte, i) => byte ^ b[i]);

/** RFC 7914 §4 */
function blockMix(core, block) {
  let x = block.slice(-64);
  const halves = [[], []];
  for (let i = 0; 64 * i < block.length; i++) {
    x = core(xor(x, block.slice(64 * i, 64 * i + 64)));
    halves[i % 2].push(...x);
  }
  return halves.flat();
}

/** RFC 7914 §5 */
function roMix(core, block, N) {
  const v = [];
  let x = block;
  for (let i = 0; i < N; i++) {
    v.push(x);
    x = blockMix(core, x);
  }
  for (let i = 0; i < N; i++) x = blockMix(core, xor(x, v[x.at(-64) % N]));
  return x;
}

const cores = { numbers: inNumbers, libsodium: byLibsodium };
const withCores = (make) => Object.entries(cores).map(([name, core]) => [name, make(core)]);

/** The answers of all that have the function of a test. */
function said(t) {
  const input = t.input && [...unhex(t.input)];
  switch (t.function) {
    case 'salsa20/8':
      return withCores((core) => core(input));
    case 'scryptBlockMix':
      return withCores((core) => blockMix(core, input));
    case 'scryptROMix':
      return withCores((core) => roMix(core, input, t.N));
    case 'PBKDF2-HMAC-SHA-256':
      return [
        ['node:crypto', pbkdf2Sync(t.P, t.S, t.c, t.dkLen, 'sha256')],
        ['noble', pbkdf2(sha256, t.P, t.S, { c: t.c, dkLen: t.dkLen })],
      ];
    case 'scrypt': {
      const { P, S, N, r, p, dkLen } = t;
      return [
        ['node:crypto', scryptSync(P, S, dkLen, { N, r, p, maxmem: 2 ** 31 })],
        ['noble', scrypt(P, S, { N, r, p, dkLen })],
        ['libsodium', sodium.crypto_pwhash_scryptsalsa208sha256_ll(P, S, N, r, p, dkLen)],
      ];
    }
  }
}

/** By file, how its vectors are confirmed. */
export const files = {
  'rfc7914.json'(f, { tests }) {
    for (const t of tests) f.vector(`section ${t.section}, ${t.function}`, equal(said(t), t.output));
  },
};
