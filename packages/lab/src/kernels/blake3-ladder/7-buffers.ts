/** Step 7: the words of a block and the stack of chaining values are made once, not for each chunk and each message. */
import { readFull, readLast } from './5-no-copies.ts';
import { compress } from './6-message-words.ts';
import { BLOCK_BYTES, BLOCK_WORDS, CHUNK_BYTES, CHUNK_END, CHUNK_START, digestOf, IV } from './specification.ts';
import { finish, newStack } from './tree-in-place.ts';

const words = new Uint32Array(BLOCK_WORDS);
const stack = newStack();

function chunk(message: Uint8Array, from: number, to: number, root: number, out: Uint32Array, outAt: number): void {
  const counter = from / CHUNK_BYTES;
  let values = IV;
  let valueAt = 0;
  let start = CHUNK_START;
  let at = from;
  for (; to - at > BLOCK_BYTES; at += BLOCK_BYTES) {
    readFull(message, at, words);
    compress(values, valueAt, words, 0, counter, BLOCK_BYTES, start, out, outAt);
    values = out;
    valueAt = outAt;
    start = 0;
  }
  readLast(message, at, to, words);
  compress(values, valueAt, words, 0, counter, to - at, start | CHUNK_END | root, out, outAt);
}

export function hash(message: Uint8Array): Uint8Array {
  finish(stack, message, 0, message.length, chunk, compress);
  return digestOf(stack.values);
}
