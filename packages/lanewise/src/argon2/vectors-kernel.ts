/**
 * The steps of Argon2's G on vectors of two words. A row of the four rows of P is two vectors: four GB are computed side by side,
 * first on columns, then, with the rows rotated by one, two and three words, on diagonals.
 */
import { longs } from '../blake2/wide-kernel.ts';
import { sequence, set } from '../wasm/control.ts';
import * as i64 from '../wasm/i64.ts';
import type { Frame } from '../wasm/module.ts';
import type { Expression, Local, Statement } from '../wasm/types.ts';
import * as v128 from '../wasm/v128.ts';
import { weave } from '../words/weave.ts';
import { columnsBy, rowsBy, type Steps } from './kernel.ts';
import { columns, diagonals, mix, REGISTER_BYTES, ROW_BYTES, type ProductWords } from './rounds.ts';
import { offsetOf } from './words-kernel.ts';

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

/** The steps of P over sixteen variables of 64 bits. */
function permutationOfWords(frame: Frame): { variables: Local<'i64'>[]; steps: Statement[] } {
  const words = longs.variables(frame);
  const variables = words.words(16);
  for (const [a, b, c, d] of [...columns, ...diagonals])
    mix(words, variables[a], variables[b], variables[c], variables[d]);
  return { variables, steps: words.taken() };
}

interface Moves<T extends 'i64' | 'v128'> {
  readonly load: (address: Expression<'i32'>, offset: number) => Expression<T>;
  readonly store: (address: Expression<'i32'>, offset: number, x: Expression<T>) => Statement;
  readonly xor: (x: Expression<T>, y: Expression<T>) => Expression<T>;
}
/** The values of variables come from memory, by a function of the offset that each has, and go there. */
type Values = <T extends 'i64' | 'v128'>(its: Moves<T>, offset: number, variable: Local<T>) => Statement;

const fromSum =
  (x: Expression<'i32'>, y: Expression<'i32'>): Values =>
  (its, offset, variable) =>
    set(variable, its.xor(its.load(x, offset), its.load(y, offset)));
const from =
  (z: Expression<'i32'>): Values =>
  (its, offset, variable) =>
    set(variable, its.load(z, offset));
const into =
  (z: Expression<'i32'>): Values =>
  (its, offset, variable) =>
    its.store(z, offset, variable);
const onto =
  (to: Expression<'i32'>): Values =>
  (its, offset, variable) =>
    its.store(to, offset, its.xor(variable, its.load(to, offset)));

/**
 * Code for P on two groups of registers side by side, one in vectors and one in words. A chain of vector operations spends most of its
 * time on waiting for results; meanwhile the other ports of the processor compute the other group.
 *
 * @param stride - The bytes from one register of a group to the next, and `next` those from one group to the other.
 */
function pairs(frame: Frame): {
  readonly constants: Statement[];
  readonly permute: (stride: number, next: number, load: Values, store: Values) => Statement;
} {
  const masks = frame.locals('v128', COUNTS.length);
  const { registers, steps } = permutation(frame, (x, count) => v128.i8x16_swizzle(x, masks[count]));
  const { variables, steps: others } = permutationOfWords(frame);
  return {
    constants: masks.map((mask, i) => set(mask, v128.i8x16(...rotationMask(COUNTS[i])))),
    permute(stride, next, load, store) {
      const each = (values: Values): Statement[] => [
        ...registers.map((register, i) => values(v128, stride * i, register)),
        ...variables.map((variable, word) => values(i64, next + offsetOf(word, stride), variable)),
      ];
      return sequence(...each(load), weave(steps, others), ...each(store));
    },
  };
}

export function vectorSteps(frame: Frame): Steps {
  const { constants, permute } = pairs(frame);
  const registers = [0, 1, 2, 3].map((i) => REGISTER_BYTES * i);
  return {
    constants,
    bytes: REGISTER_BYTES * registers.length,
    // All of Y is read here, and once more below: it is anywhere in memory and rarely in a cache, and so all of its lines are on their
    // way at once.
    begin: ({ x, y, to }, isOnto) =>
      sequence(
        ...registers.map((i) => {
          const sum = v128.xor(v128.load(x, i), v128.load(y, i));
          return v128.store(to, i, isOnto ? v128.xor(v128.load(to, i), sum) : sum);
        }),
      ),
    loops: [
      rowsBy(2, ({ x, y, z }) => permute(REGISTER_BYTES, ROW_BYTES, fromSum(x, y), into(z))),
      columnsBy(2, ({ z, to }) => permute(ROW_BYTES, REGISTER_BYTES, from(z), onto(to))),
    ],
  };
}
