/**
 * Terms: expressions over variables, of 8, 32 or 64 bits, that are interned: equal terms are the same object (`===`).
 * Constructors bring them to a normal form, so that many ways to write the same function end in one object. Two
 * different objects may still be the same function, but one object is never two different functions.
 *
 * Comparisons give words (32 bits) of value 0 or 1, as WebAssembly's do. All numbers count modulo 2^width, so they may
 * be signed or unsigned. Parts are little-endian: the first is the least significant. Bytes have no arithmetic and no
 * shifts; `zeroExtend` makes words of them.
 */
import { byteOf, bytesOf, concatenation } from './bytes.ts';
import { equal, negation, zeroExtendByte } from './comparisons.ts';
import * as masks from './masks.ts';
import { Kind, narrow, numberOf, requireWidth, type Term, type Width } from './node.ts';
import * as shifts from './shifts.ts';
import * as sums from './sums.ts';
import * as wide from './wide.ts';
import * as xors from './xors.ts';

export { forgetTerms, numberOf, Term, variable, type Width } from './node.ts';
export { carry, equal, isZero, ite, less, lessSigned, negation } from './comparisons.ts';
export { evaluate, evaluateAll, secretsOf, variablesOf, type Assignment } from './evaluate.ts';
export { describe, toSmt, type Smt } from './smt.ts';

export function constant(width: Width, value: number | bigint): Term {
  if (width === 64) return wide.wide(BigInt(value));
  return narrow(width, typeof value === 'bigint' ? Number(BigInt.asUintN(width, value)) : value);
}

/** The unsigned value of a constant: a number for 8 and 32 bits, a bigint for 64; `undefined` for all other terms. */
export const valueOf = (x: Term): number | bigint | undefined => (x.width === 64 ? wide.bigintOf(x) : numberOf(x));

export const nameOf = (variable: Term): string => variable.name;

type Binary = (x: Term, y: Term) => Term;

/** Combines the operation for words with the one for 64 bits. */
const byWidth =
  (word: Binary, long: Binary): Binary =>
  (x, y) => {
    requireWidth(y, x.width);
    return x.width === 64 ? long(x, y) : word(x, y);
  };

export const add = byWidth(sums.add, wide.wideAdd);
export const sub = byWidth(sums.sub, wide.wideSub);
export const mul = byWidth(sums.mul, wide.wideMul);
export const and = byWidth(masks.and, wide.wideAnd);
export const or = byWidth(masks.or, wide.wideOr);
export const xor = byWidth(xors.xor, wide.wideXor);
export const neg = (x: Term): Term => (x.width === 64 ? wide.wideNeg(x) : sums.neg(x));
export const not = (x: Term): Term => (x.width === 64 ? wide.wideXor(x, constant(64, -1)) : xors.not(x));

type Shift = (x: Term, count: number) => Term;

/** A shift whose count is a number or a term of the width of `x`, and is taken modulo that width, as in WebAssembly. */
const shift =
  (word: Shift, long: Shift, by: shifts.ShiftBy) =>
  (x: Term, count: Term | number): Term => {
    const value = typeof count === 'number' ? count : valueOf(count);
    if (value === undefined) return shifts.shiftBy(by, x, count as Term);
    return (x.width === 64 ? long : word)(x, Number(BigInt.asUintN(6, BigInt(value))));
  };

export const shl = shift(shifts.shl, wide.wideShl, Kind.SHL_BY);
export const shr_u = shift(shifts.shr_u, wide.wideShrU, Kind.SHR_U_BY);
export const shr_s = shift(shifts.shr_s, wide.wideShrS, Kind.SHR_S_BY);
export const rotl = shift(shifts.rotl, wide.wideRotl, Kind.ROTL_BY);
export const rotr = (x: Term, count: Term | number): Term => rotl(x, typeof count === 'number' ? -count : neg(count));

/** The concatenation of parts: four bytes are a word; two words or eight bytes are 64 bits. */
export function concat(...parts: readonly Term[]): Term {
  if (parts.length === 4) return concatenation(parts[0], parts[1], parts[2], parts[3]);
  if (parts.length === 2) return wide.pair(parts[0], parts[1]);
  if (parts.length === 8) return wide.pair(concat(...parts.slice(0, 4)), concat(...parts.slice(4)));
  throw new Error(`${parts.length} parts make up neither a word nor 64 bits`);
}

/** The part of `width` bits with this index: byte 3 is the highest byte of a word, word 1 the high word of 64 bits. */
export function extract(x: Term, width: Width, index: number): Term {
  if (index < 0 || index >= x.width / width) throw new Error(`there is no part ${index} of ${width} bits`);
  if (width === x.width) return x;
  if (width === 32) return wide.wordOf(x, index);
  return x.width === 64 ? byteOf(wide.wordOf(x, index >> 2), index & 3) : byteOf(x, index);
}

/** All parts of this width, the least significant first. */
export function parts(x: Term, width: Width): Term[] {
  if (width === x.width) return [x];
  if (x.width === 32) return bytesOf(x);
  const words = [wide.wordOf(x, 0), wide.wordOf(x, 1)];
  return width === 32 ? words : words.flatMap(bytesOf);
}

export function zeroExtend(x: Term, width: Width): Term {
  if (width === x.width) return x;
  if (width < x.width) throw new Error('an extension to fewer bits');
  return width === 64 ? wide.pair(zeroExtend(x, 32), narrow(32, 0)) : zeroExtendByte(x);
}

export function signExtend(x: Term, width: Width): Term {
  if (width === x.width) return x;
  if (width < x.width) throw new Error('an extension to fewer bits');
  if (width === 32) return shifts.shr_s(shifts.shl(zeroExtendByte(x), 24), 24);
  const word = signExtend(x, 32);
  return wide.pair(word, shifts.shr_s(word, 31));
}

export const notEqual = (x: Term, y: Term): Term => negation(equal(x, y));
