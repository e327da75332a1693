/** The counter blocks of CTR, one at a time or with the cipher in lanes. */
import { loop, sequence, set, tee, when } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Callable, Module } from '../wasm/module.ts';
import type { Expression, Statement } from '../wasm/types.ts';
import * as v128 from '../wasm/v128.ts';
import { encryption, WORDS } from './kernel.ts';
import { BLOCK, COUNTER, STAGE, WORK } from './map.ts';
import { both, GROUP_BYTES, groups, type LaneSet } from './lanes.ts';
import { LANES } from '../words/lanes.ts';
import { reversed } from './rows.ts';

/**
 * (big, blocks): the next counters go to WORK, and COUNTER advances. Counters have 128 bits, and the caller has made
 * sure that they do not overflow. COUNTER is little-endian also when the blocks are big-endian.
 */
export type Counters = Callable<['i32', 'i32'], undefined>;

export const defineScalarCounters = (module: Module): Counters =>
  module.define(undefined, ['i32', 'i32'], undefined, (frame, big, blocks) => {
    const words = frame.locals('i32', WORDS);
    const row = frame.local('i32');
    const carry = frame.local('i32');
    const sum = frame.local('i32');
    return [
      ...words.map((word, w) => set(word, i32.load(0, COUNTER + 4 * w))),
      loop(
        sequence(
          when(
            big,
            sequence(...words.map((word, w) => i32.store(row, WORK + 12 - 4 * w, reversed(word)))),
            sequence(...words.map((word, w) => i32.store(row, WORK + 4 * w, word))),
          ),
          set(carry, i32.value(1)),
          ...words.map((word) =>
            sequence(
              set(sum, i32.add(word, carry)),
              // There is a carry if the top bit was set before and is clear now.
              set(carry, i32.shr_u(i32.and(word, i32.xor(sum, -1)), 31)),
              set(word, sum),
            ),
          ),
          set(row, i32.add(row, BLOCK)),
        ),
        tee(blocks, i32.sub(blocks, 1)),
      ),
      ...words.map((word, w) => i32.store(0, COUNTER + 4 * w, word)),
    ];
  });

const REVERSAL = /* @__PURE__ */ Array.from({ length: BLOCK }, (_, i) => i ^ 3);

/** (big, blocks): the keystream of two or more blocks XORed onto STAGE, four counters at a time, a lane each. */
export const defineLaneCtr = (module: Module): Callable<['i32', 'i32'], undefined> =>
  module.define(undefined, ['i32', 'i32'], undefined, (frame, big, blocks) => {
    const words = frame.locals('v128', WORDS);
    const carry = frame.local('v128');
    const sum = frame.local('v128');
    const address = frame.local('i32');
    const mask = frame.local('v128');
    /** Adds to the lowest word, and carries into the others: for a carry, the comparison of sum and word gives -1. */
    const advance = (step: Expression<'v128'>): Statement[] =>
      words.flatMap((word, w) => [
        set(sum, w ? v128.i32x4_sub(word, carry) : v128.i32x4_add(word, step)),
        set(carry, v128.i32x4_lt_u(sum, word)),
        set(word, sum),
      ]);
    const count = ({ x }: LaneSet): Statement =>
      sequence(
        when(
          big,
          sequence(...x.map((local, w) => set(local, v128.i8x16_swizzle(words[WORDS - 1 - w], mask)))),
          sequence(...x.map((local, w) => set(local, words[w]))),
        ),
        ...advance(v128.i32x4(LANES, LANES, LANES, LANES)),
      );
    return [
      set(mask, v128.i8x16(...REVERSAL)),
      ...words.map((word, w) => set(word, v128.load32_splat(0, COUNTER + 4 * w))),
      ...advance(v128.i32x4(0, 1, 2, 3)),
      ...groups(frame, encryption(), blocks, {
        fill: (pair) => sequence(...pair.map(count)),
        drain: (pair, base) =>
          both(pair, ({ x, at, turn, store }) => [
            ...turn,
            ...x.map((local, i) =>
              set(local, v128.xor(local, v128.load(i32.add(address, base), STAGE + at + BLOCK * i))),
            ),
            ...store(i32.add(address, base), STAGE),
          ]),
        next: [set(address, i32.add(address, GROUP_BYTES))],
      }),
      // The first lane's counter is the one after the last set.
      ...words.map((word, w) => i32.store(0, COUNTER + 4 * w, v128.i32x4_extract_lane(word, 0))),
    ];
  });
