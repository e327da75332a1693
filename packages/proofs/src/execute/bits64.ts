/** Values of type i64 as terms of 64 bits. */
import * as terms from '../terms/term.ts';
import type { Term } from '../terms/term.ts';
import type { Integers64 } from './domain.ts';

export const bits64: Integers64<Term> = {
  constant: (value) => terms.constant(64, value),
  constantOf: (x) => terms.valueOf(x) as bigint | undefined,
  isSecret: (x) => x.secret,
  extend_i32_u: (word) => terms.zeroExtend(word, 64),
  wrap: (x) => terms.extract(x, 32, 0),
  words: (x) => [terms.extract(x, 32, 0), terms.extract(x, 32, 1)],
  fromWords: (low, high) => terms.concat(low, high),
  add: terms.add,
  sub: terms.sub,
  mul: terms.mul,
  and: terms.and,
  or: terms.or,
  xor: terms.xor,
  shl: terms.shl,
  shr_u: terms.shr_u,
  rotl: terms.rotl,
  rotr: terms.rotr,
  eqz: terms.isZero,
  eq: terms.equal,
  lt_u: terms.less,
};
