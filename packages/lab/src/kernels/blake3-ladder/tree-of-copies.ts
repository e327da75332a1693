/** The tree of the paper's §2.1 for steps 0 to 4, in which each chaining value is an array of its own. */
import { BLOCK_BYTES, BLOCK_WORDS, CHUNK_BYTES, CV_WORDS, IV, PARENT, ROOT } from './specification.ts';

/** All sixteen words that the compression function gives, in a new array. */
export type Compress = (
  chainingValue: Uint32Array,
  words: Uint32Array,
  counter: number,
  length: number,
  flags: number,
) => Uint32Array;

/** The chaining value of the chunk from byte `from` to byte `to`; `root` is ROOT if the message has no other chunk. */
export type Chunk = (message: Uint8Array, from: number, to: number, counter: number, root: number) => Uint32Array;

function parent(compress: Compress, left: Uint32Array, right: Uint32Array, root: number): Uint32Array {
  const words = new Uint32Array(BLOCK_WORDS);
  words.set(left);
  words.set(right, CV_WORDS);
  return compress(IV, words, 0, BLOCK_BYTES, PARENT | root).slice(0, CV_WORDS);
}

/**
 * The chaining value of the root. Both functions are called once for each chunk, so that no step is slower for sharing
 * this one.
 */
export function rootOf(message: Uint8Array, chunk: Chunk, compress: Compress): Uint32Array {
  const stack: Uint32Array[] = [];
  const { length } = message;
  let from = 0;
  for (let count = 1; length - from > CHUNK_BYTES; count++, from += CHUNK_BYTES) {
    let value = chunk(message, from, from + CHUNK_BYTES, count - 1, 0);
    // As many subtrees are complete now as the count of chunks has zeros at its end.
    for (let n = count; n % 2 === 0; n /= 2) value = parent(compress, stack.pop()!, value, 0);
    stack.push(value);
  }
  let value = chunk(message, from, length, from / CHUNK_BYTES, stack.length === 0 ? ROOT : 0);
  while (stack.length > 0) {
    const left = stack.pop()!;
    value = parent(compress, left, value, stack.length === 0 ? ROOT : 0);
  }
  return value;
}
