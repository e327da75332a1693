/**
 * A core: the differences between ChaCha and Salsa20, whose block functions turn constants, key, counter and nonce into 64
 * bytes.
 */
import type { FeedingWords, Quad, Words } from '../words/machine.ts';

/** Words of a block. */
export const WORDS = 16;

export interface Core {
  quarterRound<R>(w: Words<R> & FeedingWords<R>, a: R, b: R, c: R, d: R): void;
  /** Which words of the block the quarter rounds take: those of a first round, then those of a second. */
  readonly doubleRound: readonly [readonly Quad[], readonly Quad[]];
  /**
   * ChaCha and Salsa20 place constants, key and nonce differently in the block, and agree on everything else. So the input is
   * kept in an order of its own, four rows of four words: the constants, the key in two rows, counter and nonce. This says
   * which word of the input each word of the block is.
   */
  readonly inputOf: readonly number[];
  /** The input word where the counter of 64 bits starts, and that of the nonce's last 64 bits: 12 and 14, or 14 and 12. */
  readonly counter: number;
  readonly nonce: number;
  /** By how many bits to the left its quarter round rotates by whole bytes: in vectors one permutation each. */
  readonly byteRotations: readonly number[];
}

/** The constants: "expand 32-byte k", and for keys of 128 bits "expand 16-byte k". */
export const SIGMA: readonly number[] = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574];
export const TAU: readonly number[] = [0x61707865, 0x3120646e, 0x79622d36, 0x6b206574];
