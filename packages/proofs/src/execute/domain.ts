/**
 * What an i64 is to the executor. i32 and v128 are always terms (a v128 four words); values of type i64 belong to a
 * domain, of which there are two: terms of 64 bits, and integer polynomials.
 *
 * Memory, locals of type i32 and the lanes of vectors hold terms only. So a domain says how a value becomes words and
 * how words become a value; a domain that can do more with a value than its words tell remembers which words it gave
 * for it.
 */
import type { Term } from '../terms/term.ts';

export interface Integers64<V> {
  /** i64.const; 0 <= value < 2^64. Locals start as constant(0n). */
  constant(value: bigint): V;
  /** The constant that a value is, unsigned; `undefined` if it is none. */
  constantOf(x: V): bigint | undefined;
  /** Whether it depends on a secret. */
  isSecret(x: V): boolean;

  /** i64.extend_i32_u, i64.load32_u */
  extend_i32_u(word: Term): V;
  /** i32.wrap_i64, i64.store32: the low 32 bits. */
  wrap(x: V): Term;
  /** Both words, low first: i64.store, i64x2.splat. */
  words(x: V): readonly [low: Term, high: Term];
  /** i64.load, i64x2.extract_lane */
  fromWords(low: Term, high: Term): V;

  add(x: V, y: V): V;
  sub(x: V, y: V): V;
  mul(x: V, y: V): V;
  and(x: V, y: V): V;
  or(x: V, y: V): V;
  xor(x: V, y: V): V;
  /** Counts are values too; modulo 64. */
  shl(x: V, count: V): V;
  shr_u(x: V, count: V): V;
  rotl(x: V, count: V): V;
  rotr(x: V, count: V): V;

  /** Words of value 0 or 1. */
  eqz(x: V): Term;
  eq(x: V, y: V): Term;
  /** x < y, unsigned. */
  lt_u(x: V, y: V): Term;
}
