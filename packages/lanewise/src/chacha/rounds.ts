/** ChaCha, as RFC 8439 draws it. */
import type { Core } from '../keystream/core.ts';
import { columns, diagonals } from '../words/square.ts';
import type { Words } from '../words/machine.ts';

/** RFC 8439 §2.1 */
export function quarterRound<R>(w: Words<R>, a: R, b: R, c: R, d: R): void {
  (w.add(a, b), w.xor(d, a), w.rotl(d, 16));
  (w.add(c, d), w.xor(b, c), w.rotl(b, 12));
  (w.add(a, b), w.xor(d, a), w.rotl(d, 8));
  (w.add(c, d), w.xor(b, c), w.rotl(b, 7));
}

/**
 * The state, RFC 8439 §2.3:
 *
 *     constants  constants  constants  constants
 *     key        key        key        key
 *     key        key        key        key
 *     counter    nonce      nonce      nonce        (original: counter counter nonce nonce)
 */
export const chacha: Core = {
  quarterRound,
  doubleRound: [columns, diagonals],
  inputOf: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  counter: 12,
  nonce: 14,
  byteRotations: [16, 8],
  multiplied: 7,
};
