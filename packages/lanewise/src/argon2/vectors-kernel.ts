/**
 * The steps of Argon2's G on vectors of two words. A row of the four rows of P is two vectors: four GB are computed side by side,
 * first on columns, then, with the rows rotated by one, two and three words, on diagonals.
 */
import { sequence, set } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Callable, Frame, Module } from '../wasm/module.ts';
import type { Expression, Local, Statement } from '../wasm/types.ts';
import * as v128 from '../wasm/v128.ts';
import type { Steps } from './kernel.ts';
import { mix, REGISTER_BYTES, type ProductWords } from './rounds.ts';

type Vector = Local<'v128'>;
/** Four words, two in each vector. */
type Row = readonly [Vector, Vector];

/** Byte `i` of the result is byte `i - n/8 (mod 8)` of its word: rotation to the left by n bits. */
const rotationMask = (n: number): number[] => Array.from({ length: 16 }, (_, i) => (i & 8) | ((i - n / 8) & 7));
/** The rotations by bytes that are not by half a word, in bits to the left. */
const COUNTS = [64 - 24, 64 - 16];

/** The words 0 and 2 (of 32 bits) of two vectors: the low halves of four words. */
const lowHalves = ([x, y]: Row): Expression<'v128'> => v128.shuffle32(x, y, 0, 2, 4, 6);

/** A rotation by the count with this number in COUNTS. */
type Permuted = (x: Expression<'v128'>, count: number) => Expression<'v128'>;

function rowWords(frame: Frame, permuted: Permuted): ProductWords<Row> & { readonly taken: () => Statement[] } {
  let code: Statement[] = [];
  const [low, other, product] = frame.locals('v128', 3);
  const rotated = (x: Vector, count: number): Expression<'v128'> => {
    if (count === 32) return v128.shuffle32(x, x, 1, 0, 3, 2);
    const i = COUNTS.indexOf(count);
    if (i >= 0) return permuted(x, i);
    return v128.or(v128.i64x2_shl(x, count), v128.i64x2_shr_u(x, 64 - count));
  };
  const both = (row: Row, made: (vector: Vector, i: 0 | 1) => Expression<'v128'>): void =>
    void code.push(set(row[0], made(row[0], 0)), set(row[1], made(row[1], 1)));
  return {
    add: (d, s) => both(d, (vector, i) => v128.i64x2_add(vector, s[i])),
    xor: (d, s) => both(d, (vector, i) => v128.xor(vector, s[i])),
    rotl: (d, count) => both(d, (vector) => rotated(vector, count)),
    addProduct(d, s) {
      code.push(set(low, lowHalves(d)), set(other, lowHalves(s)));
      both(d, (vector, i) => v128.i64x2_add(vector, s[i]));
      const products = [v128.i64x2_extmul_low_i32x4_u, v128.i64x2_extmul_high_i32x4_u];
      for (const i of [0, 1] as const)
        code.push(
          set(product, products[i](low, other)),
          set(d[i], v128.i64x2_add(v128.i64x2_add(d[i], product), product)),
        );
    },
    taken() {
      const steps = code;
      code = [];
      return steps;
    },
  };
}

/** The words of a row, rotated to the left by one or three; to rotate by two, its vectors change places. */
function turned(frame: Frame): (row: Row, count: 1 | 3) => Statement {
  const t = frame.local('v128');
  return ([x, y], count) => {
    const [first, second] = count === 1 ? [x, y] : [y, x];
    return sequence(
      set(t, v128.shuffle32(first, second, 2, 3, 4, 5)),
      set(y, v128.shuffle32(second, first, 2, 3, 4, 5)),
      set(x, t),
    );
  };
}

/** P over eight variables, as a list of steps. */
function permutation(frame: Frame, permuted: Permuted): { registers: Vector[]; steps: Statement[] } {
  const registers = frame.locals('v128', 8);
  const { taken, ...words } = rowWords(frame, permuted);
  const turn = turned(frame);
  const [a, b, c, d] = [0, 2, 4, 6].map((i): Row => [registers[i], registers[i + 1]]);
  const round = (third: Row): Statement[] => {
    mix(words, a, b, third, d);
    return taken();
  };
  const steps = [...round(c), turn(b, 1), turn(d, 3), ...round([c[1], c[0]]), turn(b, 3), turn(d, 1)];
  return { registers, steps };
}

/** P on two groups of registers side by side: while one waits for a result, the other computes. */
function definePermutations(module: Module): Callable<['i32', 'i32', 'i32'], undefined> {
  return module.define(undefined, ['i32', 'i32', 'i32'], undefined, (frame, z, stride, next) => {
    const masks = frame.locals('v128', COUNTS.length);
    const pair = [0, 1].map(() => permutation(frame, (x, count) => v128.i8x16_swizzle(x, masks[count])));
    const [first, second, at] = frame.locals('i32', 3);
    const places = [first, second];
    /** A step for each register, with its address in `at`. */
    const eachRegister = (place: Local<'i32'>, step: (register: Vector) => Statement, registers: readonly Vector[]) => [
      ...registers.flatMap((register, i) => [i === 0 ? set(at, place) : set(at, i32.add(at, stride)), step(register)]),
    ];
    const [one, other] = pair.map(({ registers, steps }, side) => ({
      load: eachRegister(places[side], (register) => set(register, v128.load(at, 0)), registers),
      steps,
      store: eachRegister(places[side], (register) => v128.store(at, 0, register), registers),
    }));
    return [
      ...masks.map((mask, i) => set(mask, v128.i8x16(...rotationMask(COUNTS[i])))),
      set(first, z),
      set(second, i32.add(z, next)),
      ...one.load,
      ...other.load,
      ...one.steps.flatMap((step, i) => [step, other.steps[i]]),
      ...one.store,
      ...other.store,
    ];
  });
}

export function vectorSteps(module: Module): (frame: Frame) => Steps {
  const permute = definePermutations(module);
  return (frame) => {
    const sum = frame.local('v128');
    const registers = [0, 1, 2, 3].map((i) => REGISTER_BYTES * i);
    return {
      bytes: REGISTER_BYTES * registers.length,
      side: 2,
      begin: (x, y, z, to, onto) =>
        sequence(
          ...registers.flatMap((i) => [
            set(sum, v128.xor(v128.load(x, i), v128.load(y, i))),
            v128.store(z, i, sum),
            v128.store(to, i, onto ? v128.xor(v128.load(to, i), sum) : sum),
          ]),
        ),
      permute: (z, stride, next) => permute(z, stride, next),
      end: (z, to) => sequence(...registers.map((i) => v128.store(to, i, v128.xor(v128.load(to, i), v128.load(z, i))))),
    };
  };
}
