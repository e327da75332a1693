// The operations of Serpent and OCB on numbers.
import { numbers } from '../../specifications/algebra.ts';
import { reversed, type Doubling } from './ocb-specification.ts';
import type { Nibbles } from './specification.ts';

/** A number of 128 bits from a block of words, and back. */
const numberOf = (block: readonly number[]): bigint =>
  block.reduce((n, word) => (n << 32n) | BigInt(reversed(numbers, word)), 0n);
const blockOf = (number: bigint): number[] =>
  [96n, 64n, 32n, 0n].map((shift) => reversed(numbers, Number((number >> shift) & 0xffffffffn)));

export const serpentNumbers: Nibbles<number> & Doubling<number> = {
  ...numbers,
  shl: (x, count) => (x << count) >>> 0,
  substitute: (table, x) =>
    x.map((_, j) => {
      let word = 0;
      for (let bit = 0; bit < 32; bit++) {
        const nibble = x.reduce((n, part, i) => n | (((part >>> bit) & 1) << i), 0);
        word |= ((table[nibble] >> j) & 1) << bit;
      }
      return word >>> 0;
    }),
  double(block) {
    const number = numberOf(block);
    return blockOf((number << 1n) ^ (number >> 127n ? 135n : 0n));
  },
  window: (bytes, bottom) => blockOf(bytes.reduce((n, byte) => (n << 8n) | BigInt(byte), 0n) >> BigInt(64 - bottom)),
};
