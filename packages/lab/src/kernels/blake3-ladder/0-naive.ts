/**
 * Step 0: the reference implementation of the paper, as it is written down at first: G as a function of indices, a round
 * as a function, a new array for each permutation of the words, and a reader of blocks that tests each byte.
 */
import {
  BLOCK_BYTES,
  BLOCK_WORDS,
  CHUNK_END,
  CHUNK_START,
  CV_WORDS,
  digestOf,
  IV,
  PERMUTATION,
  ROUNDS,
} from './specification.ts';
import { rootOf } from './tree-of-copies.ts';

const rotateRight = (x: number, count: number): number => (x >>> count) | (x << (32 - count));

function g(state: Uint32Array, a: number, b: number, c: number, d: number, x: number, y: number): void {
  state[a] = state[a] + state[b] + x;
  state[d] = rotateRight(state[d] ^ state[a], 16);
  state[c] = state[c] + state[d];
  state[b] = rotateRight(state[b] ^ state[c], 12);
  state[a] = state[a] + state[b] + y;
  state[d] = rotateRight(state[d] ^ state[a], 8);
  state[c] = state[c] + state[d];
  state[b] = rotateRight(state[b] ^ state[c], 7);
}

function round(state: Uint32Array, words: Uint32Array): void {
  // Columns.
  g(state, 0, 4, 8, 12, words[0], words[1]);
  g(state, 1, 5, 9, 13, words[2], words[3]);
  g(state, 2, 6, 10, 14, words[4], words[5]);
  g(state, 3, 7, 11, 15, words[6], words[7]);
  // Diagonals.
  g(state, 0, 5, 10, 15, words[8], words[9]);
  g(state, 1, 6, 11, 12, words[10], words[11]);
  g(state, 2, 7, 8, 13, words[12], words[13]);
  g(state, 3, 4, 9, 14, words[14], words[15]);
}

function permuted(words: Uint32Array): Uint32Array {
  const next = new Uint32Array(BLOCK_WORDS);
  for (let i = 0; i < BLOCK_WORDS; i++) next[i] = words[PERMUTATION[i]];
  return next;
}

/** §2.2 */
export function compress(
  chainingValue: Uint32Array,
  blockWords: Uint32Array,
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
  let words = blockWords;
  for (let i = 0; i < ROUNDS; i++) {
    round(state, words);
    words = permuted(words);
  }
  for (let i = 0; i < CV_WORDS; i++) {
    state[i] ^= state[i + 8];
    state[i + 8] ^= chainingValue[i];
  }
  return state;
}

/** The words of a block; after byte `to` of the message are zeros. */
export function wordsOf(message: Uint8Array, from: number, to: number): Uint32Array {
  const words = new Uint32Array(BLOCK_WORDS);
  for (let i = 0; i < BLOCK_BYTES; i++) {
    const byte = from + i < to ? message[from + i] : 0;
    words[i >> 2] |= byte << (8 * (i & 3));
  }
  return words;
}

function chunk(message: Uint8Array, from: number, to: number, counter: number, root: number): Uint32Array {
  let value = IV;
  let start = CHUNK_START;
  let at = from;
  for (; to - at > BLOCK_BYTES; at += BLOCK_BYTES) {
    value = compress(value, wordsOf(message, at, to), counter, BLOCK_BYTES, start).slice(0, CV_WORDS);
    start = 0;
  }
  const flags = start | CHUNK_END | root;
  return compress(value, wordsOf(message, at, to), counter, to - at, flags).slice(0, CV_WORDS);
}

export const hash = (message: Uint8Array): Uint8Array => digestOf(rootOf(message, chunk, compress));
