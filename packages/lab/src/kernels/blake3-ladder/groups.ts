/**
 * Shared by steps 10 to 13: chunks are copied into linear memory as they are, and one call handles a group of them. The functions
 * are those of the library's kernel (packages/lanewise/src/blake3/lanes.ts), which are put together here with and without
 * its parts.
 */
import * as blake3 from '../../../../lanewise/src/blake3/rounds.ts';
import { initialValue, type NodesCall } from '../../../../lanewise/src/blake3/kernel.ts';
import { defineLaneNodes, defineRounds, rotations } from '../../../../lanewise/src/blake3/lanes.ts';
import { CV_BYTES, CVS, MASKS, PAGES, STAGE } from '../../../../lanewise/src/blake3/map.ts';
import { loop, sequence, set } from '../../../../lanewise/src/wasm/control.ts';
import * as i32 from '../../../../lanewise/src/wasm/i32.ts';
import { Module } from '../../../../lanewise/src/wasm/module.ts';
import type { Statement } from '../../../../lanewise/src/wasm/types.ts';
import { masksOf } from '../../../../lanewise/src/words/locals.ts';
import { compiled, hasRelaxed } from '../instances.ts';
import { compress } from './generated/6-message-words.ts';
import { hash as hashOfBytes } from './generated/7-buffers.ts';
import { chunk, viewed } from './8-views.ts';
import { CHUNK_BYTES, CV_WORDS } from './specification.ts';
import { finish, newStack, place } from './tree-in-place.ts';

/** Exports `memory` and {@link GroupFunctions}. */
function groupsModule(relaxed: boolean): Module {
  const module = new Module(PAGES);
  module.data(MASKS, masksOf(rotations.counts, rotations.multiplied));
  const lanes = defineLaneNodes(module, defineRounds(module, relaxed));
  /** Nodes whose blocks are full. */
  const nodes = (
    operands: Pick<NodesCall, 'address' | 'stride' | 'count' | 'blocks'> & Partial<NodesCall>,
  ): Statement => {
    const { address, stride, count, blocks, low = 0, high = 0, step = 0, flags = 0, first = 0, last = 0 } = operands;
    return lanes(address, count, stride, blocks, blake3.BLOCK_BYTES, low, high, step, flags, first, last, CVS);
  };
  const chunks = module.define('chunks', ['i32', 'i32', 'i32'], undefined, (_, count, low, high) => [
    initialValue,
    nodes({
      address: STAGE,
      stride: blake3.CHUNK,
      count,
      blocks: blake3.CHUNK / blake3.BLOCK_BYTES,
      low,
      high,
      step: 1,
      first: blake3.CHUNK_START,
      last: blake3.CHUNK_END,
    }),
  ]);
  module.define('subtree', ['i32', 'i32', 'i32'], undefined, (_, count, low, high) => [
    chunks(count, low, high),
    loop(
      sequence(
        set(count, i32.shr_u(count, 1)),
        nodes({ address: CVS, stride: blake3.BLOCK_BYTES, count, blocks: 1, flags: blake3.PARENT }),
      ),
      i32.gt_u(count, 1),
    ),
  ]);
  return module;
}

interface GroupFunctions {
  /** The chaining values of `count` chunks in STAGE, at CVS. The counter of the first is in two words. */
  readonly chunks: (count: number, low: number, high: number) => void;
  /** The one chaining value of the subtree of so many chunks, a power of two and more than one. */
  readonly subtree: (count: number, low: number, high: number) => void;
}

/** How messages are cut: groups of `chunks` chunks, and whether a call makes one chaining value of a group or many. */
export interface Group {
  readonly chunks: number;
  readonly whole: boolean;
}

const exports = compiled(groupsModule(hasRelaxed()));
const { chunks, subtree } = exports as unknown as GroupFunctions;
const { buffer } = exports['memory'] as WebAssembly.Memory;
const bytes = new Uint8Array(buffer);
const words = new Uint32Array(buffer);
const stack = newStack();
const digest = new Uint8Array(stack.values.buffer, 0, 4 * CV_WORDS);

function take(group: Group, message: Uint8Array, from: number): void {
  const counter = from / CHUNK_BYTES;
  bytes.set(message.subarray(from, from + CHUNK_BYTES * group.chunks), STAGE);
  (group.whole ? subtree : chunks)(group.chunks, counter, counter / 2 ** 32);
  for (let i = 0; i < (group.whole ? 1 : group.chunks); i++) {
    const at = place(stack, counter + i, compress);
    for (let w = 0; w < CV_WORDS; w++) stack.values[at + w] = words[(CVS + CV_BYTES * i) / 4 + w];
  }
}

/** Hashes by groups, the largest first; step 8 takes the rest. */
export function hashByGroups(message: Uint8Array, groups: readonly Group[]): Uint8Array {
  const view = viewed(message);
  if (!view) return hashOfBytes(message);
  const { length } = message;
  let from = 0;
  for (const group of groups) {
    const size = CHUNK_BYTES * group.chunks;
    // A subtree must not contain the root.
    for (; length - from > size || (length - from === size && !group.whole); from += size) take(group, message, from);
  }
  finish(stack, view, from, length, chunk, compress);
  return digest.slice();
}
