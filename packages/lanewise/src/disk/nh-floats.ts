/**
 * NH's arithmetic for engines without 64-bit integers, i.e. for JavaScript: products of halves of words, added up in
 * doubles. With x = x1·2^16 + x0 and y in the same way, x·y = x1·y1·2^32 + (x1·y0 + x0·y1)·2^16 + x0·y0. A piece has 128
 * products, so the sums of these columns stay below 2^39, 2^40 and 2^39, and a double is exact up to 2^53.
 */
import { sequence, set } from '../wasm/control.ts';
import * as f64 from '../wasm/f64.ts';
import * as i32 from '../wasm/i32.ts';
import type { Expression, Local, Statement } from '../wasm/types.ts';
import { keyed, PASSES, type NhArithmetic } from './nh-kernel.ts';

const COLUMNS = 3;
/** Half of a word, the digit in which columns are put together. */
const DIGIT_BITS = 16;
const DIGITS = 4;
const DIGIT = 2 ** DIGIT_BITS - 1;
/** The bit at which a column is cut into two parts that fit a word each. */
const CUT_BITS = 20;
/** The bits of the upper part that belong to the digit in which it starts. */
const SPLIT = 2 * DIGIT_BITS - CUT_BITS;
/** Next to this number a double has no bits below the cut: adding it rounds to the nearest multiple of 2^20. */
const LARGE = 1.5 * 2 ** (52 + CUT_BITS);
/**
 * Rounding v - 2^19 to a multiple m of 2^20 rounds v down: m ≤ v ≤ m + 2^20, where a v that is itself a multiple is a
 * tie, which may give either bound.
 */
const DOWN = 2 ** (CUT_BITS - 1);

export const nhFloats: NhArithmetic = (frame) => {
  const sums = Array.from({ length: PASSES }, () => frame.locals('f64', COLUMNS));
  const m = frame.locals('i32', 4);
  const word = frame.local('i32');
  const [x0, x1, y0, y1, high] = frame.locals('f64', 5);
  const [upper, lower] = frame.locals('i32', 2);
  const digits = frame.locals('i32', DIGITS);

  const halves = (x: Expression<'i32'>, low: Local<'f64'>, up: Local<'f64'>): Statement[] => [
    set(word, x),
    set(low, f64.convert_i32_s(i32.and(word, DIGIT))),
    set(up, f64.convert_i32_s(i32.shr_u(word, DIGIT_BITS))),
  ];
  const more = (sum: Local<'f64'>, x: Local<'f64'>, y: Local<'f64'>): Statement =>
    set(sum, f64.add(sum, f64.mul(x, y)));
  const into = (digit: number, part: Expression<'i32'>): Statement[] =>
    digit < DIGITS ? [set(digits[digit], i32.add(digits[digit], part))] : [];

  return {
    clear: sequence(...sums.flat().map((sum) => set(sum, f64.value(0)))),
    add: (message, key) => [
      ...m.map((to, w) => set(to, i32.load(message, 4 * w))),
      ...sums.flatMap(([low, middle, top], pass) =>
        [0, 1].flatMap((w) => [
          ...halves(keyed(m, key, pass, w), x0, x1),
          ...halves(keyed(m, key, pass, w + 2), y0, y1),
          more(low, x0, y0),
          more(middle, x0, y1),
          more(middle, x1, y0),
          more(top, x1, y1),
        ]),
      ),
    ],
    store: (to) =>
      sums.flatMap((columns, pass) => [
        ...digits.map((digit) => set(digit, i32.value(0))),
        ...columns.flatMap((column, k) => [
          set(column, f64.sub(column, f64.value(DOWN))),
          set(high, f64.sub(f64.add(column, f64.value(LARGE)), f64.value(LARGE))),
          set(lower, f64.trunc_i32_s(f64.add(f64.sub(column, high), f64.value(DOWN)))),
          set(upper, f64.trunc_i32_s(f64.mul(high, f64.value(2 ** -CUT_BITS)))),
          ...into(k, i32.and(lower, DIGIT)),
          // The upper part starts four bits into that digit.
          ...into(k + 1, i32.shr_u(lower, DIGIT_BITS)),
          ...into(k + 1, i32.shl(i32.and(upper, 2 ** SPLIT - 1), CUT_BITS - DIGIT_BITS)),
          ...into(k + 2, i32.shr_u(upper, SPLIT)),
        ]),
        ...[1, 2, 3].flatMap((i) => into(i, i32.shr_u(digits[i - 1], DIGIT_BITS))),
        ...[0, 2].map((i) =>
          i32.store(to, 8 * pass + 2 * i, i32.or(i32.and(digits[i], DIGIT), i32.shl(digits[i + 1], DIGIT_BITS))),
        ),
      ]),
  };
};
