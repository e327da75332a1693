/**
 * Step 2: where the words of the block are in each round is computed once. The words stay where they are, and no round makes a
 * new array of them.
 */
import { fullBlock, lastBlock } from './1-full-blocks.ts';
import { BLOCK_BYTES, BLOCK_WORDS, CHUNK_END, CHUNK_START, CV_WORDS, digestOf, IV, ROUNDS } from './specification.ts';
import { schedule } from '../../../../lanewise/src/blake3/rounds.ts';
import { rootOf } from './tree-of-copies.ts';

/** Which word each half of a G takes, for all rounds one after the other. */
export const ORDER: Uint8Array = Uint8Array.from(schedule.flat());

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

/** The round that takes its words in the order that begins at `p`. */
function round(state: Uint32Array, words: Uint32Array, p: number): void {
  g(state, 0, 4, 8, 12, words[ORDER[p]], words[ORDER[p + 1]]);
  g(state, 1, 5, 9, 13, words[ORDER[p + 2]], words[ORDER[p + 3]]);
  g(state, 2, 6, 10, 14, words[ORDER[p + 4]], words[ORDER[p + 5]]);
  g(state, 3, 7, 11, 15, words[ORDER[p + 6]], words[ORDER[p + 7]]);
  g(state, 0, 5, 10, 15, words[ORDER[p + 8]], words[ORDER[p + 9]]);
  g(state, 1, 6, 11, 12, words[ORDER[p + 10]], words[ORDER[p + 11]]);
  g(state, 2, 7, 8, 13, words[ORDER[p + 12]], words[ORDER[p + 13]]);
  g(state, 3, 4, 9, 14, words[ORDER[p + 14]], words[ORDER[p + 15]]);
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
  for (let i = 0; i < ROUNDS; i++) round(state, words, BLOCK_WORDS * i);
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
