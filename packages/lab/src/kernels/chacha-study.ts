/**
 * ChaCha20 kernels written by hand, for study: every instruction where a person put it, no rounds, no words, no sharing
 * with the library but its assembler. The library's generated kernel is measured against the best of these.
 *
 *      offset  bytes  name
 *           0     32  MASKS   byte rotations by 16 and by 8
 *          64     64  STATE   the input block, RFC 8439 §2.3
 *         256   1024  SETS    up to four sets of four blocks: word w of the four blocks of set s at 256·s + 16·w
 *        2048         DATA
 */
import { loop, sequence, set, tee, when } from '../../../lanewise/src/wasm/control.ts';
import * as i32 from '../../../lanewise/src/wasm/i32.ts';
import { Module } from '../../../lanewise/src/wasm/module.ts';
import type { Expression, Local, Statement } from '../../../lanewise/src/wasm/types.ts';
import * as v128 from '../../../lanewise/src/wasm/v128.ts';
import { masks, MASKS, rotationsIn, type Count, type Rotations } from './rotations.ts';

export const STATE = 64;
const COUNTER = STATE + 48;
const SETS = 256;
export const DATA = 2048;
const PAGES = 3;
const SET_BYTES = 256;
const BLOCK = 64;

/** Where the sixteen words of a set are kept during the rounds. */
export type Place = 'memory' | 'locals';

export interface Variant {
  readonly place: Place;
  /** Sets of four blocks each, 1 to 4. */
  readonly sets: number;
  readonly rotations: Rotations;
}

export interface StudyFunctions {
  /** XORs the keystream onto `blocks` blocks at DATA, a multiple of 4, and advances the counter in STATE. */
  xor(blocks: number): void;
}

export const COLUMNS = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
] as const;
export const DIAGONALS = [
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
] as const;

type Vector = Local<'v128'>;

/**
 * Four steps of a quarter round on the words a, b, c, d: the word that is added to, the addend, the word that is XORed
 * and rotated, and the rotation count.
 */
export const STEPS = [
  [0, 1, 3, 16],
  [2, 3, 1, 12],
  [0, 1, 3, 8],
  [2, 3, 1, 7],
] as const;

