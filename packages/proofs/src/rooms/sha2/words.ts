// Words of SHA-2 as terms, and those of 64 bits in halves, as the text of the `js` engine computes them.
import * as terms from '../../terms/term.ts';
import type { Term } from '../../terms/term.ts';
import type { Words } from '../blake2/specification.ts';
import { halvesOver, longs, onTerms, shorts, type HalfOperations, type Halves } from '../blake2/words.ts';
import type { Sha2Words } from './specification.ts';

const masked = (words: Words<Term, Term>): Sha2Words<Term, Term> => ({
  ...words,
  and: terms.and,
  shr: (x, count) => terms.shr_u(x, count),
});
export const shortWords = masked(shorts);
export const longWords = masked(longs);

/** Words of 64 bits in halves. Shifts are by less than 32. */
export const sha2HalvesOver = <W>(w: HalfOperations<W>): Sha2Words<W, Halves<W>> => ({
  ...halvesOver(w),
  and: ([xLow, xHigh], [yLow, yHigh]) => [w.and(xLow, yLow), w.and(xHigh, yHigh)],
  shr: ([low, high], count) => [w.or(w.shr(low, count), w.shl(high, 32 - count)), w.shr(high, count)],
});
export const halfWords = sha2HalvesOver(onTerms);
