/** The module of BLAKE3: a whole message, a whole subtree, or the output of the root, each in one call. */
import * as blake3 from './rounds.ts';
import { copy, loop, sequence, set, tee, when } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import { Module, type Callable } from '../wasm/module.ts';
import type { Expression, Operand, Statement } from '../wasm/types.ts';
import * as kernel from './kernel.ts';
import * as layout from './map.ts';
import { BLOCK, CV, CV_BYTES, CVS, STAGE } from './map.ts';
import {
  defineLaneNodes,
  defineLaneOutput,
  defineRounds,
  OUTPUT,
  rotations,
  type Output,
  type Rounds,
} from './lanes.ts';
import { masksOf } from '../words/locals.ts';

/** The exported functions. `flags` are those of the mode; lengths are in bytes, counters in chunks, in two words. */
export interface Functions {
  /** The chaining value of STAGE's first chunk, of 0 to 1024 bytes, to CV; with ROOT in `last`, 64 bytes of output. */
  chunk(length: number, low: number, high: number, flags: number, last: number): void;
  /**
   * Compresses all blocks of that chunk but the last: the chaining value goes to CV, the last block to BLOCK. Returns
   * CHUNK_START if the last block is also the first, else 0.
   */
  prepare(length: number, low: number, high: number, flags: number): number;
  /**
   * The two chaining values below the top of the tree over STAGE's more than 1024 bytes, at CVS. If these are a power of two of chunks,
   * all others follow, level by level.
   */
  tree(length: number, low: number, high: number, flags: number): void;
  /** Digests of `count` messages of `blocks` blocks each, the last of `tail` bytes, side by side in STAGE; at CVS. */
  many(count: number, blocks: number, tail: number, flags: number): void;
  /** Copies CV after the chaining value at CVS, as its right sibling. */
  copyUp(): void;
  /** The chaining value of the node over the two at CVS, to CV; with ROOT in `flags`, 64 bytes of output. */
  parent(flags: number): void;
  /** Hashes a whole message in STAGE: 64 bytes of output go to CV. Without flags, KEY need not be set. */
  hash(length: number, flags: number): void;
  /** `blocks` blocks of output at STAGE from number (low, high) on, of the root node whose block and value are set. */
  output(length: number, low: number, high: number, flags: number, blocks: number): void;
}

/** The least number of nodes for which lanes are faster: three of four lanes are filled. */
const ENOUGH = 3;

/** The form of a module: with vectors, or without. */
export interface Form {
  readonly lanes?: { readonly relaxed: boolean } | undefined;
}

/** Emits a call for the chaining values of nodes. */
type Nodes = (call: kernel.NodesCall) => Statement;

export function blake3Module({ lanes }: Form): Module {
  const module = new Module(layout.PAGES);
  const compress = kernel.defineCompress(module);
  const chain = kernel.defineChain(module, compress);
  const chunk = kernel.defineChunk(module, compress, chain);
  const scalarNodes = kernel.defineScalarNodes(module, compress);
  const rounds = lanes && defineRounds(module, lanes.relaxed);
  const laneNodes = rounds && defineLaneNodes(module, rounds);
  if (lanes) module.data(layout.MASKS, masksOf(rotations.counts, rotations.multiplied));

  const nodes: Nodes = ({ address, count, stride, blocks, tail, low, high, step, flags, first, last, out }) => {
    const operands = [address, count, stride, blocks, tail, low, high, step, flags, first, last, out] as const;
    return laneNodes
      ? when(i32.lt_u(count, ENOUGH), scalarNodes(...operands), laneNodes(...operands))
      : scalarNodes(...operands);
  };

  module.define('chunk', ['i32', 'i32', 'i32', 'i32', 'i32'], undefined, (_, length, low, high, flags, last) => [
    chunk(STAGE, length, low, high, flags, last),
  ]);
  definePrepare(module, chain);
  const parent = module.define('parent', ['i32'], undefined, (_, flags) => [
    kernel.startNode,
    compress(CVS, blake3.BLOCK_BYTES, 0, 0, i32.or(flags, blake3.PARENT), CV),
  ]);
  defineMany(module, nodes);
  module.define('copyUp', [], undefined, () => [copy(CVS + CV_BYTES, CV, CV_BYTES)]);
  const tree = defineTree(module, nodes, chunk);
  module.define('hash', ['i32', 'i32'], undefined, (_, length, flags) => [
    when(i32.eqz(flags), kernel.initialValue),
    when(
      i32.le_u(length, blake3.CHUNK),
      chunk(STAGE, length, 0, 0, flags, blake3.ROOT),
      sequence(tree(length, 0, 0, flags), parent(i32.or(flags, blake3.ROOT))),
    ),
  ]);
  defineOutput(module, compress, rounds);
  return module;
}

