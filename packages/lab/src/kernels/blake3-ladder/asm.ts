/** asm.js: step 7 over a heap of its own, by the function that `print.ts` writes: an engine that does not know `use asm` runs it as JavaScript. */
import { BLOCK_BYTES, CHUNK_BYTES, CHUNK_END, CHUNK_START, digestOf, IV } from './specification.ts';
import { asmModule } from './generated/asm.ts';
import { finish, newStack } from './tree-in-place.ts';

/** The heap: a chunk, the initial value, and the stack. */
const INITIAL_VALUE = CHUNK_BYTES;
const STACK = 4096;
const buffer = new ArrayBuffer(2 ** 16);
const bytes = new Uint8Array(buffer);
new Uint32Array(buffer, INITIAL_VALUE).set(IV);
const stack = { values: new Uint32Array(buffer, STACK, newStack().values.length), top: 0 };
const asm = asmModule({ Int32Array }, undefined, buffer);

/** A message in memory has fewer than 2^31 chunks, so the high word of each counter is zero. */
function chunk(message: Uint8Array, from: number, to: number, root: number, _: Uint32Array, outAt: number): void {
  bytes.set(message.subarray(from, to));
  // The last block is filled up, and the only one of an empty message is all zeros.
  bytes.fill(0, to - from, Math.max(BLOCK_BYTES, Math.ceil((to - from) / BLOCK_BYTES) * BLOCK_BYTES));
  asm.chunk(to - from, from / CHUNK_BYTES, CHUNK_START, CHUNK_END | root, STACK + 4 * outAt);
}

/** Parents: both chaining values are on the stack, and so is the result. */
function compress(
  _: Uint32Array,
  _valueAt: number,
  _words: Uint32Array,
  wordsAt: number,
  counter: number,
  length: number,
  flags: number,
  _out: Uint32Array,
  outAt: number,
): void {
  asm.compress(INITIAL_VALUE, STACK + 4 * wordsAt, counter, length, flags, STACK + 4 * outAt);
}

export function hash(message: Uint8Array): Uint8Array {
  finish(stack, message, 0, message.length, chunk, compress);
  return digestOf(stack.values);
}
