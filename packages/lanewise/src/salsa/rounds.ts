/** Salsa20, as "Salsa20 specification" (D. J. Bernstein, 2005) draws it. */
import type { Core } from '../keystream/core.ts';
import type { FeedingWords, Quad } from '../words/machine.ts';

/** §3, of y0, y1, y2, y3. */
export function quarterRound<R>(w: FeedingWords<R>, a: R, b: R, c: R, d: R): void {
  w.xorRotatedSum(b, a, d, 7);
  w.xorRotatedSum(c, b, a, 9);
  w.xorRotatedSum(d, c, b, 13);
  w.xorRotatedSum(a, d, c, 18);
}

/** §5, the column round: each column from its word on the diagonal down. */
const columns: readonly Quad[] = [
  [0, 4, 8, 12],
  [5, 9, 13, 1],
  [10, 14, 2, 6],
  [15, 3, 7, 11],
];
/** §4, the row round: each row from its word on the diagonal to the right. */
const rows: readonly Quad[] = [
  [0, 1, 2, 3],
  [5, 6, 7, 4],
  [10, 11, 8, 9],
  [15, 12, 13, 14],
];

/**
 * The input of the expansion function, §9:
 *
 *     constant  key       key       key
 *     key       constant  nonce     nonce
 *     counter   counter   constant  key
 *     key       key       key       constant
 *
 * In HSalsa20 the words 6 to 9 are the first 16 bytes of a long nonce ("Extending the Salsa20 nonce", 2011, §2), so that is
 * the order of the input's last row.
 */
export const salsa: Core = {
  quarterRound,
  doubleRound: [columns, rows],
  inputOf: [0, 4, 5, 6, 7, 1, 12, 13, 14, 15, 2, 8, 9, 10, 11, 3],
  counter: 14,
  nonce: 12,
  byteRotations: [],
};
