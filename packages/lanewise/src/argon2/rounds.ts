/** The permutation P of Argon2, as RFC 9106 §3.6 writes it: a round of BLAKE2b without a message, with products in its sums. */
import type { Words } from '../words/machine.ts';

/** Which words each GB of P takes: four columns, then four diagonals. §3.6 */
export { columns, diagonals } from '../words/square.ts';

/** Words of 64 bits with the one operation that BLAKE2b lacks. */
export interface ProductWords<R> extends Words<R> {
  /** destination += source + 2·lo(destination)·lo(source) (mod 2^64), where lo is the low half of a word. */
  addProduct(destination: R, source: R): void;
}

/** GB. §3.6 */
export function mix<R>(w: ProductWords<R>, a: R, b: R, c: R, d: R): void {
  const right = (word: R, count: number): void => w.rotl(word, 64 - count);
  (w.addProduct(a, b), w.xor(d, a), right(d, 32));
  (w.addProduct(c, d), w.xor(b, c), right(b, 24));
  (w.addProduct(a, b), w.xor(d, a), right(d, 16));
  (w.addProduct(c, d), w.xor(b, c), right(b, 63));
}

/** §3.1: a block is a matrix of 8 rows of 16 words. */
export const BLOCK_BYTES = 1024;
export const ROWS = 8;
/** The sixteen words that P takes are eight registers of 16 bytes. §3.5, Figure 15 */
export const REGISTER_BYTES = 16;
export const ROW_BYTES: number = 8 * REGISTER_BYTES;
