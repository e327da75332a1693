/** ChaCha, as RFC 8439 draws it. */
import type { Quad, Words } from './words.ts';

/** RFC 8439 §2.1 */
export function quarterRound<R>(w: Words<R>, a: R, b: R, c: R, d: R): void {
  (w.add(a, b), w.xor(d, a), w.rotl(d, 16));
  (w.add(c, d), w.xor(b, c), w.rotl(b, 12));
  (w.add(a, b), w.xor(d, a), w.rotl(d, 8));
  (w.add(c, d), w.xor(b, c), w.rotl(b, 7));
}

/** Which words each quarter round of a double round takes. RFC 8439 §2.3 */
export const columns: readonly Quad[] = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
];
export const diagonals: readonly Quad[] = [
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
];
export const doubleRound: readonly Quad[] = [...columns, ...diagonals];

/**
 * The state, RFC 8439 §2.3:
 *
 *     constants  constants  constants  constants
 *     key        key        key        key
 *     key        key        key        key
 *     counter    nonce      nonce      nonce        (original: counter counter nonce nonce)
 */
export const WORDS = 16;
/** The word of the block counter; the original ChaCha has the counter's upper half in the word after it. */
export const COUNTER = 12;

/** The first row for keys of 256 and, in the original ChaCha, of 128 bits. */
export const SIGMA = 'expand 32-byte k';
export const TAU = 'expand 16-byte k';
