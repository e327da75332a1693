/** Words in the variables of a function: of 32 bits, of 64, or in halves for JavaScript, which has no integers of 64 bits. */
import { sequence, set } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import * as i64 from '../wasm/i64.ts';
import type { Frame } from '../wasm/module.ts';
import type { Expression, Local, Operand, Statement } from '../wasm/types.ts';
import { carried } from '../words/arithmetic.ts';
import type { Words } from '../words/machine.ts';

/** A word machine over variables of type `R`, which collects the steps of rounds. */
export interface Variables<R> extends Words<R> {
  /** destination += source + 2·lo(destination)·lo(source), where lo is the low half of 64 bits. RFC 9106 §3.6 */
  addProduct(destination: R, source: R): void;
  /** The steps since the last call. */
  taken(): Statement[];
  words(count: number): R[];
  load(to: R, address: Operand<'i32'>, offset: number): Statement;
  store(address: Operand<'i32'>, offset: number, from: R): Statement;
}

export interface Arithmetic<R> {
  /** Whether a work vector is in memory, because code for all steps of a round would be too long. */
  readonly inMemory: boolean;
  variables(frame: Frame): Variables<R>;
}

/** Steps that are collected; `taken` gives those since the last call. */
function collector(): { readonly push: (...steps: readonly Statement[]) => void; readonly taken: () => Statement[] } {
  let code: Statement[] = [];
  return {
    push: (...steps) => void code.push(...steps),
    taken() {
      const steps = code;
      code = [];
      return steps;
    },
  };
}

/** The instructions for words of one type. */
interface Instructions<T extends 'i32' | 'i64'> {
  readonly add: (x: Expression<T>, y: Expression<T>) => Expression<T>;
  readonly xor: (x: Expression<T>, y: Expression<T>) => Expression<T>;
  readonly rotl: (x: Expression<T>, count: number) => Expression<T>;
  readonly product: (x: Expression<T>, y: Expression<T>) => Expression<T>;
  readonly load: (address: Operand<'i32'>, offset: number) => Expression<T>;
  readonly store: (address: Operand<'i32'>, offset: number, x: Expression<T>) => Statement;
}

const integers = <T extends 'i32' | 'i64'>(type: T, its: Instructions<T>): Arithmetic<Local<T>> => ({
  inMemory: false,
  variables(frame) {
    const { push, taken } = collector();
    const become = (d: Local<T>, x: Expression<NoInfer<T>>): void => push(set(d, x));
    return {
      add: (d, s) => become(d, its.add(d, s)),
      xor: (d, s) => become(d, its.xor(d, s)),
      rotl: (d, count) => become(d, its.rotl(d, count)),
      addProduct: (d, s) => become(d, its.add(its.add(d, s), its.product(d, s))),
      taken,
      words: (count) => frame.locals(type, count),
      load: (to, address, offset) => set(to, its.load(address, offset)),
      store: its.store,
    };
  },
});

const lowHalf = (x: Expression<'i64'>): Expression<'i64'> => i64.and(x, 0xffffffffn);

/** Words of 32 bits. */
export const shorts: Arithmetic<Local<'i32'>> = integers('i32', {
  ...i32,
  product() {
    throw new Error('words of 32 bits have no product here');
  },
});
/** Words of 64 bits. */
export const longs: Arithmetic<Local<'i64'>> = integers('i64', {
  ...i64,
  rotl: (x, count) => i64.rotl(x, BigInt(count)),
  product: (x, y) => i64.shl(i64.mul(lowHalf(x), lowHalf(y)), 1n),
});

/** A word of 64 bits as two of 32. */
export interface Halves {
  readonly low: Local<'i32'>;
  readonly high: Local<'i32'>;
}

/** Words of 64 bits without integers of 64 bits. */
export const halves: Arithmetic<Halves> = {
  inMemory: true,
  variables(frame) {
    const { push, taken } = collector();
    const [low, high, x, y, middle] = frame.locals('i32', 5);
    const add = (d: Halves, s: Halves): void =>
      push(
        set(low, i32.add(d.low, s.low)),
        set(d.high, i32.add(i32.add(d.high, s.high), carried(d.low, s.low, low))),
        set(d.low, low),
      );
    return {
      add,
      xor: (d, s) => push(set(d.low, i32.xor(d.low, s.low)), set(d.high, i32.xor(d.high, s.high))),
      rotl(d, count) {
        const n = count & 31;
        const [from, to] = count < 32 ? [d.low, d.high] : [d.high, d.low];
        const shifted = (upper: Local<'i32'>, lower: Local<'i32'>): Expression<'i32'> =>
          n === 0 ? upper : i32.or(i32.shl(upper, n), i32.shr_u(lower, 32 - n));
        push(set(low, shifted(from, to)), set(d.high, shifted(to, from)), set(d.low, low));
      },
      /**
       * Long multiplication by halves of 16 bits: each sum below is at most (2^16 - 1)^2 + 2·(2^16 - 1) = 2^32 - 1.
       */
      addProduct(d, s) {
        const lower = (word: Local<'i32'>): Expression<'i32'> => i32.and(word, 0xffff);
        const upper = (word: Local<'i32'>): Expression<'i32'> => i32.shr_u(word, 16);
        push(
          set(x, lower(d.low)),
          set(y, lower(s.low)),
          set(low, i32.mul(x, y)),
          set(middle, i32.add(i32.mul(upper(d.low), y), upper(low))),
          set(x, i32.add(i32.mul(x, upper(s.low)), lower(middle))),
          set(high, i32.add(i32.add(i32.mul(upper(d.low), upper(s.low)), upper(middle)), upper(x))),
          set(low, i32.or(i32.shl(x, 16), lower(low))),
          set(high, i32.or(i32.shl(high, 1), i32.shr_u(low, 31))),
          set(x, i32.shl(low, 1)),
        );
        add(d, s);
        add(d, { low: x, high });
      },
      taken,
      words: (count) => Array.from({ length: count }, () => ({ low: frame.local('i32'), high: frame.local('i32') })),
      load: (to, address, offset) =>
        sequence(set(to.low, i32.load(address, offset)), set(to.high, i32.load(address, offset + 4))),
      store: (address, offset, from) =>
        sequence(i32.store(address, offset, from.low), i32.store(address, offset + 4, from.high)),
    };
  },
};
