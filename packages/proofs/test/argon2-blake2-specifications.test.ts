/** The specifications that the kernels of BLAKE2 and Argon2 are proved against, run on numbers: against node:crypto, in 64 bits and in halves. */
import { itCoversItsSpecifications } from './specification-coverage.ts';
import { argon2Sync, createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { compress as compressBlocks, type ProductWords } from '../src/rooms/argon2/specification.ts';
import {
  BLAKE2B,
  BLAKE2S,
  bytesOf,
  compress,
  initialValue,
  wordsOf,
  type Size,
  type Words,
} from '../src/rooms/blake2/specification.ts';
import { doubledProductOver, halvesOver, type Halves } from '../src/rooms/blake2/words.ts';
import { integers, operations } from './word-numbers.ts';

const halves: ProductWords<number, Halves<number>> = {
  ...halvesOver(operations),
  doubledProduct: doubledProductOver(operations),
};

function hash<L>(w: Words<number, L>, size: Size, message: readonly number[], length = size.bits): Uint8Array {
  const block = 2 * size.bits;
  const parameters = Array.from({ length: size.bits }, (_, i) => (i === 0 ? length : i === 2 || i === 3 ? 1 : 0));
  let h = initialValue(w, size, wordsOf(w, size, parameters));
  const count = Math.max(1, Math.ceil(message.length / block));
  for (let i = 0; i < count; i++) {
    const bytes = Array.from({ length: block }, (_, k) => message[block * i + k] ?? 0);
    const isLast = i === count - 1;
    h = compress(w, size, h, bytes, BigInt(isLast ? message.length : block * (i + 1)), isLast);
  }
  return Uint8Array.from(bytesOf(w, h).slice(0, length));
}
const counted = (length: number): number[] => Array.from({ length }, (_, i) => (7 * i + length) & 255);

describe('BLAKE2', () => {
  it.each([0, 1, 64, 65, 127, 128, 129, 300])('%i bytes as in node:crypto', (length) => {
    const message = counted(length);
    const expected = (name: string): Uint8Array =>
      new Uint8Array(createHash(name).update(Uint8Array.from(message)).digest());
    expect(hash(integers(64), BLAKE2B, message)).toEqual(expected('blake2b512'));
    expect(hash(halves, BLAKE2B, message)).toEqual(expected('blake2b512'));
    expect(hash(integers(32), BLAKE2S, message)).toEqual(expected('blake2s256'));
  });
});

describe('halves', () => {
  const EDGES = [
    0n,
    1n,
    0xffffn,
    0x10000n,
    0x7fffffffn,
    0x80000000n,
    0xffffffffn,
    1n << 32n,
    (1n << 63n) - 1n,
    (1n << 64n) - 1n,
  ];
  const random = Array.from({ length: 60 }, (_, i) => BigInt.asUintN(64, 0x9e3779b97f4a7c15n * BigInt(i * i + 1)));
  const all = [...EDGES, ...random];
  const valueOf = ([low, high]: Halves<number>): bigint => (BigInt(high) << 32n) | BigInt(low);
  const long = integers(64);

  it('are words of 64 bits: sums, products, rotations', () => {
    for (const x of all)
      for (const y of all) {
        const [a, b] = [halves.word(x), halves.word(y)];
        expect(valueOf(halves.add(a, b))).toBe(long.add(x, y));
        expect(valueOf(halves.xor(a, b))).toBe(long.xor(x, y));
        expect(valueOf(halves.doubledProduct(a, b))).toBe(long.doubledProduct(x, y));
      }
    for (const x of all)
      for (const count of [16, 24, 32, 63])
        expect(valueOf(halves.rotr(halves.word(x), count))).toBe(long.rotr(x, count));
  });
});

describe('Argon2', () => {
  /** RFC 9106 §3.3, for 1024 bytes and for 32. */
  const variableHash = (bytes: readonly number[], length: 32 | 1024): number[] => {
    const prefixed = [...operations.toBytes(length), ...bytes];
    if (length === 32) return [...hash(integers(64), BLAKE2B, prefixed, 32)];
    let v = [...hash(integers(64), BLAKE2B, prefixed)];
    const taken = v.slice(0, 32);
    for (let i = 1; i < 30; i++) taken.push(...(v = [...hash(integers(64), BLAKE2B, v)]).slice(0, 32));
    return [...taken, ...hash(integers(64), BLAKE2B, v)];
  };

  // Argon2d of eight blocks in one pass: each of the last six is G of the one before and one that it chooses.
  it.each([integers(64), halves] as ProductWords<number, never>[])(
    'G, in a whole derivation as in node:crypto',
    (w) => {
      const [password, salt] = [counted(9), counted(16)];
      const le = (...words: number[]): number[] => words.flatMap((word) => operations.toBytes(word));
      const inputs = [...le(1, 32, 8, 1, 0x13, 0), ...le(9), ...password, ...le(16), ...salt, ...le(0, 0)];
      const h0 = [...hash(integers(64), BLAKE2B, inputs)];
      const blocks = [0, 1].map((column) => variableHash([...h0, ...le(column, 0)], 1024));
      for (let i = 2; i < 8; i++) {
        const j1 = BigInt(operations.fromBytes(blocks[i - 1].slice(0, 4)));
        const area = BigInt(i - 1);
        const z = area - 1n - ((area * ((j1 * j1) >> 32n)) >> 32n);
        blocks.push(compressBlocks(w, blocks[i - 1], blocks[Number(z)]));
      }
      const expected = argon2Sync('argon2d', {
        message: Uint8Array.from(password),
        nonce: Uint8Array.from(salt),
        memory: 8,
        passes: 1,
        parallelism: 1,
        tagLength: 32,
      });
      expect(variableHash(blocks[7], 32)).toEqual([...expected]);
    },
  );
});

describe('the specifications', () => {
  itCoversItsSpecifications('blake2/specification', 'argon2/specification');
});
