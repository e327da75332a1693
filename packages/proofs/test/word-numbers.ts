/** Words that specifications compute with, as numbers. */
import type { ProductWords } from '../src/rooms/argon2/specification.ts';
import type { HalfOperations } from '../src/rooms/blake2/words.ts';

/** Words of 32 or 64 bits as integers. */
export const integers = (bits: 32 | 64): ProductWords<number, bigint> => {
  const cut = (x: bigint): bigint => BigInt.asUintN(bits, x);
  return {
    word: cut,
    add: (x, y) => cut(x + y),
    xor: (x, y) => x ^ y,
    rotr: (x, count) => cut((x >> BigInt(count)) | (x << BigInt(bits - count))),
    fromBytes: (bytes) => bytes.reduceRight((all, byte) => (all << 8n) | BigInt(byte), 0n),
    toBytes: (word) => Array.from({ length: bits / 8 }, (_, i) => Number((word >> BigInt(8 * i)) & 0xffn)),
    doubledProduct: (x, y) => cut(2n * BigInt.asUintN(32, x) * BigInt.asUintN(32, y)),
  };
};
/** The operations on halves of words. */
export const operations: HalfOperations<number> = {
  word: (value) => value >>> 0,
  add: (x, y) => (x + y) >>> 0,
  mul: (x, y) => Math.imul(x, y) >>> 0,
  xor: (x, y) => (x ^ y) >>> 0,
  and: (x, y) => (x & y) >>> 0,
  or: (x, y) => (x | y) >>> 0,
  not: (x) => ~x >>> 0,
  shl: (x, count) => (x << count) >>> 0,
  shr: (x, count) => x >>> count,
  fromBytes: (bytes) => bytes.reduceRight((all, byte) => ((all << 8) | byte) >>> 0, 0),
  toBytes: (word) => [0, 8, 16, 24].map((shift) => (word >>> shift) & 255),
};
