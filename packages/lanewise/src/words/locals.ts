/** Words in wasm locals: the rounds become instructions, on one block (i32) or on one block per lane (v128). */
import type { FeedingWords, Words } from './machine.ts';
import { sequence, set, tee } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Frame } from '../wasm/module.ts';
import { byte, type Expression, type Local, type Statement, type ValueType } from '../wasm/types.ts';
import * as v128 from '../wasm/v128.ts';
import { leftShift, multiplierOf } from '../wasm/left-shift.ts';
import { permutations } from '../wasm/permutations.ts';

/** Words whose steps are collected in the order in which a round takes them. */
export interface Recorder<R extends S, S> extends Words<R, S>, FeedingWords<R> {
  /** The steps since the last call. */
  taken(): Statement[];
}

/** The operations of a word machine, as instructions. */
interface Instructions<T extends ValueType> {
  readonly add: (x: Expression<T>, y: Expression<T>) => Expression<T>;
  readonly xor: (x: Expression<T>, y: Expression<T>) => Expression<T>;
  readonly rotl: (x: Expression<T>, count: number) => Expression<T>;
}

function recorder<T extends ValueType>({ add, xor, rotl }: Instructions<T>): Recorder<Local<T>, Expression<T>> {
  let code: Statement[] = [];
  const become = (d: Local<T>, x: Expression<NoInfer<T>>): void => void code.push(set(d, x));
  return {
    add: (d, s) => become(d, add(d, s)),
    xor: (d, s) => become(d, xor(d, s)),
    rotl: (d, n) => become(d, rotl(d, n)),
    xorRotatedSum: (d, x, y, n) => become(d, xor(d, rotl(add(x, y), n))),
    taken() {
      const steps = code;
      code = [];
      return steps;
    },
  };
}

export const scalarWords = (): Recorder<Local<'i32'>, Expression<'i32'>> =>
  recorder({ add: i32.add, xor: i32.xor, rotl: i32.rotl });

/**
 * Holes in code: characters beyond a byte, which stand for expressions. Code that repeats with other operands is made
 * once, and its holes are filled for each repetition. This is faster, because the generator runs only once, before an
 * engine has compiled it.
 */
export const hole = <T extends ValueType>(number: number): Expression<T> => byte(256 + number) as Expression<T>;
export const filled = (code: readonly Statement[], operands: readonly string[]): Statement =>
  sequence(...code).replace(/[\u0100-\u01ff]/g, (mark) => operands[mark.charCodeAt(0) - 256]) as Statement;

/** How a vector is rotated: which instruction moves its bytes, and where the masks are in memory. */
export interface Rotation {
  readonly relaxed: boolean;
  readonly masks: number;
  /** The rotations by whole bytes, in bits to the left, in the order of the masks. */
  readonly counts: readonly number[];
  /** The rotation whose left shift may be a multiplication, by the vector after the masks; see wasm/left-shift.ts. */
  readonly multiplied?: number | undefined;
}

/** Byte `i` of the result is byte `i - n/8 (mod 4)` of its word: rotation to the left by n = 8, 16 or 24. */
const rotationMask = (n: number): number[] => Array.from({ length: 16 }, (_, i) => (i & 12) | ((i - n / 8) & 3));
/** The masks, and after them the multiplier. */
export const masksOf = (counts: readonly number[], multiplied: number | undefined): number[] => [
  ...counts.flatMap(rotationMask),
  ...(multiplied === undefined ? [] : multiplierOf(multiplied)),
];

/** Four blocks, one per lane. Rotations by whole bytes are one byte permutation, others two shifts and an or. */
export function laneWords(
  frame: Frame,
  { relaxed, masks, counts, multiplied }: Rotation,
): Recorder<Local<'v128'>, Expression<'v128'>> & { prologue: Statement } {
  const t = frame.local('v128');
  const { prologue, permuted } = permutations(frame, { relaxed, address: masks, masks: counts.map(rotationMask) });
  const left =
    multiplied === undefined
      ? undefined
      : leftShift(frame, relaxed, { count: multiplied, address: masks + 16 * counts.length });
  const rotl = (x: Expression<'v128'>, n: number): Expression<'v128'> => {
    const i = counts.indexOf(n);
    if (i >= 0) return permuted(x, i);
    const teed = tee(t, x);
    const upper = left && n === multiplied ? left.shifted(teed) : v128.i32x4_shl(teed, n);
    return v128.or(upper, v128.i32x4_shr_u(t, 32 - n));
  };
  return {
    prologue: sequence(prologue, left?.prologue ?? sequence()),
    ...recorder({ add: v128.i32x4_add, xor: v128.xor, rotl }),
  };
}

/** The first halves of two vectors, and their second halves. */
export const firstHalves = (x: Expression<'v128'>, y: Expression<'v128'>): Expression<'v128'> =>
  v128.f64x2_replace_lane(x, 1, v128.f64x2_extract_lane(y, 0));
export const secondHalves = (x: Expression<'v128'>, y: Expression<'v128'>): Expression<'v128'> =>
  v128.f64x2_replace_lane(y, 0, v128.f64x2_extract_lane(x, 1));

/**
 * Rows to columns: lane `i` of the four rows becomes column `i`. The shuffles are those that other engines than
 * JavaScriptCore know as one instruction (punpckldq and its siblings on x64, zip1 and zip2 on ARM). There a shuffle of two vectors
 * is three instructions and two masks, and moving a half is one or two.
 */
export function transposed(
  frame: Frame,
  [a, b, c, d]: readonly Local<'v128'>[],
): { prologue: Statement; columns: Expression<'v128'>[] } {
  const [low01, low23, high01, high23] = frame.locals('v128', 4);
  return {
    prologue: sequence(
      set(low01, v128.shuffle32(a, b, 0, 4, 1, 5)),
      set(low23, v128.shuffle32(c, d, 0, 4, 1, 5)),
      set(high01, v128.shuffle32(a, b, 2, 6, 3, 7)),
      set(high23, v128.shuffle32(c, d, 2, 6, 3, 7)),
    ),
    columns: [
      firstHalves(low01, low23),
      secondHalves(low01, low23),
      firstHalves(high01, high23),
      secondHalves(high01, high23),
    ],
  };
}
