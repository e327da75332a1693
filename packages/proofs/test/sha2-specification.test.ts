/** The specification that the kernels of SHA-2 are proved against, run on numbers: against node:crypto, in integers and in halves. */
import { itCoversItsSpecifications } from './specification-coverage.ts';
import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Halves } from '../src/rooms/blake2/words.ts';
import {
  bytesOf,
  compress,
  keyed,
  outerHash,
  SHA256,
  SHA512,
  wordsOf,
  type Compression,
  type Sha2Words,
  type Size,
} from '../src/rooms/sha2/specification.ts';
import { sha2HalvesOver } from '../src/rooms/sha2/words.ts';
import { integers, operations } from './word-numbers.ts';

const long = (bits: 32 | 64): Sha2Words<number, bigint> => ({
  ...integers(bits),
  and: (x, y) => x & y,
  shr: (x, count) => x >> BigInt(count),
});
const halves = sha2HalvesOver(operations);

/** The root of an integer, rounded down. */
function rootOf(x: bigint): bigint {
  let y = x;
  for (let next = (x + 1n) / 2n; next < y; next = (y + x / y) / 2n) y = next;
  return y;
}
/** §5.3: bits after the point of the roots of primes. */
const rootBits = (primes: readonly number[], bits: bigint): bigint[] =>
  primes.map((prime) => BigInt.asUintN(Number(bits), rootOf(BigInt(prime) << (2n * bits))));
const [FIRST, SECOND] = [
  [2, 3, 5, 7, 11, 13, 17, 19],
  [23, 29, 31, 37, 41, 43, 47, 53],
];
const SHA512_INITIAL = rootBits(FIRST, 64n);

interface Hash {
  readonly size: Size;
  readonly initial: readonly bigint[];
  readonly end: number;
}
const HASHES: Readonly<Record<string, Hash>> = {
  sha256: { size: SHA256, initial: rootBits(FIRST, 32n), end: 32 },
  // The second half of the first 64 bits. §5.3.2
  sha224: { size: SHA256, initial: rootBits(SECOND, 64n).map((x) => BigInt.asUintN(32, x)), end: 28 },
  sha512: { size: SHA512, initial: SHA512_INITIAL, end: 64 },
  sha384: { size: SHA512, initial: rootBits(SECOND, 64n), end: 48 },
  'sha512-256': { size: SHA512, initial: truncatedInitial('SHA-512/256'), end: 32 },
};
/** §5.3.6 */
function truncatedInitial(name: string): bigint[] {
  const initial = SHA512_INITIAL.map((x) => x ^ 0xa5a5a5a5a5a5a5a5n);
  const w = long(64);
  return wordsOf(w, SHA512, hash(w, { size: SHA512, initial, end: 64 }, [...Buffer.from(name)]));
}

/** The last bytes of a message of `length` bytes, padded. §5.1 */
function padded({ bits }: Size, last: readonly number[], length: number): number[] {
  const block = 2 * bits;
  const bytes = [...last, 0x80];
  while (bytes.length % block !== block - block / 8) bytes.push(0);
  const bytesOfLength = Array.from({ length: block / 8 }, (_, i) =>
    Number((BigInt(8 * length) >> BigInt(8 * i)) & 255n),
  );
  return [...bytes, ...bytesOfLength.reverse()];
}

const compression =
  <L>(w: Sha2Words<number, L>, size: Size): Compression<number, L> =>
  (state, block) =>
    compress(w, size, state, block);

/** The chaining value after whole blocks. */
function absorbed<L>(w: Sha2Words<number, L>, size: Size, initial: readonly L[], bytes: readonly number[]): L[] {
  const block = 2 * size.bits;
  let state = [...initial];
  for (let at = 0; at < bytes.length; at += block) state = compress(w, size, state, bytes.slice(at, at + block));
  return state;
}

function hash<L>(w: Sha2Words<number, L>, { size, initial, end }: Hash, message: readonly number[]): number[] {
  const state = initial.map((x) => w.word(x));
  return bytesOf(w, absorbed(w, size, state, padded(size, message, message.length))).slice(0, end);
}

