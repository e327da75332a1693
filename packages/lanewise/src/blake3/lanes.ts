/**
 * BLAKE3 on sets of four compressions, one per lane, four sets in turn: 64 chunks fill them. A set is 576 bytes at SETS:
 *
 *      offset  bytes  name
 *           0    256  M   word w of the four blocks at 16·w
 *         256    256  V   the state; its first half is the chaining value between blocks
 *         512     32  C   the low and the high words of the counters
 *
 * The loops over the sets keep the function small; unrolling the seven rounds keeps the message's words at static
 * offsets. One function serves both chunks and parents.
 */
import * as blake3 from './rounds.ts';
import { loop, sequence, set, tee, when } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Quad } from '../words/machine.ts';
import type { Callable, Frame, Module } from '../wasm/module.ts';
import type { Expression, Local, Operand, Statement } from '../wasm/types.ts';
import * as v128 from '../wasm/v128.ts';
import { advance, NODES, type Nodes } from './kernel.ts';
import { CV, CV_BYTES, KEY, MASKS, SETS } from './map.ts';
import { eachSet, LANES, quarterRounds } from '../words/lanes.ts';
import { filled, hole, laneWords, transposed, type Rotation } from '../words/locals.ts';

const MOST_SETS = 4;
const M = SETS;
const V = M + 256;
const C = V + 256;
const SET_BYTES = 576;
/** To the left: those by whole bytes, and one of the others. */
export const rotations: Pick<Rotation, 'counts' | 'multiplied'> = { counts: [32 - 16, 32 - 8], multiplied: 32 - 7 };

const half = Array.from({ length: 8 }, (_, w) => w);
const splat = (word: number): Expression<'v128'> => v128.i32x4(word, word, word, word);

/** (end): the seven rounds on all sets up to `end`. Compared with the rounds, one call per block costs nothing. */
export type Rounds = Callable<['i32'], undefined>;

export const defineRounds = (module: Module, relaxed: boolean): Rounds =>
  module.define(undefined, ['i32'], undefined, (frame, end) => {
    const words = laneWords(frame, { relaxed, masks: MASKS, ...rotations });
    const base = frame.local('i32');
    const pair = [frame.locals('v128', 4), frame.locals('v128', 4)];
    const mix = (quads: readonly Quad[], word: number): Statement[] =>
      quarterRounds(pair, quads, base, V, (side, number) => {
        const [a, b, c, d] = pair[side];
        const x = word + 2 * number;
        blake3.mix(words, a, b, c, d, hole(x), hole(x + 1));
        return words.taken();
      });
    const round = [
      eachSet(base, end, SET_BYTES, ...mix(blake3.columns, 0)),
      eachSet(base, end, SET_BYTES, ...mix(blake3.diagonals, 8)),
    ];
    return [
      words.prologue,
      ...blake3.schedule.map((order) =>
        filled(
          round,
          order.map((w) => v128.load(base, M + 16 * w)),
        ),
      ),
    ];
  });

/** The steps on a group of sets that both functions share. */
function sets(frame: Frame) {
  const base = frame.local('i32');
  const end = frame.local('i32');
  const taken = frame.local('i32');
  const rows = frame.locals('v128', 4);
  const transpose = transposed(frame, rows);
  const each = (...body: readonly Statement[]): Statement => eachSet(base, end, SET_BYTES, ...body);

  return {
    base,
    end,
    taken,
    each,
    /** Transposes four rows: `row` makes each of them in turn, and `column` takes the resulting columns. */
    transpose: (
      row: (i: number) => Expression<'v128'>,
      column: (i: number, words: Expression<'v128'>) => Statement,
    ): Statement[] => [
      ...rows.map((local, i) => set(local, row(i))),
      transpose.prologue,
      ...transpose.columns.map((words, i) => column(i, words)),
    ],
    /** The second half of the state, for blocks of `length` bytes. */
    secondHalf: (length: Operand<'i32'>, flags: Operand<'i32'>): Statement[] => [
      ...[0, 1, 2, 3].map((i) => v128.store(base, V + 16 * (8 + i), splat(blake3.IV[i]))),
      ...[0, 1].map((i) => v128.store(base, V + 16 * (12 + i), v128.load(base, C + 16 * i))),
      v128.store(base, V + 16 * 14, v128.i32x4_splat(length)),
      v128.store(base, V + 16 * 15, v128.i32x4_splat(flags)),
    ],
    /** The counters of the lanes of all sets: `low`, `high` and their multiples of `step`. */
    counters: (low: Local<'i32'>, high: Local<'i32'>, step: Operand<'i32'>): Statement[] => {
      const [lane, steps, start] = rows;
      return [
        set(start, v128.i32x4_splat(low)),
        set(steps, v128.i32x4_splat(step)),
        set(lane, v128.i32x4_add(start, v128.i32x4_mul(steps, v128.i32x4(0, 1, 2, 3)))),
        set(steps, v128.i32x4_shl(steps, 2)),
        each(
          v128.store(base, C, lane),
          // A low word that is less than the first one has overflowed; the comparison then gives -1, which carries into
          // the high word.
          v128.store(base, C + 16, v128.i32x4_sub(v128.i32x4_splat(high), v128.i32x4_lt_u(lane, start))),
          set(lane, v128.i32x4_add(lane, steps)),
        ),
      ];
    },
    /** How many lanes are in the sets that `count` more nodes get, at most four sets. */
    take: (count: Operand<'i32'>): Statement =>
      sequence(
        set(taken, i32.and(i32.add(count, LANES - 1), -LANES)),
        when(i32.gt_u(taken, MOST_SETS * LANES), set(taken, i32.value(MOST_SETS * LANES))),
        set(end, i32.mul(taken, SET_BYTES / LANES)),
      ),
  };
}

