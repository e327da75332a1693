/** ChaCha, as RFC 8439 draws it. */
import type { Words } from './words.ts';

/** Which words each quarter round of a double round takes: four columns, then four diagonals. RFC 8439 §2.3 */
export { columns, diagonals } from './square.ts';

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
export const WORDS = 16;
/** The word of the block counter; the original ChaCha has the counter's upper half in the word after it. */
export const COUNTER = 12;

/** The first row: "expand 32-byte k", and in the original ChaCha for keys of 128 bits "expand 16-byte k". */
export const SIGMA: readonly number[] = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574];
export const TAU: readonly number[] = [0x61707865, 0x3120646e, 0x79622d36, 0x6b206574];
