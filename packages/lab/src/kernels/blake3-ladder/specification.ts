/** Shared by all steps: the constants of the paper ("BLAKE3: one function, fast everywhere", 2021, §2), and the digest. */
import { IV as words, schedule } from '../../../../lanewise/src/blake3/rounds.ts';

export {
  BLOCK_BYTES,
  CHUNK as CHUNK_BYTES,
  CHUNK_END,
  CHUNK_START,
  PARENT,
  ROOT,
} from '../../../../lanewise/src/blake3/rounds.ts';

/** Table 1. */
export const IV: Uint32Array = Uint32Array.from(words);
/** Table 2: how the words of a block change places from round to round. */
export const PERMUTATION: readonly number[] = schedule[1];
export const ROUNDS = 7;
/** Words of a chaining value, and of a block. */
export const CV_WORDS = 8;
export const BLOCK_WORDS = 16;

/** The first eight words as bytes, little-endian. */
export function digestOf(root: Uint32Array): Uint8Array {
  const digest = new Uint8Array(4 * CV_WORDS);
  for (let i = 0; i < digest.length; i++) digest[i] = root[i >> 2] >>> (8 * (i & 3));
  return digest;
}
