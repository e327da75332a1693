/**
 * Keystream on sets of four blocks, one block per lane. The words of a set live in memory at static offsets: a quarter round
 * loads four, works in four locals and stores them, and the sets take turns. x64 engines have 15 vector registers and
 * this form never spills one; the processor overlaps the sets.
 */
import type { Core } from './core.ts';
import type { Quad } from '../words/machine.ts';
import { loop, sequence, set, tee, when } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Callable, Frame, Module } from '../wasm/module.ts';
import type { Expression, Operand, Statement } from '../wasm/types.ts';
import * as v128 from '../wasm/v128.ts';
import { advance, type Xor } from './kernel.ts';
import { BLOCK_BYTES, MASKS, POLY, SET_BYTES, SETS, word } from './map.ts';
import { type Arithmetic } from '../poly1305/kernel.ts';
import { BLOCK_BYTES as MAC_BLOCK } from '../poly1305/map.ts';
import { eachSet, LANES, quarterRounds } from '../words/lanes.ts';
import { weave } from '../words/weave.ts';
import { laneWords, transposed } from '../words/locals.ts';

const MOST_SETS = 4;
/** The last set is XORed whole, which changes up to this many bytes after the last block. */
export const OVERRUN_BYTES = SET_BYTES - BLOCK_BYTES;

/** The place of a set: `base` is the address of its words in SETS, `data` that of its four blocks. */
export interface Place {
  readonly base: Operand<'i32'>;
  readonly offset: number;
  /** The number of blocks in the group before this set. */
  readonly data: Operand<'i32'>;
  readonly dataOffset: number;
}

/** The three things that happen to a set, each as a list of steps. */
export function setOfBlocks(frame: Frame, core: Core, relaxed: boolean) {
  const { byteRotations: counts, multiplied } = core;
  const words = laneWords(frame, { relaxed, masks: MASKS, counts, multiplied });
  const pair = [0, 1].map(() => {
    const [a, b, c, d] = frame.locals('v128', 4);
    core.quarterRound(words, a, b, c, d);
    return { rows: [a, b, c, d], steps: words.taken() };
  });
  const { rows } = pair[0];
  const { prologue: unpack, columns: quarters } = transposed(frame, rows);
  const start = frame.local('v128'); // the first counter, in all lanes
  const low = frame.local('v128'); // the counters of the set that is being worked on

  const input = core.inputOf.map((i): Expression<'v128'> => {
    const splat = v128.load32_splat(0, word(i));
    if (i === core.counter) return low;
    // A counter below the first has carried; the comparison gives -1. RFC 8439's nonce word is here, and never carries.
    return i === core.counter + 1 ? v128.i32x4_sub(splat, v128.i32x4_lt_u(low, start)) : splat;
  });

  return {
    prologue: sequence(
      words.prologue,
      set(start, v128.load32_splat(0, word(core.counter))),
      set(low, v128.i32x4_add(start, v128.i32x4(0, 1, 2, 3))),
    ),
    /** The counters of the next set. */
    nextSet: set(low, v128.i32x4_add(low, v128.i32x4(LANES, LANES, LANES, LANES))),
    low,
    fill: ({ base, offset }: Place): Statement[] => input.map((x, w) => v128.store(base, offset + 16 * w, x)),
    rounds: (quads: readonly Quad[], { base, offset }: Place): Statement[] =>
      quarterRounds(
        pair.map(({ rows }) => rows),
        quads,
        base,
        offset,
        (side) => pair[side].steps,
      ),
    xor: ({ base, offset, data, dataOffset }: Place): Statement[] =>
      [0, 4, 8, 12].flatMap((w) => [
        ...rows.map((row, i) => set(row, v128.i32x4_add(v128.load(base, offset + 16 * (w + i)), input[w + i]))),
        unpack,
        ...quarters.map((quarter, block) => {
          const at = dataOffset + BLOCK_BYTES * block + 4 * w;
          return v128.store(data, at, v128.xor(v128.load(data, at), quarter));
        }),
      ]),
  };
}

/**
 * Any number of blocks, in groups of up to four sets. The loops over the sets keep the function small: it is compiled
 * sooner, and costs 2 % against one with the sets unrolled. The last group may be of any size, so that a message pays
 * for its own length.
 */
