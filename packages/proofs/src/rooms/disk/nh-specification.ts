// NH: "Adiantum: length-preserving encryption for entry-level processors" (P. Crowley, E. Biggers, 2018), §6.3.
import { wordsOf, type Algebra } from '../../specifications/algebra.ts';

/** An algebra of words and of integers modulo 2^64. */
export interface Longs<W, L> extends Algebra<W> {
  readonly zero: L;
  /** The product of two words. */
  product(x: W, y: W): L;
  sum(x: L, y: L): L;
  /** The eight bytes of an integer, little-endian. */
  bytesOfLong(x: L): W[];
}

const PASSES = [0, 1, 2, 3];

/**
 * The hash of up to 1024 bytes in units of 16, with a key of 1072 bytes: four passes, whose keys start 16 bytes apart.
 */
export function nh<W, L>(w: Longs<W, L>, key: readonly W[], message: readonly W[]): W[] {
  const [m, k] = [wordsOf(w, message), wordsOf(w, key)];
  return PASSES.flatMap((pass) => {
    let sum = w.zero;
    for (let i = 0; i < m.length; i += 4) {
      const [a, b, c, d] = [0, 1, 2, 3].map((j) => w.add(m[i + j], k[4 * pass + i + j]));
      sum = w.sum(w.sum(sum, w.product(a, c)), w.product(b, d));
    }
    return w.bytesOfLong(sum);
  });
}
