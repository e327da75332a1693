// The numbers of a symbolic run. A JavaScript number is a double, and is here one of three things:
//
// - a known number, with which the host computes;
// - a Word: an integer given by a term for its low 32 bits and an interval for its size. While sums, differences and
//   products of integers stay below 2^53, doubles hold them exactly, so their low 32 bits are those of the terms' sum,
//   difference or product; the bitwise operators and typed arrays take no more than the low 32 bits (ECMA-262 §7.1.6,
//   ToInt32);
// - a Wide: any other number, which belongs to a domain of doubles: see `Doubles`.
//
// Zero has no sign here: the language of the text has no division, and its comparisons treat -0 as equal to 0
// (syntax.ts).
import { Failure } from '../claims/claim.ts';
import {
  add,
  and,
  constant,
  mul,
  neg,
  not,
  numberOf,
  or,
  shl,
  shr_s,
  shr_u,
  sub,
  xor,
  type Term,
} from '../terms/term.ts';
import type { Operator } from './syntax.ts';

/** An integer from `low` to `high`, congruent to `term` modulo 2^32. Both bounds are at most 2^53 - 1 in size. */
export class Word {
  readonly term: Term;
  readonly low: number;
  readonly high: number;
  constructor(term: Term, low: number, high: number) {
    this.term = term;
    this.low = low;
    this.high = high;
  }
}

/** A number that belongs to a domain of doubles. */
export abstract class Wide {
  abstract readonly secret: boolean;
}

export type Value = number | Word | Wide;

/**
 * The domain that computes with numbers other than integers below 2^53: with Wide operands, and where integers leave
 * that range. Each result is the exact double that JavaScript computes, for every value of the variables; a domain that
 * cannot guarantee this throws.
 */
export interface Doubles {
  binary(operator: Operator | 'imul', left: Value, right: Value): Value;
  /** The result of ToInt32: the 32 bits that an Int32Array stores. */
  toWord(x: Wide): Term;
}

const INT32 = [-(2 ** 31), 2 ** 31 - 1] as const;
const EXACT = Number.MAX_SAFE_INTEGER;

/**
 * The integer with these low 32 bits in an interval; a known number if the term is constant and only one number of the
 * interval is congruent to it.
 */
export function integer(term: Term, low: number, high: number): Value {
  const bits = numberOf(term);
  if (bits === undefined || high - low >= 2 ** 32) return new Word(term, low, high);
  const value = low + ((((bits - low) % 2 ** 32) + 2 ** 32) % 2 ** 32);
  if (value > high) throw new Error(`a word of value ${bits} outside its interval from ${low} to ${high}`);
  return value;
}

export const int32 = (term: Term): Value => integer(term, ...INT32);

export const isSecret = (x: Value): boolean =>
  typeof x === 'number' ? false : x instanceof Word ? x.term.secret : x.secret;

/** ToInt32 */
export function wordOf(x: Value, doubles: Doubles): Term {
  if (typeof x === 'number') return constant(32, x >>> 0);
  return x instanceof Word ? x.term : doubles.toWord(x);
}

type Numeric = (x: number, y: number) => number;
const onNumbers: Readonly<Record<Operator | 'imul', Numeric>> = {
  '+': (x, y) => x + y,
  '-': (x, y) => x - y,
  '*': (x, y) => x * y,
  '&': (x, y) => x & y,
  '|': (x, y) => x | y,
  '^': (x, y) => x ^ y,
  '<<': (x, y) => x << y,
  '>>': (x, y) => x >> y,
  '>>>': (x, y) => x >>> y,
  imul: Math.imul,
};

/** The bounds of a value, if it is an integer that doubles hold exactly and distinguish from its neighbours. */
function boundsOf(x: Value): readonly [low: number, high: number] | undefined {
  if (typeof x === 'number') return Number.isSafeInteger(x) ? [x, x] : undefined;
  return x instanceof Word ? [x.low, x.high] : undefined;
}

