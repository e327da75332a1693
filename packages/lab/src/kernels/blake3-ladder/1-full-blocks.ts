/** Step 1: blocks that are full are read without a condition for each byte. Only the last block of a chunk needs one. */
import { compress, wordsOf } from './0-naive.ts';
import { BLOCK_BYTES, BLOCK_WORDS, CHUNK_END, CHUNK_START, CV_WORDS, digestOf, IV } from './specification.ts';
import { rootOf } from './tree-of-copies.ts';

export function fullBlock(message: Uint8Array, from: number): Uint32Array {
  const words = new Uint32Array(BLOCK_WORDS);
  for (let i = 0, at = from; i < BLOCK_WORDS; i++, at += 4) {
    words[i] = message[at] | (message[at + 1] << 8) | (message[at + 2] << 16) | (message[at + 3] << 24);
  }
  return words;
}

/** The last block, which may be full as well. */
export const lastBlock = (message: Uint8Array, from: number, to: number): Uint32Array =>
  to - from === BLOCK_BYTES ? fullBlock(message, from) : wordsOf(message, from, to);

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
