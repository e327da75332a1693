/**
 * The third step as the case study takes it: the round is written into the compression function, and G stays a function of
 * indices, which now finds its two words itself. Step 3 of the ladder writes out G as well.
 */
import { fullBlock, lastBlock } from './1-full-blocks.ts';
import { ORDER } from './2-permutations.ts';
import { BLOCK_BYTES, BLOCK_WORDS, CHUNK_END, CHUNK_START, CV_WORDS, digestOf, IV } from './specification.ts';
import { rootOf } from './tree-of-copies.ts';

const rotateRight = (x: number, count: number): number => (x >>> count) | (x << (32 - count));

/** The words of this G are those that the order has at `p` and after it. */
function g(state: Uint32Array, words: Uint32Array, p: number, a: number, b: number, c: number, d: number): void {
  state[a] = state[a] + state[b] + words[ORDER[p]];
  state[d] = rotateRight(state[d] ^ state[a], 16);
  state[c] = state[c] + state[d];
  state[b] = rotateRight(state[b] ^ state[c], 12);
  state[a] = state[a] + state[b] + words[ORDER[p + 1]];
  state[d] = rotateRight(state[d] ^ state[a], 8);
  state[c] = state[c] + state[d];
  state[b] = rotateRight(state[b] ^ state[c], 7);
}

function compress(
  chainingValue: Uint32Array,
  words: Uint32Array,
  counter: number,
  length: number,
  flags: number,
): Uint32Array {
  const state = new Uint32Array(BLOCK_WORDS);
  state.set(chainingValue);
  state.set(IV.subarray(0, 4), 8);
  state[12] = counter;
  state[13] = counter / 2 ** 32;
  state[14] = length;
  state[15] = flags;
  for (let p = 0; p < ORDER.length; p += BLOCK_WORDS) {
    // Columns.
    g(state, words, p, 0, 4, 8, 12);
    g(state, words, p + 2, 1, 5, 9, 13);
    g(state, words, p + 4, 2, 6, 10, 14);
    g(state, words, p + 6, 3, 7, 11, 15);
    // Diagonals.
    g(state, words, p + 8, 0, 5, 10, 15);
    g(state, words, p + 10, 1, 6, 11, 12);
    g(state, words, p + 12, 2, 7, 8, 13);
    g(state, words, p + 14, 3, 4, 9, 14);
  }
  for (let i = 0; i < CV_WORDS; i++) {
    state[i] ^= state[i + 8];
    state[i + 8] ^= chainingValue[i];
  }
  return state;
}

function chunk(message: Uint8Array, from: number, to: number, counter: number, root: number): Uint32Array {
  let value = IV;
  let start = CHUNK_START;
  let at = from;
  for (; to - at > BLOCK_BYTES; at += BLOCK_BYTES) {
    value = compress(value, fullBlock(message, at), counter, BLOCK_BYTES, start).slice(0, CV_WORDS);
    start = 0;
  }
  const flags = start | CHUNK_END | root;
  return compress(value, lastBlock(message, at, to), counter, to - at, flags).slice(0, CV_WORDS);
}

export const hash = (message: Uint8Array): Uint8Array => digestOf(rootOf(message, chunk, compress));