/** The integer from `low` to `high`, if doubles are exact there. */
const exactly = (low: number, high: number, term: () => Term): Value | undefined =>
  low >= -EXACT && high <= EXACT ? integer(term(), low, high) : undefined;

/** Sum, difference or product of integers, if doubles are exact there. */
function arithmetic(
  operator: '+' | '-' | '*',
  left: Value,
  right: Value,
  words: () => [Term, Term],
): Value | undefined {
  const [x, y] = [boundsOf(left), boundsOf(right)];
  if (!x || !y) return undefined;
  switch (operator) {
    case '+':
      return exactly(x[0] + y[0], x[1] + y[1], () => add(...words()));
    case '-':
      return exactly(x[0] - y[1], x[1] - y[0], () => sub(...words()));
    case '*': {
      const corners = x.flatMap((a) => y.map((b) => a * b));
      return exactly(Math.min(...corners), Math.max(...corners), () => mul(...words()));
    }
  }
}

/** A shift by a known count; JavaScript uses its low five bits. */
function shift(operator: '<<' | '>>' | '>>>', x: Term, by: number): Value {
  const count = by & 31;
  switch (operator) {
    case '<<':
      return int32(shl(x, count));
    case '>>':
      return integer(shr_s(x, count), -(2 ** (31 - count)), 2 ** (31 - count) - 1);
    case '>>>':
      return integer(shr_u(x, count), 0, 2 ** (32 - count) - 1);
  }
}

/** The result of `&`, with the smallest upper bound that a known operand gives. */
function masked(term: Term, left: Value, right: Value): Value {
  const masks = [left, right].filter((x) => typeof x === 'number').map((x) => x | 0);
  const [mask = -1] = masks;
  return mask >= 0 ? integer(term, 0, mask) : int32(term);
}

/**
 * The result of a binary operator or Math.imul. The caller must refuse shifts by an unknown count, which may be leaks.
 */
export function binary(operator: Operator | 'imul', left: Value, right: Value, doubles: Doubles): Value {
  if (typeof left === 'number' && typeof right === 'number') return onNumbers[operator](left, right);
  if (left instanceof Wide || right instanceof Wide) return doubles.binary(operator, left, right);
  const words = (): [Term, Term] => [wordOf(left, doubles), wordOf(right, doubles)];
  switch (operator) {
    case '*':
      // A domain of doubles represents the whole product, and words only its low bits.
      if (typeof left !== 'number' && typeof right !== 'number' && doubles !== noDoubles)
        return doubles.binary(operator, left, right);
      return arithmetic(operator, left, right, words) ?? doubles.binary(operator, left, right);
    case '+':
    case '-':
      return arithmetic(operator, left, right, words) ?? doubles.binary(operator, left, right);
    case '&':
      return masked(and(...words()), left, right);
    case '|':
      return int32(or(...words()));
    case '^':
      return int32(xor(...words()));
    case '<<':
    case '>>':
    case '>>>':
      if (typeof right !== 'number') throw new Error('a shift by an unknown count');
      return shift(operator, wordOf(left, doubles), right);
    case 'imul':
      return int32(mul(...words()));
  }
}

export function unary(operator: '-' | '~', x: Value, doubles: Doubles): Value {
  if (typeof x === 'number') return operator === '-' ? -x : ~x;
  if (x instanceof Wide) return operator === '-' ? doubles.binary('-', 0, x) : doubles.binary('^', x, -1);
  return operator === '-' ? integer(neg(x.term), -x.high, -x.low) : int32(not(x.term));
}

/** Thrown for numbers whose exact value the interpreter cannot represent. */
export class Inexact extends Failure {}

/** The domain for texts that compute only with integers. */
export const noDoubles: Doubles = {
  binary: (operator) => {
    throw new Inexact(`${operator} leaves the integers below 2^53, and there is no domain of doubles`);
  },
  toWord: () => {
    throw new Inexact('there is no domain of doubles');
  },
};
