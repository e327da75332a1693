/** BLAKE3 in linear memory, one block at a time: for chunks too few to fill lanes, and for the root. */
import { KEY, CV, CV_BYTES } from './map.ts';
import * as blake3 from './rounds.ts';
import { copy, fill, loop, sequence, set, when } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Callable, Module } from '../wasm/module.ts';
import type { Local, Operand, Statement } from '../wasm/types.ts';
import { filled, hole, scalarWords } from '../words/locals.ts';

/** The mode without a key: chunks and parents start from the initial value. */
export const initialValue: Statement = sequence(...blake3.IV.map((word, w) => i32.store(0, KEY + 4 * w, word)));

const eightWords = [0, 4, 8, 12, 16, 20, 24, 28];

/** (block, length, counterLow, counterHigh, flags, out): from the chaining value in CV to 64 bytes at `out`. */
export type Compress = Callable<['i32', 'i32', 'i32', 'i32', 'i32', 'i32'], undefined>;

/** The paper's §2.2: the first half of the output is the next chaining value. */
export const defineCompress = (module: Module): Compress =>
  module.define(
    undefined,
    ['i32', 'i32', 'i32', 'i32', 'i32', 'i32'],
    undefined,
    (frame, block, length, low, high, flags, out) => {
      const words = scalarWords();
      const v = frame.locals('i32', 16);
      const initial = [
        ...eightWords.map((i) => i32.load(0, CV + i)),
        ...blake3.IV.slice(0, 4).map((word) => i32.value(word)),
        low,
        high,
        length,
        flags,
      ];
      [...blake3.columns, ...blake3.diagonals].forEach(([a, b, c, d], j) =>
        blake3.mix(words, v[a], v[b], v[c], v[d], hole(2 * j), hole(2 * j + 1)),
      );
      const round = words.taken();
      return [
        ...v.map((local, i) => set(local, initial[i])),
        ...blake3.schedule.map((order) =>
          filled(
            round,
            order.map((w) => i32.load(block, 4 * w)),
          ),
        ),
        // The second half of the output is needed for the root only. Which node is the root is public.
        when(
          i32.and(flags, blake3.ROOT),
          sequence(...eightWords.map((i, w) => i32.store(out, CV_BYTES + i, i32.xor(v[w + 8], i32.load(0, CV + i))))),
        ),
        ...eightWords.map((i, w) => i32.store(out, i, i32.xor(v[w], v[w + 8]))),
      ];
    },
  );

/** Sets CV to the chaining value that chunks and parents start from: the key, or the initial value. */
export const startNode: Statement = sequence(...eightWords.map((i) => i32.store(0, CV + i, i32.load(0, KEY + i))));

/** (address, length, counterLow, counterHigh, flags): all blocks of a chunk but the last; CHUNK_START if there are none. */
export type Chain = Callable<['i32', 'i32', 'i32', 'i32', 'i32'], 'i32'>;

export const defineChain = (module: Module, compress: Compress): Chain =>
  module.define(undefined, ['i32', 'i32', 'i32', 'i32', 'i32'], 'i32', (frame, address, length, low, high, flags) => {
    const start = frame.local('i32');
    return [
      startNode,
      set(start, i32.value(blake3.CHUNK_START)),
      when(
        i32.gt_u(length, blake3.BLOCK_BYTES),
        loop(
          sequence(
            compress(address, blake3.BLOCK_BYTES, low, high, i32.or(flags, start), CV),
            set(start, i32.value(0)),
            set(address, i32.add(address, blake3.BLOCK_BYTES)),
            set(length, i32.sub(length, blake3.BLOCK_BYTES)),
          ),
          i32.gt_u(length, blake3.BLOCK_BYTES),
        ),
      ),
      // The last block is filled up with zeros, and the only one of an empty message is all zeros.
      fill(i32.add(address, length), 0, i32.sub(blake3.BLOCK_BYTES, length)),
      start,
    ];
  });

