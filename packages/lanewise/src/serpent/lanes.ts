/** Serpent on four blocks in four lanes: sets of four blocks, state in linear memory, up to four sets in turn. */
import { BOXES } from './rounds.ts';
import { loop, sequence, set, tee, when } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Frame, Module } from '../wasm/module.ts';
import type { Expression, Local, Operand, Statement } from '../wasm/types.ts';
import * as v128 from '../wasm/v128.ts';
import { defineScalarBlocks, encryption, WORDS, type Blocks, type Direction } from './kernel.ts';
import { BLOCK, ROUND, SETS } from './map.ts';
import { eachSet, LANES } from '../words/lanes.ts';
import { laneRun } from '../words/logic.ts';
import { transposed } from '../words/locals.ts';
import { weave } from '../words/weave.ts';

/** The words of a set, which are as many bytes as its blocks. */
const SET_BYTES = LANES * BLOCK;
const PAIR_BYTES = 2 * SET_BYTES;
/** Up to four sets are worked on in turn. */
export const GROUP_BYTES = 2 * PAIR_BYTES;

/** A set of four blocks: its words in variables, and the operations on them. */
export interface LaneSet {
  readonly x: readonly Local<'v128'>[];
  /** Where the set is in its pair, in bytes of its blocks or its words. */
  readonly at: number;
  /** Rows become columns, or columns rows. */
  readonly turn: readonly Statement[];
  readonly load: (address: Operand<'i32'>, offset: number) => Statement[];
  readonly store: (address: Operand<'i32'>, offset: number) => Statement[];
}

/** The steps on a pair of sets before and after the rounds; `base` is the pair's offset from the first. */
export interface Ends {
  readonly fill: (pair: readonly LaneSet[], base: Local<'i32'>) => Statement;
  readonly drain: (pair: readonly LaneSet[], base: Local<'i32'>) => Statement;
  readonly next: readonly Statement[];
}

/**
 * The number of steps by which the second set follows the first: as many as a set has words, so that one loads while
 * the other computes.
 */
const LAG = WORDS;

/** Alternates the same steps on both sets. */
export const both = <T>(pair: readonly T[], steps: (one: T) => readonly Statement[]): Statement => {
  const [one, other] = pair.map(steps);
  return sequence(...one.slice(0, LAG), weave(one.slice(LAG), other.slice(0, -LAG)), ...other.slice(-LAG));
};

/**
 * Any number of blocks in groups of up to four sets. Two sets at a time are interleaved: the steps of one set depend on
 * each other, and a processor does not look far enough ahead to find the independent steps of the next set. The last
 * pair is done whole, so there has to be room for seven more blocks. The loops over the pairs keep the function small.
 */
export function groups(
  frame: Frame,
  direction: Direction,
  blocks: Local<'i32'>,
  { fill, drain, next }: Ends,
): Statement[] {
  const base = frame.local('i32');
  const end = frame.local('i32');
  const left = frame.local('i32');
  const keys = frame.local('i32');
  const { first, last, step, keyBefore, keyBehind } = direction;

  const pair = [0, SET_BYTES].map((at) => {
    const x = frame.locals('v128', WORDS);
    const { prologue, columns } = transposed(frame, x);
    // The load splats the word: this is as cheap as loading a whole vector, and the round keys have the same form as
    // without lanes.
    const splat = (offset: number, w: number): Expression<'v128'> => v128.load32_splat(keys, ROUND + offset + 4 * w);
    const key = (offset: number): Statement[] => x.map((local, w) => set(local, v128.xor(local, splat(offset, w))));
    const load: LaneSet['load'] = (address, offset) =>
      x.map((local, i) => set(local, v128.load(address, offset + at + BLOCK * i)));
    const store: LaneSet['store'] = (address, offset) =>
      x.map((local, i) => v128.store(address, offset + at + BLOCK * i, local));
    const turn = [prologue, ...columns.map((column, i) => set(x[i], column))];
    return { x, at, turn, load, store, key, rounds: direction.rounds(laneRun(frame), x, key) };
  });
  const added = (offset: number | undefined): Statement =>
    offset === undefined ? sequence() : both(pair, ({ key }) => key(offset));
  const eachPair = (...body: readonly Statement[]): Statement => eachSet(base, end, PAIR_BYTES, ...body);

  const load = both(pair, (one) => one.load(base, SETS));
  const store = both(pair, (one) => one.store(base, SETS));
  const rounds = pair[0].rounds.map((_, i) => {
    const before = (one: (typeof pair)[number]): Statement[] => [...one.load(base, SETS), ...one.rounds[i].before];
    const after = (one: (typeof pair)[number]): Statement[] => [...one.rounds[i].after, ...one.store(base, SETS)];
    if (i < BOXES - 1) return eachPair(both(pair, (one) => [...before(one), ...after(one)]));
    return eachPair(both(pair, before), when(i32.ne(keys, last), both(pair, after), store));
  });
  return [
    set(left, i32.shl(i32.shr_u(i32.add(blocks, 2 * LANES - 1), 3), 7)),
    loop(
      sequence(
        set(end, i32.value(GROUP_BYTES)),
        when(i32.lt_u(left, GROUP_BYTES), set(end, left)),
        set(keys, i32.value(first)),
        eachPair(fill(pair, base), added(keyBefore), store),
        loop(sequence(...rounds), i32.ne(tee(keys, i32.add(keys, step)), last + step)),
        eachPair(load, added(keyBehind), drain(pair, base)),
        ...next,
      ),
      tee(left, i32.sub(left, end)),
    ),
  ];
}

/** (from, to, blocks): there is room for seven more blocks after both places. */
export const defineLaneBlocks = (module: Module, direction: Direction): Blocks =>
  module.define(undefined, ['i32', 'i32', 'i32'], undefined, (frame, from, to, blocks) =>
    groups(frame, direction, blocks, {
      fill: (pair, base) => both(pair, ({ load, turn }) => [...load(i32.add(from, base), 0), ...turn]),
      drain: (pair, base) => both(pair, ({ turn, store }) => [...turn, ...store(i32.add(to, base), 0)]),
      next: [from, to].map((address) => set(address, i32.add(address, GROUP_BYTES))),
    }),
  );

/**
 * Encryption of any number of blocks, and the scalar function for one or more: a single block would fill one lane of
 * four.
 */
export function defineEncryption(module: Module, lanes: boolean): { encrypt: Blocks; one: Blocks } {
  const one = defineScalarBlocks(module, encryption());
  if (!lanes) return { encrypt: one, one };
  const many = defineLaneBlocks(module, encryption());
  const encrypt = module.define(undefined, ['i32', 'i32', 'i32'], undefined, (_, from, to, blocks) => [
    when(i32.eq(blocks, 1), one(from, to, 1), many(from, to, blocks)),
  ]);
  return { encrypt, one };
}
