/** The words of each column and of each diagonal in a state of four rows of four words. RFC 8439 §2.3, BLAKE3 §2.2 */
import type { Quad } from './machine.ts';

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
