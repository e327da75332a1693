/**
 * NH, the first hash of Adiantum ("Adiantum: length-preserving encryption for entry-level processors", P. Crowley and
 * E. Biggers, 2018, §6.3): it maps up to 1024 bytes of message to 32 bytes. In each of four passes, whose keys start 16
 * bytes apart,
 *
 *     sum of (m0 + k0)·(m2 + k2) + (m1 + k1)·(m3 + k3) modulo 2^64
 *
 * over the units of four words, where the sums in brackets are modulo 2^32.
 */
import { loop, sequence, set, tee, when } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import * as i64 from '../wasm/i64.ts';
import type { Callable, Frame, Module } from '../wasm/module.ts';
import type { Expression, Local, Operand, Statement } from '../wasm/types.ts';
import * as v128 from '../wasm/v128.ts';
import { NH_KEY } from './map.ts';

export const PIECE_BYTES = 1024;
export const HASH_BYTES = 32;
export const UNIT = 16;
export const PASSES = 4;
const WORDS = 4;

/** How NH multiplies and adds up, in the locals of a function. */
export interface NhSums {
  /** All sums are zero. */
  readonly clear: Statement;
  /** One unit of message and its keys, by addresses. */
  add(message: Local<'i32'>, key: Local<'i32'>): Statement[];
  /** Writes the sums to an address. */
  store(to: Local<'i32'>): Statement[];
  /** The same for several units, in arithmetics where this is faster. */
  readonly many?: { readonly units: number; add(message: Local<'i32'>, key: Local<'i32'>): Statement[] };
}
export type NhArithmetic = (frame: Frame) => NhSums;

/** Word w of a unit with the key of a pass. */
export const keyed = (m: readonly Local<'i32'>[], key: Local<'i32'>, pass: number, w: number): Expression<'i32'> =>
  i32.add(m[w], i32.load(key, UNIT * pass + 4 * w));

/** In 64-bit integers. */
export const nhIntegers: NhArithmetic = (frame) => {
  const sums = frame.locals('i64', PASSES);
  const m = frame.locals('i32', WORDS);
  return {
    clear: sequence(...sums.map((sum) => set(sum, i64.value(0n)))),
    add: (message, key) => [
      ...m.map((word, w) => set(word, i32.load(message, 4 * w))),
      ...sums.map((sum, pass) => {
        const word = (w: number) => i64.extend_i32_u(keyed(m, key, pass, w));
        return set(sum, i64.add(i64.add(sum, i64.mul(word(0), word(2))), i64.mul(word(1), word(3))));
      }),
    ],
    store: (to) => sums.map((sum, pass) => i64.store(to, 8 * pass, sum)),
  };
};

/** In vectors: both products of a unit side by side. */
export const nhLanes: NhArithmetic = (frame) => {
  const UNITS = 4;
  const sums = frame.locals('v128', PASSES);
  const m = frame.local('v128');
  const t = frame.local('v128');
  const keys = frame.locals('v128', UNITS + PASSES - 1);
  const add = (message: Local<'i32'>, offset: number, key: (pass: number) => Expression<'v128'>): Statement[] => [
    set(m, v128.load(message, offset)),
    ...sums.flatMap((sum, pass) => [
      set(t, v128.i32x4_add(m, key(pass))),
      set(sum, v128.i64x2_add(sum, v128.i64x2_extmul_low_i32x4_u(t, v128.shuffle32(t, t, 2, 3, 2, 3)))),
    ]),
  ];
  return {
    clear: sequence(...sums.map((sum) => set(sum, v128.i32x4(0, 0, 0, 0)))),
    add: (message, key) => add(message, 0, (pass) => v128.load(key, UNIT * pass)),
    many: {
      units: UNITS,
      add: (message, key) => [
        ...keys.map((vector, i) => set(vector, v128.load(key, UNIT * i))),
        ...Array.from({ length: UNITS }, (_, unit) => add(message, UNIT * unit, (pass) => keys[unit + pass])).flat(),
      ],
    },
    store: (to) =>
      [0, 2].map((pass) => {
        const [a, b] = [sums[pass], sums[pass + 1]];
        const halves = [v128.shuffle32(a, b, 0, 1, 4, 5), v128.shuffle32(a, b, 2, 3, 6, 7)] as const;
        return v128.store(to, 8 * pass, v128.i64x2_add(...halves));
      }),
  };
};

/** (address, length, to): the hashes of a message's pieces one after the other; the length is in whole units. */
export type Nh = Callable<['i32', 'i32', 'i32'], undefined>;

export function defineNh(module: Module, arithmetic: NhArithmetic): Nh {
  /** (address, units, to): the hash of one piece, which is not empty. */
  const piece = module.define('nh', ['i32', 'i32', 'i32'], undefined, (frame, address, units, to) => {
    const sums = arithmetic(frame);
    const key = frame.local('i32');
    const groups = frame.local('i32');
    const moved = (count: number): Statement[] => [
      set(address, i32.add(address, UNIT * count)),
      set(key, i32.add(key, UNIT * count)),
    ];
    const turns = (count: Local<'i32'>, ...body: readonly Statement[]): Statement =>
      when(count, loop(sequence(...body), tee(count, i32.sub(count, 1))));
    const { many } = sums;
    return [
      sums.clear,
      set(key, i32.value(NH_KEY)),
      ...(many
        ? [
            set(groups, i32.shr_u(units, Math.log2(many.units))),
            set(units, i32.and(units, many.units - 1)),
            turns(groups, ...many.add(address, key), ...moved(many.units)),
          ]
        : []),
      turns(units, ...sums.add(address, key), ...moved(1)),
      ...sums.store(to),
    ];
  });

  return module.define(undefined, ['i32', 'i32', 'i32'], undefined, (_, address, length, to) => {
    const next = (size: Operand<'i32'>): Statement => piece(address, i32.shr_u(size, 4), to);
    return [
      when(
        i32.ge_u(length, PIECE_BYTES),
        loop(
          sequence(
            next(PIECE_BYTES),
            set(address, i32.add(address, PIECE_BYTES)),
            set(to, i32.add(to, HASH_BYTES)),
            set(length, i32.sub(length, PIECE_BYTES)),
          ),
          i32.ge_u(length, PIECE_BYTES),
        ),
      ),
      when(length, next(length)),
    ];
  });
}
