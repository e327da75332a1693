// The specifications' algebra on terms, whose results are compared with those of kernels.
import * as terms from '../terms/term.ts';
import type { Term } from '../terms/term.ts';
import type { Algebra } from './algebra.ts';

export const symbols: Algebra<Term> = {
  word: (value) => terms.constant(32, value >>> 0),
  byte: (value) => terms.constant(8, value & 0xff),
  add: terms.add,
  xor: terms.xor,
  rotl: (x, count) => terms.rotl(x, count),
  fromBytes: (bytes) => terms.concat(...bytes),
  toBytes: (word) => terms.parts(word, 8),
};
