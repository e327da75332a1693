/**
 * The tree of the paper's §2.1 from step 5 on. All chaining values are in one array, in which two neighbours already are
 * the block of their parent.
 */
import { BLOCK_BYTES, CHUNK_BYTES, CV_WORDS, IV, PARENT, ROOT } from './specification.ts';

/** Writes the chaining value to `out`, from word `outAt` on. */
export type Compress = (
  values: Uint32Array,
  valueAt: number,
  words: Uint32Array,
  wordsAt: number,
  counter: number,
  length: number,
  flags: number,
  out: Uint32Array,
  outAt: number,
) => void;

/** Writes the chaining value of the chunk from byte `from` to byte `to`, which has ROOT in `root` if it is the only one. */
export type Chunk<Words> = (
  words: Words,
  from: number,
  to: number,
  root: number,
  out: Uint32Array,
  outAt: number,
) => void;

/** The chaining values of subtrees that wait for their right siblings. `top` is the word after the last of them. */
export interface Stack {
  readonly values: Uint32Array;
  top: number;
}

/** A Uint8Array has far fewer than 2^40 chunks. */
const MOST_LEVELS = 40;

/** A stack that is high enough for a message of this many bytes, or for any. */
export function newStack(length = Infinity): Stack {
  const levels = length === Infinity ? MOST_LEVELS : Math.ceil(Math.log2(Math.max(1, length / CHUNK_BYTES)));
  return { values: new Uint32Array(CV_WORDS * (levels + 2)), top: 0 };
}

function merge(stack: Stack, compress: Compress, root: number): void {
  const at = (stack.top -= CV_WORDS) - CV_WORDS;
  compress(IV, 0, stack.values, at, 0, BLOCK_BYTES, PARENT | root, stack.values, at);
}

/**
 * Where the chaining value of the subtree from chunk `counter` on goes. Only now is it known that more follows, and that
 * what is complete is not the root: as many subtrees stay as the counter has ones.
 */
export function place(stack: Stack, counter: number, compress: Compress): number {
  let subtrees = 0;
  for (let n = counter; n !== 0; n &= n - 1) subtrees++;
  while (stack.top > CV_WORDS * subtrees) merge(stack, compress, 0);
  const at = stack.top;
  stack.top += CV_WORDS;
  return at;
}

/** Adds the chunks from byte `from` to the last one, and leaves the chaining value of the root in the first words. */
export function finish<Words>(
  stack: Stack,
  words: Words,
  from: number,
  length: number,
  chunk: Chunk<Words>,
  compress: Compress,
): void {
  let at = from;
  for (; length - at > CHUNK_BYTES; at += CHUNK_BYTES) {
    chunk(words, at, at + CHUNK_BYTES, 0, stack.values, place(stack, at / CHUNK_BYTES, compress));
  }
  if (at < length || at === 0) {
    chunk(words, at, length, at === 0 ? ROOT : 0, stack.values, place(stack, at / CHUNK_BYTES, compress));
  }
  unite(stack, compress);
}

/** Leaves the chaining value of the root in the first words, and the stack empty. */
export function unite(stack: Stack, compress: Compress): void {
  while (stack.top > CV_WORDS) merge(stack, compress, stack.top === 2 * CV_WORDS ? ROOT : 0);
  stack.top = 0;
}
