/** BLAKE3's compression function, as the paper draws it ("BLAKE3: one function, fast everywhere", 2021, §2.2). */
import type { Words } from '../words/machine.ts';

/** Which words of the state each G of a round takes: four columns, then four diagonals. */
export { columns, diagonals } from '../words/square.ts';

/** The mixing function G, with two words of the message. Rotations to the right by 16, 12, 8 and 7. */
export function mix<R extends S, S>(w: Words<R, S>, a: R, b: R, c: R, d: R, x: S, y: S): void {
  // The message first: it waits for nothing, so only one addition is on the critical path.
  (w.add(a, x), w.add(a, b), w.xor(d, a), w.rotl(d, 32 - 16));
  (w.add(c, d), w.xor(b, c), w.rotl(b, 32 - 12));
  (w.add(a, y), w.add(a, b), w.xor(d, a), w.rotl(d, 32 - 8));
  (w.add(c, d), w.xor(b, c), w.rotl(b, 32 - 7));
}

/** The message's words are permuted from round to round. Table 2 */
const PERMUTATION = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];
const ROUNDS = 7;

/** For each round, which word of the block G number j takes: first word 2j, then word 2j + 1. */
export const schedule: readonly (readonly number[])[] = Array.from({ length: ROUNDS - 1 }).reduce<number[][]>(
  (rounds) => [...rounds, PERMUTATION.map((i) => rounds[rounds.length - 1][i])],
  [Array.from({ length: 16 }, (_, i) => i)],
);

/** The first words of the fractional parts of the square roots of the first eight primes, as in SHA-256. Table 1 */
export const IV: readonly number[] = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];

/** The flags, §2.1 table 3. */
export const CHUNK_START = 1;
export const CHUNK_END = 2;
export const PARENT = 4;
export const ROOT = 8;
export const KEYED_HASH = 16;
export const DERIVE_KEY_CONTEXT = 32;
export const DERIVE_KEY_MATERIAL = 64;

export const BLOCK_BYTES = 64;
export const CHUNK = 1024;
