/** Step 3: the eight Gs of a round are written out, with constant indices, and the order of the words is read as it comes. */
import { fullBlock, lastBlock } from './1-full-blocks.ts';
import { ORDER } from './2-permutations.ts';
import { BLOCK_BYTES, BLOCK_WORDS, CHUNK_END, CHUNK_START, CV_WORDS, digestOf, IV } from './specification.ts';
import { rootOf } from './tree-of-copies.ts';

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
  for (let p = 0; p < ORDER.length;) {
    // Columns.
    state[0] = state[0] + state[4] + words[ORDER[p++]];
    state[12] ^= state[0];
    state[12] = (state[12] >>> 16) | (state[12] << 16);
    state[8] += state[12];
    state[4] ^= state[8];
    state[4] = (state[4] >>> 12) | (state[4] << 20);
    state[0] = state[0] + state[4] + words[ORDER[p++]];
    state[12] ^= state[0];
    state[12] = (state[12] >>> 8) | (state[12] << 24);
    state[8] += state[12];
    state[4] ^= state[8];
    state[4] = (state[4] >>> 7) | (state[4] << 25);
    state[1] = state[1] + state[5] + words[ORDER[p++]];
    state[13] ^= state[1];
    state[13] = (state[13] >>> 16) | (state[13] << 16);
    state[9] += state[13];
    state[5] ^= state[9];
    state[5] = (state[5] >>> 12) | (state[5] << 20);
    state[1] = state[1] + state[5] + words[ORDER[p++]];
    state[13] ^= state[1];
    state[13] = (state[13] >>> 8) | (state[13] << 24);
    state[9] += state[13];
    state[5] ^= state[9];
    state[5] = (state[5] >>> 7) | (state[5] << 25);
    state[2] = state[2] + state[6] + words[ORDER[p++]];
    state[14] ^= state[2];
    state[14] = (state[14] >>> 16) | (state[14] << 16);
    state[10] += state[14];
    state[6] ^= state[10];
    state[6] = (state[6] >>> 12) | (state[6] << 20);
    state[2] = state[2] + state[6] + words[ORDER[p++]];
    state[14] ^= state[2];
    state[14] = (state[14] >>> 8) | (state[14] << 24);
    state[10] += state[14];
    state[6] ^= state[10];
    state[6] = (state[6] >>> 7) | (state[6] << 25);
    state[3] = state[3] + state[7] + words[ORDER[p++]];
    state[15] ^= state[3];
    state[15] = (state[15] >>> 16) | (state[15] << 16);
    state[11] += state[15];
    state[7] ^= state[11];
    state[7] = (state[7] >>> 12) | (state[7] << 20);
    state[3] = state[3] + state[7] + words[ORDER[p++]];
    state[15] ^= state[3];
    state[15] = (state[15] >>> 8) | (state[15] << 24);
    state[11] += state[15];
    state[7] ^= state[11];
    state[7] = (state[7] >>> 7) | (state[7] << 25);
    // Diagonals.
    state[0] = state[0] + state[5] + words[ORDER[p++]];
    state[15] ^= state[0];
    state[15] = (state[15] >>> 16) | (state[15] << 16);
    state[10] += state[15];
    state[5] ^= state[10];
    state[5] = (state[5] >>> 12) | (state[5] << 20);
    state[0] = state[0] + state[5] + words[ORDER[p++]];
    state[15] ^= state[0];
    state[15] = (state[15] >>> 8) | (state[15] << 24);
    state[10] += state[15];
    state[5] ^= state[10];
    state[5] = (state[5] >>> 7) | (state[5] << 25);
    state[1] = state[1] + state[6] + words[ORDER[p++]];
    state[12] ^= state[1];
    state[12] = (state[12] >>> 16) | (state[12] << 16);
    state[11] += state[12];
    state[6] ^= state[11];
    state[6] = (state[6] >>> 12) | (state[6] << 20);
    state[1] = state[1] + state[6] + words[ORDER[p++]];
    state[12] ^= state[1];
    state[12] = (state[12] >>> 8) | (state[12] << 24);
    state[11] += state[12];
    state[6] ^= state[11];
    state[6] = (state[6] >>> 7) | (state[6] << 25);
    state[2] = state[2] + state[7] + words[ORDER[p++]];
    state[13] ^= state[2];
    state[13] = (state[13] >>> 16) | (state[13] << 16);
    state[8] += state[13];
    state[7] ^= state[8];
    state[7] = (state[7] >>> 12) | (state[7] << 20);
    state[2] = state[2] + state[7] + words[ORDER[p++]];
    state[13] ^= state[2];
    state[13] = (state[13] >>> 8) | (state[13] << 24);
    state[8] += state[13];
    state[7] ^= state[8];
    state[7] = (state[7] >>> 7) | (state[7] << 25);
    state[3] = state[3] + state[4] + words[ORDER[p++]];
    state[14] ^= state[3];
    state[14] = (state[14] >>> 16) | (state[14] << 16);
    state[9] += state[14];
    state[4] ^= state[9];
    state[4] = (state[4] >>> 12) | (state[4] << 20);
    state[3] = state[3] + state[4] + words[ORDER[p++]];
    state[14] ^= state[3];
    state[14] = (state[14] >>> 8) | (state[14] << 24);
    state[9] += state[14];
    state[4] ^= state[9];
    state[4] = (state[4] >>> 7) | (state[4] << 25);
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
