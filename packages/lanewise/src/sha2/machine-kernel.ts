/**
 * The machines that SHA-2 is emitted for: words in one local, of 32 or 64 bits, and words of 64 bits in two locals, from which
 * the text of the `js` engine is made. What a machine computes is recorded in order.
 */
import { sequence, set, tee } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import * as i64 from '../wasm/i64.ts';
import type { Frame } from '../wasm/module.ts';
import type { Expression, Local, Operand, Statement } from '../wasm/types.ts';
import * as v128 from '../wasm/v128.ts';
import { carried } from '../words/arithmetic.ts';
import { firstHalves, secondHalves } from '../words/locals.ts';
import { CONSTANTS, SCHEDULE, SUMS } from './map.ts';
import { scheduled, small, type Sha2Rounds, type Sha2Words } from './rounds.ts';

export const BLOCK_WORDS = 16;

type Address = Operand<'i32'>;

/** The operations of rounds. `V` is a value; registers are some of them. Addresses have no effects, so they may be evaluated more than once. */
export interface RoundMachine<V> extends Sha2Words<V> {
  /** The bytes of a word in the schedule: those of all lanes. */
  readonly stride: 4 | 8 | 16;
  register(): V;
  set(register: V, value: V): void;
  load(address: Address, offset: number): V;
  store(address: Address, offset: number, value: V): void;
  /** The constant of the round that is `round` after the one whose word of the schedule is at the offset `at`. */
  constant(at: Local<'i32'>, round: number): V;
  /** The statements since the last call. */
  taken(): Statement;
  /** Left out where the schedule is made word by word. */
  readonly vectors?: VectorSchedule<V>;
}

/** A schedule that is made in vectors. */
interface VectorSchedule<V> {
  /** How many words are made at once. */
  readonly words: number;
  /** Makes those that are the first words of the bytes at an address. */
  begin(address: Address, at: Local<'i32'>): void;
  /** Makes those for 16 rounds after the rounds from `round` on. */
  make(at: Local<'i32'>, round: number): void;
  /** The sum of a word and of the constant of its round, if it is stored. */
  readonly sum: ((at: Local<'i32'>, round: number) => V) | undefined;
}

/** One block at a time. */
export interface Machine<V> extends RoundMachine<V> {
  readonly stride: 4 | 8;
  /** Words in the order of the specification, at any address. §3.1 */
  loadBigEndian(address: Address, offset: number): V;
  storeBigEndian(address: Address, offset: number, value: V): void;
}

/** The bytes of a word in the opposite order. The word is read twice, so `t` holds it. */
const swapped = (t: Local<'i32'>, x: Expression<'i32'>): Expression<'i32'> =>
  i32.or(i32.and(i32.rotl(tee(t, x), 8), 0x00ff00ff), i32.and(i32.rotl(t, 24), 0xff00ff00 | 0));

/** What the machines share: the recorder, and memory access by words of 32 bits. */
function recorder(frame: Frame) {
  let code: Statement[] = [];
  const t = frame.local('i32');
  return {
    record: (statement: Statement): void => void code.push(statement),
    taken: (): Statement => {
      const statements = sequence(...code);
      code = [];
      return statements;
    },
    swappedLoad: (address: Address, offset: number) => swapped(t, i32.load_unaligned(address, offset)),
    swappedStore: (address: Address, offset: number, x: Expression<'i32'>) =>
      i32.store_unaligned(address, offset, swapped(t, x)),
  };
}

export function words32(frame: Frame, shared = recorder(frame)): Machine<Expression<'i32'>> {
  const { record, taken, swappedLoad, swappedStore } = shared;
  return {
    stride: 4,
    add: i32.add,
    xor: i32.xor,
    and: i32.and,
    rotr: i32.rotr,
    shr: i32.shr_u,
    register: () => frame.local('i32'),
    set: (register, value) => record(set(register as Local<'i32'>, value)),
    load: i32.load,
    constant: (at, round) => i32.load(at, CONSTANTS + 4 * round),
    store: (address, offset, value) => record(i32.store(address, offset, value)),
    loadBigEndian: swappedLoad,
    storeBigEndian: (address, offset, value) => record(swappedStore(address, offset, value)),
    taken,
  };
}

export function words64(frame: Frame, shared = recorder(frame)): Machine<Expression<'i64'>> {
  const { record, taken, swappedLoad, swappedStore } = shared;
  const t = frame.local('i64');
  const high = (x: Expression<'i64'>): Expression<'i32'> => i64.wrap_i64(i64.shr_u(x, 32n));
  const extended = i64.extend_i32_u;
  return {
    stride: 8,
    add: i64.add,
    xor: i64.xor,
    and: i64.and,
    rotr: (x, count) => i64.rotr(x, BigInt(count)),
    shr: (x, count) => i64.shr_u(x, BigInt(count)),
    register: () => frame.local('i64'),
    set: (register, value) => record(set(register as Local<'i64'>, value)),
    load: i64.load,
    constant: (at, round) => i64.load(at, CONSTANTS + 8 * round),
    store: (address, offset, value) => record(i64.store(address, offset, value)),
    loadBigEndian: (address, offset) =>
      i64.or(i64.shl(extended(swappedLoad(address, offset)), 32n), extended(swappedLoad(address, offset + 4))),
    storeBigEndian(address, offset, value) {
      record(set(t, value));
      record(swappedStore(address, offset, high(t)));
      record(swappedStore(address, offset + 4, i64.wrap_i64(t)));
    },
    taken,
  };
}

/** The bytes of each word of a vector in the opposite order. */
export const reversed = (words: Expression<'v128'>, wordBytes: 4 | 8): Expression<'v128'> =>
  v128.i8x16_swizzle(words, v128.i8x16(...Array.from({ length: 16 }, (_, i) => i ^ (wordBytes - 1))));

