/**
 * Step 14: the tail. A message shorter than a subtree of 64 KiB is one call as well: lanes that no chunk fills compute values that nothing
 * reads, and the last chunk, which has any length, is part of it. This is the module of the library, without its
 * checks, without its wiping of memory, and without its second module for short messages.
 */
import { CV, CV_BYTES, CVS, STAGE, STAGE_BYTES } from '../../../../lanewise/src/blake3/map.ts';
import { blake3Module, type Functions } from '../../../../lanewise/src/blake3/module.ts';
import { compiled, hasRelaxed } from '../instances.ts';
import { compress } from './generated/6-message-words.ts';
import { BLOCK_BYTES, CHUNK_BYTES, CV_WORDS, IV, PARENT } from './specification.ts';
import { newStack, place, unite } from './tree-in-place.ts';

const exports = compiled(blake3Module({ lanes: { relaxed: hasRelaxed() } }));
const run = exports as unknown as Functions;
const { buffer } = exports['memory'] as WebAssembly.Memory;
const bytes = new Uint8Array(buffer);
const words = new Uint32Array(buffer);
const stack = newStack();
const digest = new Uint8Array(stack.values.buffer, 0, CV_BYTES);

/** The chaining value of up to 64 KiB that are not the whole message. */
function subtree(message: Uint8Array, from: number, to: number): void {
  const counter = from / CHUNK_BYTES;
  bytes.set(message.subarray(from, to), STAGE);
  const at = place(stack, counter, compress);
  if (to - from <= CHUNK_BYTES) {
    run.chunk(to - from, counter, counter / 2 ** 32, 0, 0);
    for (let w = 0; w < CV_WORDS; w++) stack.values[at + w] = words[CV / 4 + w];
  } else {
    run.tree(to - from, counter, counter / 2 ** 32, 0);
    compress(IV, 0, words, CVS / 4, 0, BLOCK_BYTES, PARENT, stack.values, at);
  }
}

export function hash(message: Uint8Array): Uint8Array {
  const { length } = message;
  if (length <= STAGE_BYTES) {
    bytes.set(message, STAGE);
    run.hash(length, 0);
    return bytes.slice(CV, CV + CV_BYTES);
  }
  run.hash(0, 0); // leaves the initial value where chunks and parents start from
  for (let from = 0; from < length; from += STAGE_BYTES) subtree(message, from, Math.min(from + STAGE_BYTES, length));
  unite(stack, compress);
  return digest.slice();
}
