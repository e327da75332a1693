/** The v128 instructions. WebAssembly core specification §4.3.3; relaxed SIMD §4.3.3 */
import * as terms from '../terms/term.ts';
import type { Term } from '../terms/term.ts';
import type { InstructionWith, Opcode } from '../wasm/types.ts';
import type { Operation, Run } from './run.ts';
import { addLongs, eachLong, eachWord, extendedProducts, permuted, shiftedUp, Vector } from './vector.ts';

type Combine = (x: Term, y: Term) => Term;

const words =
  (combine: Combine): Operation =>
  (run) => {
    const y = run.vector();
    run.push(eachWord(run.vector(), y, combine));
  };

/** An operation on two whole vectors. */
const vectors =
  (combine: (x: Vector, y: Vector) => Vector): Operation =>
  (run) => {
    const y = run.vector();
    run.push(combine(run.vector(), y));
  };

const shiftedWords =
  (combine: Combine): Operation =>
  (run) => {
    const count = run.word();
    run.shiftCount(count.secret);
    const x = run.vector();
    run.push(eachWord(x, x, (word) => combine(word, count)));
  };

const shiftedLongs =
  (combine: Combine): Operation =>
  (run) => {
    const word = run.word();
    run.shiftCount(word.secret);
    const count = terms.zeroExtend(word, 64);
    const x = run.vector();
    run.push(eachLong(x, x, (long) => combine(long, count)));
  };

/** The indexes of a swizzle, which must be constant. */
function indexes<V>(run: Run<V>): number[] {
  const bytes = run.vector().words.flatMap((word) => terms.parts(word, 8));
  return bytes.map((byte) => run.decide(byte, 'swizzle index'));
}

/** Multiplication. By a power of two it is the shift that other forms of a kernel have in its place, as the same term. */
function product(x: Term, y: Term): Term {
  const factor = terms.numberOf(y) ?? 0;
  const exponent = 31 - Math.clz32(factor);
  return factor !== 0 && factor === 2 ** exponent ? terms.shl(x, exponent) : terms.mul(x, y);
}

const laneOf = (instruction: unknown): number => (instruction as InstructionWith<'lane'>).lane;

const extractLong: Operation = (run, instruction) => {
  const lane = 2 * laneOf(instruction);
  const { words } = run.vector();
  run.push(run.integers64.fromWords(words[lane], words[lane + 1]));
};

export const laneOperations: Partial<Record<Opcode, Operation>> = {
  'v128.const': (run, instruction) => run.push(Vector.ofBytes((instruction as InstructionWith<'v128'>).bytes)),
  'i8x16.shuffle': (run, instruction) => {
    const y = run.vector();
    const x = run.vector();
    run.push(permuted([...x.words, ...y.words], [...(instruction as InstructionWith<'shuffle'>).lanes]));
  },
  // An index of 16 or more gives 0.
  'i8x16.swizzle': (run) => {
    const numbers = indexes(run);
    run.push(permuted(run.vector().words, numbers));
  },
  'i8x16.relaxed_swizzle': (run) => {
    const numbers = indexes(run);
    if (numbers.some((n) => n > 15)) throw run.stopped('unsupported', 'an index whose meaning engines choose');
    run.push(permuted(run.vector().words, numbers));
  },
  'i32x4.splat': (run) => run.push(Vector.splat(run.word())),
  'i64x2.splat': (run) => {
    const [low, high] = run.integers64.words(run.long());
    run.push(new Vector([low, high, low, high]));
  },
  'i32x4.extract_lane': (run, instruction) => run.push(run.vector().words[laneOf(instruction)]),
  'i64x2.extract_lane': extractLong,
  // 64 bits that are moved are the same whether they are a number of type i64 or f64.
  'f64x2.extract_lane': extractLong,
  'f64x2.replace_lane': (run, instruction) => {
    const [low, high] = run.integers64.words(run.long());
    const { words: x } = run.vector();
    run.push(new Vector(laneOf(instruction) === 0 ? [low, high, x[2], x[3]] : [x[0], x[1], low, high]));
  },
  'i32x4.lt_u': words((x, y) => terms.neg(terms.less(x, y))),
  'v128.and': words(terms.and),
  'v128.andnot': words((x, y) => terms.and(x, terms.not(y))),
  'v128.or': words(terms.or),
  'v128.xor': words(terms.xor),
  'i32x4.shl': shiftedWords(terms.shl),
  'i32x4.shr_u': shiftedWords(terms.shr_u),
  'i32x4.add': words(terms.add),
  'i32x4.sub': words(terms.sub),
  'i32x4.mul': words(product),
  'i64x2.shl': shiftedLongs(shiftedUp),
  'i64x2.shr_u': shiftedLongs(terms.shr_u),
  'i64x2.add': vectors(addLongs),
  'i64x2.sub': vectors((x, y) => eachLong(x, y, terms.sub)),
  'i64x2.extmul_low_i32x4_u': vectors((x, y) => extendedProducts(x, y, 0)),
  'i64x2.extmul_high_i32x4_u': vectors((x, y) => extendedProducts(x, y, 2)),
};
