/**
 * Serpent in linear memory: the memory map, the key schedule, and blocks one at a time.
 *
 *      offset  bytes  name
 *          64     32  KEY      of 256 bits: a shorter one is padded by the caller
 *          96    528  ROUND    the 33 round keys, with the constants of the S-boxes
 *         640    256  SETS     up to four sets of four blocks: word w of the four blocks of set s at 64·s + 16·w
 *         896    256  WORK     up to sixteen blocks: counters and keystream, or what is between two additions
 *        1152    256  OFFSETS  OCB: of up to sixteen blocks
 *        1408     16  STAR     OCB: L_*
 *        1424     16  DOLLAR   OCB: L_$
 *        1440    512  L        OCB: L_0 to L_31
 *        1952     32  STRETCH  OCB: the nonce, and what becomes of it
 *        1984     16  OFFSET   OCB: of the last block
 *        2000     16  CHECKSUM OCB: of the plaintext
 *        2016     16  SUM      OCB: of the additional data
 *        2032     16  TAG      OCB: the tag that a message came with
 *        2048   1024  AAD      OCB: additional data of a message that takes one call
 *        3072     16  COUNTER  CTR: of the next block, always little-endian; 16 spare bytes behind it
 *        3104     16  IV       CBC: the block before the first
 *        3120         DATA     the message, and OCB's tag behind it
 */
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

export const KEY = 64;
export const KEY_BYTES = 32;
export const ROUND = KEY + KEY_BYTES;
export const SETS = 640;
export const WORK = 896;
export const WORK_BYTES = 256;
export const OFFSETS = WORK + WORK_BYTES;
export const STAR = 1408;
export const DOLLAR = STAR + 16;
export const L = DOLLAR + 16;
export const STRETCH = 1952;
export const OFFSET = STRETCH + 32;
export const CHECKSUM = OFFSET + 16;
export const SUM = CHECKSUM + 16;
export const TAG = SUM + 16;
export const AAD = 2048;
export const AAD_BYTES = 1024;
export const COUNTER = AAD + AAD_BYTES;
export const IV = 3104;
export const DATA = IV + 16;
/** The most that one call takes: whole groups of sixteen blocks, so that a longer message goes on where the call stopped. */
export const DATA_BYTES = 122880;
/** So much may be written behind the message: a tag, padding, or blocks that fill a pair of sets. */
export const MARGIN = 128;
/** Of 64 KiB. */
export const PAGES = 2;
export const BLOCK = 16;

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
      // Key 8 stands for all that have the S-boxes of key 0.
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
      // The prekeys, of which the first eight words are the key.
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
      // Nothing is before the first round, and no linear transformation is in the last.
      ...mend(0),
      ...mend(ROUNDS),
    ];
  });

/** What one turn of a loop over the round keys does, for eight rounds. */
export interface Direction {
  /** Where the round keys of the first turn and of the last are, relative to those of the first rounds. */
  readonly first: number;
  readonly last: number;
  readonly step: number;
  /**
   * The rounds of a turn. `key` adds a round key, by its offset from the turn's. What is `after` is not in the last
   * round.
   */
  rounds<T extends ValueType>(
    run: Run<T>,
    x: readonly Local<T>[],
    key: (offset: number) => readonly Statement[],
  ): { readonly before: readonly Statement[]; readonly after: readonly Statement[] }[];
  /** Adding the last key, in front of the turns or behind them, by the offset from the turn's. */
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
