/**
 * A core: the differences between ChaCha and Salsa20, whose block functions turn constants, key, counter and nonce into 64
 * bytes.
 */
import type { FeedingWords, Quad, Words } from '../words/machine.ts';

/** Words of a block. */
export const WORDS = 16;

export interface Core {
  quarterRound<R>(w: Words<R> & FeedingWords<R>, a: R, b: R, c: R, d: R): void;
  /** The words of the block that the quarter rounds take: in the first round of a double round, then in the second. */
  readonly doubleRound: readonly [readonly Quad[], readonly Quad[]];
  /**
   * ChaCha and Salsa20 place constants, key and nonce differently in the block, and agree on everything else. So the input is
   * kept in an order of its own, four rows of four words: the constants, the key in two rows, counter and nonce. This
   * table has, for each word of the block, its word of the input.
   */
  readonly inputOf: readonly number[];
  /** The input word where the counter of 64 bits starts, and that of the nonce's last 64 bits: 12 and 14, or 14 and 12. */
  readonly counter: number;
  readonly nonce: number;
  /** The rotations of the quarter round by whole bytes, in bits to the left: in vectors each is one permutation. */
  readonly byteRotations: readonly number[];
  /** Of its other rotations, the one whose left shift may be a multiplication: see wasm/left-shift.ts */
  readonly multiplied?: number;
}

/** The constants: "expand 32-byte k", and for keys of 128 bits "expand 16-byte k". */
export const SIGMA: readonly number[] = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574];
export const TAU: readonly number[] = [0x61707865, 0x3120646e, 0x79622d36, 0x6b206574];