function definePrepare(module: Module, chain: kernel.Chain): void {
  module.define('prepare', ['i32', 'i32', 'i32', 'i32'], 'i32', (frame, length, low, high, flags) => {
    const at = frame.local('i32');
    const start = frame.local('i32');
    return [
      set(start, chain(STAGE, length, low, high, flags)),
      kernel.lastBlock(at, length),
      copy(BLOCK, i32.add(STAGE, at), blake3.BLOCK_BYTES),
      start,
    ];
  });
}

function defineMany(module: Module, nodes: Nodes): void {
  module.define('many', ['i32', 'i32', 'i32', 'i32'], undefined, (frame, count, blocks, tail, flags) => {
    const stride = frame.local('i32');
    return [
      set(stride, i32.shl(blocks, 6)),
      nodes({
        address: STAGE,
        stride,
        count,
        blocks,
        tail,
        low: 0,
        high: 0,
        step: 0,
        flags,
        first: blake3.CHUNK_START,
        last: blake3.CHUNK_END | blake3.ROOT,
        out: CVS,
      }),
    ];
  });
}

/** (length, counterLow, counterHigh, flags) */
type Tree = Callable<['i32', 'i32', 'i32', 'i32'], undefined>;

/**
 * A tree is laid out as a heap is: a level of n nodes starts at node n, and the children of node i are nodes 2 i and 2 i + 1. Node 2 is
 * at CVS, so the two nodes below the top end there, and all chaining values of a complete tree stay.
 */
const level = (count: Operand<'i32'>): Expression<'i32'> => i32.add(CVS - 2 * CV_BYTES, i32.shl(count, 5));

function defineTree(module: Module, nodes: Nodes, chunk: kernel.Compress): Tree {
  return module.define('tree', ['i32', 'i32', 'i32', 'i32'], undefined, (frame, length, low, high, flags) => {
    const whole = frame.local('i32');
    const count = frame.local('i32');
    const rest = frame.local('i32');
    const from = frame.local('i32');
    const to = frame.local('i32');
    return [
      set(whole, i32.shr_u(length, 10)),
      set(rest, i32.and(length, blake3.CHUNK - 1)),
      set(count, i32.shr_u(i32.add(length, blake3.CHUNK - 1), 10)),
      set(from, level(count)),
      nodes({
        address: STAGE,
        stride: blake3.CHUNK,
        count: whole,
        blocks: blake3.CHUNK / blake3.BLOCK_BYTES,
        tail: blake3.BLOCK_BYTES,
        low,
        high,
        step: 1,
        flags,
        first: blake3.CHUNK_START,
        last: blake3.CHUNK_END,
        out: from,
      }),
      when(
        rest,
        sequence(
          kernel.advance(low, high, whole),
          chunk(i32.add(STAGE, i32.shl(whole, 10)), rest, low, high, flags, 0),
          copy(i32.add(from, i32.shl(whole, 5)), CV, CV_BYTES),
        ),
      ),
      // Level by level; the last of an odd number of nodes moves up unchanged, which gives the same tree as the paper's
      // §2.1.
      when(
        i32.gt_u(count, 2),
        loop(
          sequence(
            set(to, level(i32.shr_u(i32.add(count, 1), 1))),
            nodes({
              address: from,
              stride: blake3.BLOCK_BYTES,
              count: i32.shr_u(count, 1),
              blocks: 1,
              tail: blake3.BLOCK_BYTES,
              low: 0,
              high: 0,
              step: 0,
              flags: i32.or(flags, blake3.PARENT),
              first: 0,
              last: 0,
              out: to,
            }),
            when(
              i32.and(count, 1),
              copy(
                i32.add(to, i32.shl(i32.shr_u(count, 1), 5)),
                i32.add(from, i32.shl(i32.sub(count, 1), 5)),
                CV_BYTES,
              ),
            ),
            set(from, to),
          ),
          i32.gt_u(tee(count, i32.shr_u(i32.add(count, 1), 1)), 2),
        ),
      ),
    ];
  });
}

function defineOutput(module: Module, compress: kernel.Compress, rounds: Rounds | undefined): void {
  const scalarOutput: Output = module.define(
    undefined,
    OUTPUT,
    undefined,
    (_, block, length, low, high, flags, blocks, out) => [
      when(
        blocks,
        loop(
          sequence(
            compress(block, length, low, high, flags, out),
            set(out, i32.add(out, blake3.BLOCK_BYTES)),
            kernel.advance(low, high, 1),
            set(blocks, i32.sub(blocks, 1)),
          ),
          blocks,
        ),
      ),
    ],
  );
  const laneOutput = rounds && defineLaneOutput(module, rounds);
  module.define('output', ['i32', 'i32', 'i32', 'i32', 'i32'], undefined, (_, length, low, high, flags, blocks) => {
    const operands = [BLOCK, length, low, high, flags, blocks, STAGE] as const;
    return [
      laneOutput
        ? when(i32.lt_u(blocks, ENOUGH), scalarOutput(...operands), laneOutput(...operands))
        : scalarOutput(...operands),
    ];
  });
}