export const defineSetsXor = (module: Module, core: Core, relaxed: boolean): Xor =>
  module.define(undefined, ['i32', 'i32', 'i32'], undefined, (frame, doubleRounds, address, blocks) => {
    const blockSet = setOfBlocks(frame, core, relaxed);
    const rounds = frame.local('i32');
    const base = frame.local('i32');
    const end = frame.local('i32');
    const firstLow = frame.local('v128');
    const left = frame.local('i32');
    const place: Place = { base, offset: SETS, data: address, dataOffset: 0 };

    const each = (...body: readonly Statement[]): Statement => eachSet(base, end, SET_BYTES, ...body);

    return [
      blockSet.prologue,
      // The last set may have fewer blocks than lanes; the callers wipe the keystream after the last block.
      set(left, i32.shr_u(i32.add(blocks, LANES - 1), 2)),
      loop(
        sequence(
          set(end, i32.value(MOST_SETS)),
          when(i32.lt_u(left, MOST_SETS), set(end, left)),
          set(left, i32.sub(left, end)),
          set(end, i32.mul(end, SET_BYTES)),
          set(firstLow, blockSet.low),
          each(...blockSet.fill(place), blockSet.nextSet),
          set(rounds, doubleRounds),
          loop(
            sequence(...core.doubleRound.map((quads) => each(...blockSet.rounds(quads, place)))),
            tee(rounds, i32.sub(rounds, 1)),
          ),
          set(blockSet.low, firstLow),
          each(...blockSet.xor(place), blockSet.nextSet, set(address, i32.add(address, SET_BYTES))),
        ),
        left,
      ),
      advance(core, blocks),
    ];
  });

/** (address, groups, macAddress) */
export type Woven = Callable<['i32', 'i32', 'i32'], undefined>;

const WOVEN_SETS = 2;
export const WOVEN_BLOCKS = LANES * WOVEN_SETS;
export const WOVEN_BYTES = WOVEN_SETS * SET_BYTES;
const DOUBLE_ROUNDS = 10;
const MAC_BLOCKS = WOVEN_BYTES / MAC_BLOCK;
const MAC_BLOCKS_PER_ROUND = 3;

/**
 * One or more groups of eight blocks XORed with the keystream, while Poly1305 absorbs as many bytes from `macAddress` on:
 * after the cipher when encrypting, at the same place (before it is overwritten) when decrypting. The cipher keeps the
 * vector ports busy and Poly1305 the integer ports, so that the MAC costs a third of the time of a second pass.
 */
export const defineWoven = (module: Module, core: Core, relaxed: boolean, arithmetic: Arithmetic): Woven =>
  module.define(undefined, ['i32', 'i32', 'i32'], undefined, (frame, address, groups, macAddress) => {
    const blockSet = setOfBlocks(frame, core, relaxed);
    const accumulator = arithmetic.accumulator(frame, POLY);
    const rounds = frame.local('i32');
    const firstLow = frame.local('v128');

    const places = Array.from({ length: WOVEN_SETS }, (_, s): Place => ({
      base: 0,
      offset: SETS + SET_BYTES * s,
      data: address,
      dataOffset: SET_BYTES * s,
    }));
    const everySet = (steps: (place: Place) => readonly Statement[], between: readonly Statement[] = []): Statement[] =>
      places.flatMap((place) => [...steps(place), ...between]);
    const absorb = (blocks: number): Statement[] => [
      ...Array.from({ length: blocks }, (_, i) => accumulator.absorb(macAddress, MAC_BLOCK * i, 1)).flat(),
      set(macAddress, i32.add(macAddress, MAC_BLOCK * blocks)),
    ];

    return [
      blockSet.prologue,
      accumulator.load,
      set(rounds, i32.mul(groups, WOVEN_BLOCKS)),
      advance(core, rounds),
      loop(
        sequence(
          set(firstLow, blockSet.low),
          ...everySet(blockSet.fill, [blockSet.nextSet]),
          set(rounds, i32.value(DOUBLE_ROUNDS)),
          loop(
            weave(
              core.doubleRound.flatMap((quads) => everySet((place) => blockSet.rounds(quads, place))),
              absorb(MAC_BLOCKS_PER_ROUND),
            ),
            tee(rounds, i32.sub(rounds, 1)),
          ),
          set(blockSet.low, firstLow),
          weave(everySet(blockSet.xor, [blockSet.nextSet]), absorb(MAC_BLOCKS - DOUBLE_ROUNDS * MAC_BLOCKS_PER_ROUND)),
          set(address, i32.add(address, WOVEN_BYTES)),
        ),
        tee(groups, i32.sub(groups, 1)),
      ),
      accumulator.store,
    ];
  });