/** A word in each lane. */
export function laneWords(frame: Frame, bits: 32 | 64, shared = recorder(frame)): RoundMachine<Expression<'v128'>> {
  const { record, taken } = shared;
  const [add, shl, shr] =
    bits === 32
      ? [v128.i32x4_add, v128.i32x4_shl, v128.i32x4_shr_u]
      : [v128.i64x2_add, v128.i64x2_shl, v128.i64x2_shr_u];
  return {
    stride: 16,
    add,
    xor: v128.xor,
    and: v128.and,
    rotr: (x, count) => v128.or(shl(x, bits - count), shr(x, count)),
    shr,
    register: () => frame.local('v128'),
    set: (register, value) => record(set(register as Local<'v128'>, value)),
    // In a local, because a rotation reads its operand twice.
    load(address, offset) {
      const word = frame.local('v128');
      record(set(word, v128.load(address, offset)));
      return word;
    },
    store: (address, offset, value) => record(v128.store(address, offset, value)),
    constant: (at, round) => v128.load32_splat(i32.shr_u(at, 2), CONSTANTS + 4 * round),
    taken,
  };
}

/** Makes a machine, which shares a recorder with another. */
export type WordMachine<V> = (frame: Frame, shared?: ReturnType<typeof recorder>) => Machine<V>;

/** A machine whose schedule is made in vectors of words that follow each other. */
export const inVectors =
  <V>(of: WordMachine<V>, rounds: Sha2Rounds): WordMachine<V> =>
  (frame) => {
    const shared = recorder(frame);
    const [scalar, w] = [of(frame, shared), laneWords(frame, rounds.bits, shared)];
    const { stride } = scalar;
    // Of four words, the last two need the first two.
    const four = stride === 4;
    // Variables begin as zeros.
    const [zeros, last, next] = frame.locals('v128', 3);
    const keep = (at: Local<'i32'>, round: number): void => {
      w.store(at, SCHEDULE + stride * round, next);
      if (four) w.store(at, SUMS + stride * round, w.add(next, v128.load(at, CONSTANTS + stride * round)));
    };
    return {
      ...scalar,
      vectors: {
        words: w.stride / stride,
        begin(address, at) {
          w.set(next, reversed(v128.load(i32.add(address, at)), stride));
          keep(at, 0);
        },
        make(at, round) {
          const words = (number: number) => v128.load(at, SCHEDULE + stride * (round + number));
          w.set(last, four ? secondHalves(words(12), zeros) : words(14));
          w.set(next, words(1));
          w.set(next, scheduled(w, rounds, [last, words(9), next, words(0)]));
          if (four) {
            w.set(last, firstHalves(zeros, next));
            w.set(next, w.add(next, small(w, last, rounds.smallSigma1)));
          }
          keep(at, round + BLOCK_WORDS);
        },
        sum: four ? (at, round) => scalar.load(at, SUMS + stride * round) : undefined,
      },
    };
  };

/** A word of 64 bits as two of 32. Results of operations are in locals, because carries read them more than once. */
export interface Halves {
  readonly low: Expression<'i32'>;
  readonly high: Expression<'i32'>;
}

export function halves(frame: Frame): Machine<Halves> {
  const { record, taken, swappedLoad, swappedStore } = recorder(frame);
  const register = () => ({ low: frame.local('i32'), high: frame.local('i32') });
  const kept = (low: Expression<'i32'>, high: Expression<'i32'>): Halves => {
    const result = register();
    record(set(result.low, low));
    record(set(result.high, high));
    return result;
  };
  const each =
    (operation: (x: Expression<'i32'>, y: Expression<'i32'>) => Expression<'i32'>) =>
    (x: Halves, y: Halves): Halves => ({ low: operation(x.low, y.low), high: operation(x.high, y.high) });
  const load = (address: Address, offset: number): Halves =>
    kept(i32.load(address, offset), i32.load(address, offset + 4));
  /** The 32 bits of two adjacent words from bit `count` on, 0 < count < 32. */
  const across = (upper: Expression<'i32'>, lower: Expression<'i32'>, count: number): Expression<'i32'> =>
    i32.or(i32.shl(upper, 32 - count), i32.shr_u(lower, count));
  return {
    stride: 8,
    add(x, y) {
      const [a, b] = [kept(x.low, x.high), kept(y.low, y.high)];
      const { low, high } = register();
      record(set(low, i32.add(a.low, b.low)));
      record(set(high, i32.add(i32.add(a.high, b.high), carried(a.low, b.low, low))));
      return { low, high };
    },
    xor: each(i32.xor),
    and: each(i32.and),
    rotr(x, count) {
      const [low, high] = count < 32 ? [x.low, x.high] : [x.high, x.low];
      return { low: across(high, low, count % 32), high: across(low, high, count % 32) };
    },
    shr: ({ low, high }, count) => ({ low: across(high, low, count), high: i32.shr_u(high, count) }),
    register,
    set(to, value) {
      record(set(to.low as Local<'i32'>, value.low));
      record(set(to.high as Local<'i32'>, value.high));
    },
    load,
    constant: (at, round) => load(at, CONSTANTS + 8 * round),
    store(address, offset, { low, high }) {
      record(i32.store(address, offset, low));
      record(i32.store(address, offset + 4, high));
    },
    loadBigEndian: (address, offset) => kept(swappedLoad(address, offset + 4), swappedLoad(address, offset)),
    storeBigEndian(address, offset, { low, high }) {
      record(swappedStore(address, offset, high));
      record(swappedStore(address, offset + 4, low));
    },
    taken,
  };
}
