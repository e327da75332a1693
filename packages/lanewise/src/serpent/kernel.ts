/** Serpent in linear memory: the key schedule, and blocks one at a time. */
import { ROUND, BLOCK } from './map.ts';
import {
  BOXES,
  boxOfKey,
  constantOfKey,
  PHI,
  restore,
  ROUNDS,
  substitute,
  transform,
  transformBack,
} from './rounds.ts';
import { loop, sequence, set, tee, when } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Callable, Module } from '../wasm/module.ts';
import type { Expression, Local, Statement, ValueType } from '../wasm/types.ts';
import { scalarRun, type Run } from '../words/logic.ts';

/** The words of a block, or of a round key. */
export const WORDS = 4;
/** The bytes of the round keys of as many rounds as there are S-boxes: one turn of the loops over them. */
const TURN_BYTES = BOXES * BLOCK;
const LAST_KEY = ROUNDS * BLOCK;

/** The key at KEY becomes the round keys at ROUND. §4 */
export type Schedule = Callable<[], undefined>;

export const defineSchedule = (module: Module): Schedule =>
  module.define(undefined, [], undefined, (frame) => {
    const run = scalarRun(frame);
    const i = frame.local('i32');
    const address = frame.local('i32');
    const word = frame.local('i32');
    const x = frame.locals('i32', WORDS);
    const before = (distance: number) => i32.load(address, ROUND - 4 * distance);
    /** The words of one round key go through its S-box, and get their constants. */
    const key = (number: number): Statement[] => [
      ...x.map((local, w) => set(local, i32.load(address, ROUND + BLOCK * number + 4 * w))),
      ...run((logic, words) => substitute(logic, boxOfKey(number), words), x),
      // Key 8 stands for all keys that have the same S-boxes as key 0.
      ...constantOfKey(number || BOXES).map((constant, w) =>
        i32.store(address, ROUND + BLOCK * number + 4 * w, constant ? i32.xor(x[w], constant) : x[w]),
      ),
    ];
    const mend = (number: number): Statement[] =>
      constantOfKey(number).flatMap((constant, w) => {
        const difference = constant ^ constantOfKey(BOXES)[w];
        const at = ROUND + BLOCK * number + 4 * w;
        return difference ? [i32.store(0, at, i32.xor(i32.load(0, at), difference))] : [];
      });
    const [first, ...others] = Array.from({ length: BOXES }, (_, number) => key(number));
    return [
      // The prekeys; the first eight words are the key itself.
      set(word, i32.load(0, ROUND - 4)),
      loop(
        sequence(
          set(word, [before(8), before(5), before(3)].reduce<Expression<'i32'>>(i32.xor, word)),
          set(word, i32.rotl(i32.xor(i32.xor(word, PHI | 0), i), 11)),
          i32.store(address, ROUND, word),
          set(address, i32.add(address, 4)),
        ),
        i32.lt_u(tee(i, i32.add(i, 1)), WORDS * (ROUNDS + 1)),
      ),
      set(address, i32.value(0)),
      loop(
        sequence(
          ...first,
          when(i32.ne(address, LAST_KEY), sequence(...others.flat())),
          set(address, i32.add(address, TURN_BYTES)),
        ),
        i32.le_u(address, LAST_KEY),
      ),
      // Round key 0 has no round before it, and the last round has no linear transformation.
      ...mend(0),
      ...mend(ROUNDS),
    ];
  });

/** One turn of a loop over the round keys: eight rounds. */
export interface Direction {
  /** Where the round keys of the first turn and of the last are, relative to those of the first rounds. */
  readonly first: number;
  readonly last: number;
  readonly step: number;
  /**
   * The rounds of a turn. `key` adds the round key at an offset from the turn's first. The step `after` a round is left
   * out after the last one.
   */
  rounds<T extends ValueType>(
    run: Run<T>,
    x: readonly Local<T>[],
    key: (offset: number) => readonly Statement[],
  ): { readonly before: readonly Statement[]; readonly after: readonly Statement[] }[];
  /** The offset of the key that is added before the first turn or after the last one, from that turn's keys. */
  readonly keyBefore?: number;
  readonly keyBehind?: number;
}

const boxes = /* @__PURE__ */ Array.from({ length: BOXES }, (_, box) => box);

/** §3: in each round the key, the S-box, the linear transformation; in the last one a second key instead of that. */
export const encryption = (): Direction => ({
  first: 0,
  last: LAST_KEY - TURN_BYTES,
  step: TURN_BYTES,
  rounds: (run, x, key) =>
    boxes.map((box) => ({
      before: [...key(BLOCK * box), ...run((logic, words) => substitute(logic, box, words), x)],
      after: run(transform, x),
    })),
  keyBehind: 0,
});

/** §3.2: all of that backwards. */
export const decryption = (): Direction => ({
  first: LAST_KEY - TURN_BYTES,
  last: 0,
  step: -TURN_BYTES,
  rounds: (run, x, key) =>
    boxes
      .map((box) => ({
        before: [...run((logic, words) => restore(logic, box, words), x), ...key(BLOCK * box)],
        after: run(transformBack, x),
      }))
      .reverse(),
  keyBefore: TURN_BYTES,
});

/** (from, to, blocks): one or more blocks; both places may be the same. */
export type Blocks = Callable<['i32', 'i32', 'i32'], undefined>;

/** One block at a time, its words in locals. */
export const defineScalarBlocks = (module: Module, direction: Direction): Blocks =>
  module.define(undefined, ['i32', 'i32', 'i32'], undefined, (frame, from, to, blocks) => {
    const keys = frame.local('i32');
    const x = frame.locals('i32', WORDS);
    const { first, last, step, keyBefore, keyBehind } = direction;
    const key = (offset: number): Statement[] =>
      x.map((local, w) => set(local, i32.xor(local, i32.load(keys, ROUND + offset + 4 * w))));
    const rounds = direction.rounds(scalarRun(frame), x, key);
    return [
      loop(
        sequence(
          ...x.map((local, w) => set(local, i32.load(from, 4 * w))),
          set(keys, i32.value(first)),
          ...(keyBefore === undefined ? [] : key(keyBefore)),
          loop(
            sequence(
              ...rounds.flatMap(({ before, after }, i) => [
                ...before,
                ...(i < BOXES - 1 ? after : [when(i32.ne(keys, last), sequence(...after))]),
              ]),
            ),
            i32.ne(tee(keys, i32.add(keys, step)), last + step),
          ),
          ...(keyBehind === undefined ? [] : key(keyBehind)),
          ...x.map((local, w) => i32.store(to, 4 * w, local)),
          set(from, i32.add(from, BLOCK)),
          set(to, i32.add(to, BLOCK)),
        ),
        tee(blocks, i32.sub(blocks, 1)),
      ),
    ];
  });
