/** The compression functions of BLAKE2b and BLAKE2s, as RFC 7693 §3 writes them: one mixing function, two sizes of words. */
import type { Words } from '../words/machine.ts';

/** Which words of the work vector each G of a round takes: four columns, then four diagonals. §3.2 */
export { columns, diagonals } from '../words/square.ts';

/** The numbers in which the two functions differ. §2.1 */
export interface Size {
  readonly wordBytes: 4 | 8;
  readonly rounds: 10 | 12;
  /** R1 to R4, rotations to the right. */
  readonly rotations: readonly [number, number, number, number];
  /** The initial value, as words of 32 bits, the low word of each first. §2.6 */
  readonly iv: readonly number[];
}

/** G, with two words of the message. §3.1 */
export function mix<R extends S, S>(
  w: Words<R, S>,
  { wordBytes, rotations: [r1, r2, r3, r4] }: Size,
  a: R,
  b: R,
  c: R,
  d: R,
  x: S,
  y: S,
): void {
  const right = (word: R, count: number): void => w.rotl(word, 8 * wordBytes - count);
  // The message first: it waits for nothing, so only one addition is on the critical path.
  (w.add(a, x), w.add(a, b), w.xor(d, a), right(d, r1));
  (w.add(c, d), w.xor(b, c), right(b, r2));
  (w.add(a, y), w.add(a, b), w.xor(d, a), right(d, r3));
  (w.add(c, d), w.xor(b, c), right(b, r4));
}

/** The words of the message that the rounds take: G number j first word 2j, then word 2j + 1. §2.7 */
const SIGMA = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
  [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
  [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
  [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
  [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];
/** Rounds after the tenth begin again with the first permutation. §3.2 */
export const schedule = ({ rounds }: Size): readonly (readonly number[])[] =>
  Array.from({ length: rounds }, (_, round) => SIGMA[round % SIGMA.length]);

export const blake2bSize: Size = {
  wordBytes: 8,
  rounds: 12,
  rotations: [32, 24, 16, 63],
  iv: [
    0xf3bcc908, 0x6a09e667, 0x84caa73b, 0xbb67ae85, 0xfe94f82b, 0x3c6ef372, 0x5f1d36f1, 0xa54ff53a, 0xade682d1,
    0x510e527f, 0x2b3e6c1f, 0x9b05688c, 0xfb41bd6b, 0x1f83d9ab, 0x137e2179, 0x5be0cd19,
  ],
};
export const blake2sSize: Size = {
  wordBytes: 4,
  rounds: 10,
  rotations: [16, 12, 8, 7],
  iv: [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19],
};