/** The offset of a chunk's last block; an empty chunk has one block, too. */
export const lastBlock = (into: Local<'i32'>, length: Operand<'i32'> & string): Statement =>
  when(length, set(into, i32.and(i32.sub(length, 1), -blake3.BLOCK_BYTES)));

/**
 * (address, length, counterLow, counterHigh, flags, last): a chunk of 0 to 1024 bytes; `last` are additional flags of
 * its last block.
 */
export const defineChunk = (module: Module, compress: Compress, chain: Chain): Compress =>
  module.define(
    undefined,
    ['i32', 'i32', 'i32', 'i32', 'i32', 'i32'],
    undefined,
    (frame, address, length, low, high, flags, last) => {
      const at = frame.local('i32');
      return [
        set(flags, i32.or(flags, chain(address, length, low, high, flags))),
        lastBlock(at, length),
        set(flags, i32.or(flags, i32.or(last, blake3.CHUNK_END))),
        compress(i32.add(address, at), i32.sub(length, at), low, high, flags, CV),
      ];
    },
  );

/**
 * (address, count, stride, blocks, tail, low, high, step, flags, first, last, out): the chaining values of several nodes, whose
 * operands {@link NodesCall} describes.
 */
export const NODES = ['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32'] as const;
export type Nodes = Callable<typeof NODES, undefined>;

/** The operands of a call for the chaining values of several nodes, chunks or parents. All numbers are public. */
export interface NodesCall {
  /** The address of the first node's blocks, and the distance in bytes from one node to the next. */
  readonly address: Operand<'i32'>;
  readonly stride: Operand<'i32'>;
  /** How many nodes; at least one. */
  readonly count: Operand<'i32'>;
  /** The number of blocks in a node, and the number of bytes in its last block. */
  readonly blocks: Operand<'i32'>;
  readonly tail: Operand<'i32'>;
  /** The counter of the first node, in two words, and the increment from one node to the next. */
  readonly low: Operand<'i32'>;
  readonly high: Operand<'i32'>;
  readonly step: Operand<'i32'>;
  /** The flags of all blocks, and the additional flags of a node's first and of its last block. */
  readonly flags: Operand<'i32'>;
  readonly first: Operand<'i32'>;
  readonly last: Operand<'i32'>;
  /** Where the chaining values go. */
  readonly out: Operand<'i32'>;
}

/** Adds `step` to a 64-bit counter in two words. The counter is public. */
export const advance = (low: Local<'i32'>, high: Local<'i32'>, step: Operand<'i32'>): Statement =>
  sequence(set(low, i32.add(low, step)), when(i32.lt_u(low, step), set(high, i32.add(high, 1))));

export const defineScalarNodes = (module: Module, compress: Compress): Nodes =>
  module.define(
    undefined,
    NODES,
    undefined,
    (frame, address, count, stride, blocks, tail, low, high, step, flags, first, last, out) => {
      const block = frame.local('i32');
      const left = frame.local('i32');
      const now = frame.local('i32');
      const length = frame.local('i32');
      return [
        when(
          count,
          loop(
            sequence(
              startNode,
              set(block, address),
              set(left, blocks),
              set(now, i32.or(flags, first)),
              set(length, i32.value(blake3.BLOCK_BYTES)),
              loop(
                sequence(
                  set(left, i32.sub(left, 1)),
                  when(i32.eqz(left), sequence(set(now, i32.or(now, last)), set(length, tail))),
                  compress(block, length, low, high, now, CV),
                  set(now, flags),
                  set(block, i32.add(block, blake3.BLOCK_BYTES)),
                ),
                left,
              ),
              copy(out, CV, CV_BYTES),
              set(out, i32.add(out, CV_BYTES)),
              set(address, i32.add(address, stride)),
              advance(low, high, step),
              set(count, i32.sub(count, 1)),
            ),
            count,
          ),
        ),
      ];
    },
  );
