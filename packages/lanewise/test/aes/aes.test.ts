/** The circuits of AES's S-box against its definition, all 256 rows, and the columns against theirs. FIPS 197 */
import { describe, expect, it } from 'vitest';
import { BITS, CONSTANT, mixColumns, spread, substitute, unmixBits, type Slices } from '../../src/aes/rounds.ts';
import { sample } from '../support/bytes.ts';

/** §4.2: modulo x^8 + x^4 + x^3 + x + 1. */
function times(x: number, y: number): number {
  let product = 0;
  for (; y; y >>= 1, x = (x << 1) ^ (x & 0x80 ? 0x11b : 0)) if (y & 1) product ^= x;
  return product;
}
/** x^254 is 1/x, and 0 for 0. */
const inverse = (x: number): number => Array.from({ length: 254 }).reduce<number>((power) => times(power, x), 1);
/** §5.1.1 */
const box = (x: number): number =>
  [0, 1, 2, 3, 4].reduce((sum, i) => sum ^ (inverse(x) << i) ^ (inverse(x) >> (BITS - i)), 0x63) & 0xff;
const CONSTANT_BYTE = CONSTANT & 0xff;

const bits: Slices<number> = {
  xor: (x, y) => x ^ y,
  and: (x, y) => x & y,
  // A column of the table: bit r belongs to row r.
  rotateRows: (x, count) => ((x >> count) | (x << (4 - count))) & 15,
};
const slicesOf = (bytes: readonly number[]): number[] =>
  Array.from({ length: BITS }, (_, i) => bytes.reduce((slice, byte, r) => slice | (((byte >> i) & 1) << r), 0));
const bytesOf = (slices: readonly number[], count: number): number[] =>
  Array.from({ length: count }, (_, r) => slices.reduce((byte, slice, i) => byte | (((slice >> r) & 1) << i), 0));

describe('the S-box', () => {
  const rows = Array.from({ length: 256 }, (_, x) => x);

  it('is that of FIPS 197', () => {
    expect([0x00, 0x01, 0x53, 0xff].map(box)).toEqual([0x63, 0x7c, 0xed, 0x16]);
    expect(rows.map((x) => bytesOf(substitute(bits, slicesOf([x])), 1)[0] ^ CONSTANT_BYTE)).toEqual(rows.map(box));
  });

  it('is undone', () => {
    const undone = (x: number): number =>
      bytesOf(unmixBits(bits, substitute(bits, unmixBits(bits, slicesOf([box(x) ^ CONSTANT_BYTE])))), 1)[0];
    expect(rows.map(undone)).toEqual(rows);
  });
});

describe('columns', () => {
  /** §5.1.3 and §5.3.3: the first row of the matrix; the others are rotations of it. */
  const multiplied = (row: readonly number[], column: readonly number[]): number[] =>
    column.map((_, r) => row.reduce((sum, factor, i) => sum ^ times(column[(r + i) % 4], factor), 0));
  const columns = Array.from({ length: 64 }, (_, i) => [...sample(4, 300 + i)]);

  it.each(columns)('%i %i %i %i', (...column) => {
    const mixed = bytesOf(mixColumns(bits, slicesOf(column)), 4);
    expect(mixed).toEqual(multiplied([2, 3, 1, 1], column));
    const back = bytesOf(mixColumns(bits, spread(bits, slicesOf(column))), 4);
    expect(back).toEqual(multiplied([14, 11, 13, 9], column));
  });
});