/**
 * Any number of nodes. Unfilled lanes read the bytes after the last node, and write after the last chaining value.
 */
export const defineLaneNodes = (module: Module, rounds: Rounds): Nodes =>
  module.define(
    undefined,
    NODES,
    undefined,
    (frame, address, count, stride, blocks, tail, low, high, step, flags, first, last, out) => {
      const group = sets(frame);
      const { base, taken } = group;
      const left = frame.local('i32');
      const now = frame.local('i32');
      const block = frame.local('i32');
      const node = frame.local('i32');
      const length = frame.local('i32');
      return [
        loop(
          sequence(
            group.take(count),
            ...group.counters(low, high, step),
            group.each(...half.map((w) => v128.store(base, V + 16 * w, v128.load32_splat(0, KEY + 4 * w)))),
            set(left, blocks),
            set(now, i32.or(flags, first)),
            set(block, address),
            set(length, i32.value(blake3.BLOCK_BYTES)),
            loop(
              sequence(
                set(left, i32.sub(left, 1)),
                when(i32.eqz(left), sequence(set(now, i32.or(now, last)), set(length, tail))),
                set(node, block),
                group.each(
                  ...[0, 4, 8, 12].flatMap((w) => [
                    ...group.transpose(
                      (i) => v128.load(i32.add(node, i32.mul(stride, i)), 4 * w),
                      (i, words) => v128.store(base, M + 16 * (w + i), words),
                    ),
                  ]),
                  set(node, i32.add(node, i32.shl(stride, 2))),
                  ...group.secondHalf(length, now),
                ),
                rounds(group.end),
                group.each(
                  ...half.map((w) =>
                    v128.store(
                      base,
                      V + 16 * w,
                      v128.xor(v128.load(base, V + 16 * w), v128.load(base, V + 16 * (w + 8))),
                    ),
                  ),
                ),
                set(now, flags),
                set(block, i32.add(block, blake3.BLOCK_BYTES)),
              ),
              left,
            ),
            group.each(
              ...[0, 4].flatMap((w) =>
                group.transpose(
                  (i) => v128.load(base, V + 16 * (w + i)),
                  (i, words) => v128.store(out, CV_BYTES * i + 4 * w, words),
                ),
              ),
              set(out, i32.add(out, LANES * CV_BYTES)),
            ),
            set(address, i32.add(address, i32.mul(stride, taken))),
            advance(low, high, i32.mul(step, taken)),
            when(i32.lt_u(count, taken), set(taken, count)),
          ),
          tee(count, i32.sub(count, taken)),
        ),
      ];
    },
  );

/** (block, length, counterLow, counterHigh, flags, blocks, out): output blocks of the root, §2.6, from CV. */
export type Output = Callable<['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32'], undefined>;
export const OUTPUT = ['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32'] as const;

export const defineLaneOutput = (module: Module, rounds: Rounds): Output =>
  module.define(undefined, OUTPUT, undefined, (frame, block, length, low, high, flags, blocks, out) => {
    const group = sets(frame);
    const { base, end, taken } = group;
    const all = Array.from({ length: 16 }, (_, w) => w);
    return [
      set(end, i32.value(MOST_SETS * SET_BYTES)),
      group.each(...all.map((w) => v128.store(base, M + 16 * w, v128.load32_splat(block, 4 * w)))),
      loop(
        sequence(
          group.take(blocks),
          ...group.counters(low, high, 1),
          group.each(
            ...half.map((w) => v128.store(base, V + 16 * w, v128.load32_splat(0, CV + 4 * w))),
            ...group.secondHalf(length, flags),
          ),
          rounds(group.end),
          group.each(
            ...[0, 4].flatMap((w) => [
              ...group.transpose(
                (i) => v128.xor(v128.load(base, V + 16 * (w + i)), v128.load(base, V + 16 * (w + i + 8))),
                (i, words) => v128.store(out, blake3.BLOCK_BYTES * i + 4 * w, words),
              ),
              ...group.transpose(
                (i) => v128.xor(v128.load(base, V + 16 * (w + i + 8)), v128.load32_splat(0, CV + 4 * (w + i))),
                (i, words) => v128.store(out, blake3.BLOCK_BYTES * i + 4 * (w + 8), words),
              ),
            ]),
            set(out, i32.add(out, LANES * blake3.BLOCK_BYTES)),
          ),
          advance(low, high, taken),
          when(i32.lt_u(blocks, taken), set(taken, blocks)),
        ),
        tee(blocks, i32.sub(blocks, taken)),
      ),
    ];
  });
