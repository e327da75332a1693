/**
 * AES with keys of 256 bits, FIPS 197, on bit slices: value i holds bit i of every byte of the state, for as many blocks as
 * fit. So there is no table, and the time depends on no byte's value.
 *
 * The S-box here is without its constant 0x63, which ShiftRows and MixColumns take to itself: the round keys have it.
 */
import { SUBSTITUTE } from './circuit.ts';

/** The abstract machine over which the rounds are written: `V` is a backend's slice. */
export interface Slices<V> {
  xor(x: V, y: V): V;
  and(x: V, y: V): V;
  /** Moves the bytes of row r + count (mod 4) to row r of the same column. */
  rotateRows(x: V, count: number): V;
}

/** The bits of a byte; slice 0 has the lowest. */
export const BITS = 8;
/** Nr of §5. */
export const ROUNDS = 14;
/** Words of the key, and of a block: Nk and Nb of §5. */
export const KEY_WORDS = 8;
export const BLOCK_WORDS = 4;
export const BLOCK = 16;
/** The constant of the S-box, §5.1.1, in all bytes of a word. */
export const CONSTANT = 0x63636363;

type Logic<V> = Pick<Slices<V>, 'xor' | 'and'>;

/** The S-box without its constant. §5.1.1 */
export function substitute<V>({ xor, and }: Logic<V>, x: readonly V[]): V[] {
  const values: Record<string, V> = {};
  // The paper numbers bits from the highest.
  x.forEach((value, i) => (values[`x${BITS - 1 - i}`] = value));
  for (const [, to, left, gate, right] of SUBSTITUTE.matchAll(/(\w+)=(\w+)([&^])(\w+)/g))
    values[to] = (gate === '&' ? and : xor)(values[left], values[right]);
  return x.map((_, i) => values[`s${BITS - 1 - i}`]);
}

/**
 * The inverse of the linear part of §5.1.1, in which bit i of the result is the sum of bits i + 2, i + 5 and i + 7.
 *
 * The S-box is S = M·I, that matrix after the inverse in GF(2^8), which is its own inverse. So the inverse of the S-box is
 * I·M' = M'·S·M', with M' for the inverse of M: this, the S-box, and this again.
 */
export const unmixBits = <V>({ xor }: Logic<V>, x: readonly V[]): V[] =>
  x.map((_, i) => xor(xor(x[(i + 2) % BITS], x[(i + 5) % BITS]), x[(i + 7) % BITS]));

/** xtimes of §4.2: by x modulo x^8 + x^4 + x^3 + x + 1. */
const doubled = <V>({ xor }: Logic<V>, x: readonly V[]): V[] =>
  x.map((_, i) => (i === 0 ? x[7] : [1, 3, 4].includes(i) ? xor(x[i - 1], x[7]) : x[i - 1]));

/**
 * MixColumns, §5.1.3: each byte becomes 2·d + the byte below + d of two rows further, where d is the sum of a byte and
 * the byte below.
 */
export function mixColumns<V>(slices: Slices<V>, x: readonly V[]): V[] {
  const below = x.map((slice) => slices.rotateRows(slice, 1));
  const sums = x.map((slice, i) => slices.xor(slice, below[i]));
  return doubled(slices, sums).map((slice, i) =>
    slices.xor(slices.xor(slice, below[i]), slices.rotateRows(sums[i], 2)),
  );
}

/** InvMixColumns, §5.3.3, is MixColumns after this: to each byte is added four times its sum with the byte two rows on. */
export function spread<V>(slices: Slices<V>, x: readonly V[]): V[] {
  const sums = x.map((slice) => slices.xor(slice, slices.rotateRows(slice, 2)));
  const four = doubled(slices, doubled(slices, sums));
  return x.map((slice, i) => slices.xor(slice, four[i]));
}