/** Defines a function (address, groups) for groups of this many sets. */
function defineGroups(module: Module, { place, sets, rotations: form }: Variant) {
  return module.define(undefined, ['i32', 'i32'], undefined, (frame, address, groups) => {
    const rotation = rotationsIn(frame, form);
    const rounds = frame.local('i32');
    const [a, b, c, d] = frame.locals('v128', 4);
    const [low01, low23, high01, high23] = frame.locals('v128', 4);
    const each = Array.from({ length: sets }, (_, s) => s);
    const words = Array.from({ length: 16 }, (_, w) => w);

    const initial = (s: number, w: number): Expression<'v128'> => {
      const splat = v128.load32_splat(0, STATE + 4 * w);
      return w === 12 ? v128.i32x4_add(splat, v128.i32x4(4 * s, 4 * s + 1, 4 * s + 2, 4 * s + 3)) : splat;
    };
    const step = (target: Vector, source: Vector, mixed: Vector, count: Count): Statement =>
      sequence(
        set(target, v128.i32x4_add(target, source)),
        set(mixed, rotation.rotated(v128.xor(mixed, target), count)),
      );

    /** All rounds, from the initial state on, and the place of each word afterwards. */
    const inMemory = (): { code: Statement; word: (s: number, w: number) => Expression<'v128'> } => {
      const at = (s: number, w: number): number => SETS + SET_BYTES * s + 16 * w;
      const quarterRound = (s: number, [p, q, r, t]: readonly [number, number, number, number]): Statement => {
        const row = [a, b, c, d];
        return sequence(
          set(a, v128.load(0, at(s, p))),
          set(b, v128.load(0, at(s, q))),
          set(d, v128.load(0, at(s, t))),
          set(c, v128.load(0, at(s, r))),
          ...STEPS.map(([x, y, z, count]) => step(row[x], row[y], row[z], count)),
          v128.store(0, at(s, p), a),
          v128.store(0, at(s, q), b),
          v128.store(0, at(s, r), c),
          v128.store(0, at(s, t), d),
        );
      };
      return {
        code: sequence(
          ...each.flatMap((s) => words.map((w) => v128.store(0, at(s, w), initial(s, w)))),
          set(rounds, i32.value(10)),
          loop(
            sequence(
              ...each.flatMap((s) => COLUMNS.map((quad) => quarterRound(s, quad))),
              ...each.flatMap((s) => DIAGONALS.map((quad) => quarterRound(s, quad))),
            ),
            tee(rounds, i32.sub(rounds, 1)),
          ),
        ),
        word: (s, w) => v128.load(0, at(s, w)),
      };
    };

    /**
     * Makes the same step of four quarter rounds in all sets before the next step: the longest distance between
     * dependent instructions.
     */
    const inLocals = (): ReturnType<typeof inMemory> => {
      const x = each.map(() => frame.locals('v128', 16));
      const half = (quads: typeof COLUMNS | typeof DIAGONALS): Statement[] =>
        STEPS.flatMap(([p, q, r, count]) =>
          x.flatMap((row) => quads.map((quad) => step(row[quad[p]], row[quad[q]], row[quad[r]], count))),
        );
      return {
        code: sequence(
          ...each.flatMap((s) => words.map((w) => set(x[s][w], initial(s, w)))),
          set(rounds, i32.value(10)),
          loop(sequence(...half(COLUMNS), ...half(DIAGONALS)), tee(rounds, i32.sub(rounds, 1))),
        ),
        word: (s, w) => x[s][w],
      };
    };

    const { code, word } = place === 'memory' ? inMemory() : inLocals();

    /**
     * Four words of four blocks: the initial state is added, the words are transposed into 16 bytes of each block, and
     * XORed onto the data.
     */
    const output = (s: number, w: number): Statement => {
      const onto = (block: number, keystream: Expression<'v128'>): Statement => {
        const at = SET_BYTES * s + BLOCK * block + 4 * w;
        return v128.store(address, at, v128.xor(v128.load(address, at), keystream));
      };
      return sequence(
        ...[a, b, c, d].map((row, i) => set(row, v128.i32x4_add(word(s, w + i), initial(s, w + i)))),
        set(low01, v128.shuffle32(a, b, 0, 4, 1, 5)),
        set(low23, v128.shuffle32(c, d, 0, 4, 1, 5)),
        set(high01, v128.shuffle32(a, b, 2, 6, 3, 7)),
        set(high23, v128.shuffle32(c, d, 2, 6, 3, 7)),
        onto(0, v128.shuffle32(low01, low23, 0, 1, 4, 5)),
        onto(1, v128.shuffle32(low01, low23, 2, 3, 6, 7)),
        onto(2, v128.shuffle32(high01, high23, 0, 1, 4, 5)),
        onto(3, v128.shuffle32(high01, high23, 2, 3, 6, 7)),
      );
    };

    return [
      rotation.load,
      loop(
        sequence(
          code,
          ...each.flatMap((s) => [0, 4, 8, 12].map((w) => output(s, w))),
          i32.store(0, COUNTER, i32.add(i32.load(0, COUNTER), 4 * sets)),
          set(address, i32.add(address, SET_BYTES * sets)),
        ),
        tee(groups, i32.sub(groups, 1)),
      ),
    ];
  });
}

/** A function (address, groups). */
type Groups = ReturnType<typeof defineGroups>;

/**
 * Exports `memory` and StudyFunctions. Blocks that do not fill a group of this many go through a function of the least groups.
 */
export function moduleOf(
  perGroup: number,
  perLeast: number,
  define: (module: Module, blocks: number) => Groups,
): Module {
  const module = new Module(PAGES);
  module.data(MASKS, masks);
  const groups = define(module, perGroup);
  const least = perGroup === perLeast ? groups : define(module, perLeast);
  module.define('xor', ['i32'], undefined, (frame, blocks) => {
    const whole = frame.local('i32');
    const rest = frame.local('i32');
    const blocksLeft = i32.sub(blocks, i32.mul(whole, perGroup));
    return [
      // The assembler has no division: 64 KiB is 1024 blocks, and the quotient of (n · ⌈2^16 / g⌉) is exact up to that
      // number.
      set(whole, i32.shr_u(i32.mul(blocks, Math.ceil(2 ** 16 / perGroup)), 16)),
      set(rest, perLeast === 1 ? blocksLeft : i32.shr_u(blocksLeft, Math.log2(perLeast))),
      when(whole, groups(DATA, whole)),
      when(rest, least(i32.add(DATA, i32.mul(whole, perGroup * BLOCK)), rest)),
    ];
  });
  return module;
}

export const studyModule = (variant: Variant): Module =>
  moduleOf(4 * variant.sets, 4, (module, blocks) => defineGroups(module, { ...variant, sets: blocks / 4 }));