/** HMAC under a key of at most a block, and its block of the outer hash. */
function hmac<L>(w: Sha2Words<number, L>, { size, initial, end }: Hash, key: readonly number[]) {
  const block = 2 * size.bits;
  const keyBlock = Array.from({ length: block }, (_, i) => key[i] ?? 0);
  const pad = (bytes: readonly number[], x: number): number[] => bytes.map((byte) => byte ^ x);
  const words = initial.map((x) => w.word(x));
  const { inner, outer, outerBlock } = keyed(compression(w, size), words, keyBlock, pad);
  expect(outerBlock).toEqual(pad(keyBlock, 0x5c));
  const rest = padded(size, new Array<number>(end).fill(0), block + end);
  return {
    of: (message: readonly number[]): number[] => {
      const state = absorbed(w, size, inner, padded(size, message, block + message.length));
      const result = outerHash(w, compression(w, size), { inner: state, outer, block: rest, end });
      expect(result.block).toEqual([...bytesOf(w, result.value).slice(0, end), ...rest.slice(end)]);
      return result.block.slice(0, end);
    },
  };
}

const counted = (length: number): number[] => Array.from({ length }, (_, i) => (7 * i + length) & 255);
const bytes = (numbers: readonly number[]): Buffer => Buffer.from(numbers);

describe.each(Object.entries(HASHES))('%s as in node:crypto', (name, its) => {
  it.each([0, 1, 55, 56, 63, 64, 111, 112, 128, 300])('%i bytes', (length) => {
    const message = counted(length);
    const expected = [...createHash(name).update(bytes(message)).digest()];
    expect(hash(long(its.size.bits), its, message)).toEqual(expected);
    if (its.size === SHA512) expect(hash(halves, its, message)).toEqual(expected);
  });

  it.each([0, 1, 100])('HMAC of %i bytes', (length) => {
    const [key, message] = [counted(20), counted(length)];
    const expected = [...createHmac(name, bytes(key)).update(bytes(message)).digest()];
    expect(hmac(long(its.size.bits), its, key).of(message)).toEqual(expected);
    if (its.size === SHA512) expect(hmac(halves, its, key).of(message)).toEqual(expected);
  });

  it('iterations of PBKDF2', () => {
    const [password, salt] = [counted(9), counted(16)];
    const { of } = hmac(long(its.size.bits), its, password);
    let last = of([...salt, 0, 0, 0, 1]);
    let sum = last;
    for (let i = 1; i < 3; i++) {
      last = of(last);
      sum = sum.map((byte, k) => byte ^ last[k]);
    }
    expect(sum).toEqual([...pbkdf2Sync(bytes(password), bytes(salt), 3, its.end, name)]);
  });
});

it('has Ch and Maj as FIPS 180-4 §4.1.2 and §4.1.3 have them, in all eight rows', () => {
  for (let row = 0; row < 8; row++) {
    const [x, y, z] = [row >> 2, (row >> 1) & 1, row & 1];
    expect((x & (y ^ z)) ^ z).toBe((x & y) ^ ((x ^ 1) & z));
    expect(((x ^ y) & z) ^ (x & y)).toBe((x & y) ^ (x & z) ^ (y & z));
  }
});

it('has halves of words of 64 bits: and, and shifts by less than 32', () => {
  const valueOf = ([low, high]: Halves<number>): bigint => (BigInt(high) << 32n) | BigInt(low);
  const edges = [0n, 1n, 0x80000000n, 0xffffffffn, 1n << 32n, (1n << 63n) - 1n, (1n << 64n) - 1n];
  const random = Array.from({ length: 40 }, (_, i) => BigInt.asUintN(64, 0x9e3779b97f4a7c15n * BigInt(i * i + 1)));
  for (const x of [...edges, ...random]) {
    for (const y of edges) expect(valueOf(halves.and(halves.word(x), halves.word(y)))).toBe(x & y);
    for (const count of [1, 6, 7, 31]) expect(valueOf(halves.shr(halves.word(x), count))).toBe(x >> BigInt(count));
  }
});

describe('the specification', () => {
  itCoversItsSpecifications('sha2/specification');
});
