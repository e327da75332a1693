/**
 * The domain of i64 values in the executor. i32 and v128 are always terms (a v128 is four words); values of type i64
 * belong to one of two domains: terms of 64 bits, or integer polynomials.
 *
 * Memory, locals of type i32 and the lanes of vectors hold terms only. So a domain converts values to words and words
 * to values; a domain whose values carry more than their words remembers the words that it made from each value.
 */
import type { Term } from '../terms/term.ts';

export interface Integers64<V> {
  /** i64.const; 0 <= value < 2^64. Locals start as constant(0n). */
  constant(value: bigint): V;
  /** The unsigned value of a constant; `undefined` for all other values. */
  constantOf(x: V): bigint | undefined;
  /** Whether the value depends on a secret. */
  isSecret(x: V): boolean;

  /** i64.extend_i32_u, i64.load32_u */
  extend_i32_u(word: Term): V;
  /** i32.wrap_i64, i64.store32: the low 32 bits. */
  wrap(x: V): Term;
  /** The two words of a value, low first: i64.store, i64x2.splat. */
  words(x: V): readonly [low: Term, high: Term];
  /** i64.load, i64x2.extract_lane, f64x2.extract_lane */
  fromWords(low: Term, high: Term): V;

  add(x: V, y: V): V;
  sub(x: V, y: V): V;
  mul(x: V, y: V): V;
  and(x: V, y: V): V;
  or(x: V, y: V): V;
  xor(x: V, y: V): V;
  /** Shifts: the count is a value too, and is taken modulo 64. */
  shl(x: V, count: V): V;
  shr_u(x: V, count: V): V;
  rotl(x: V, count: V): V;
  rotr(x: V, count: V): V;

  /** Comparisons return words of value 0 or 1. */
  eqz(x: V): Term;
  eq(x: V, y: V): Term;
  /** x < y, unsigned. */
  lt_u(x: V, y: V): Term;
}
