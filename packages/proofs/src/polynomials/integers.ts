/**
 * Values of type i64 as integers: a domain for the executor. An integer stands for the machine's value modulo 2^64.
 * Sums, differences and products of such integers again stand for the machine's values, so they may wrap around. Every
 * other instruction needs the value itself, which is the integer only if the integer is shown to lie from 0 to 2^64 -
 * 1; otherwise the instruction is a Failure. An instruction that has no meaning for integers, such as XOR, is a Failure
 * too.
 *
 * Each value remembers the instructions that produced it, so that a computation can be repeated in another domain.
 */
import { Failure } from '../claims/claim.ts';
import type { Integers64 } from '../execute/domain.ts';
import { constant as constantTerm, type Term } from '../terms/term.ts';
import * as intervals from './interval.ts';
import type { Interval } from './interval.ts';
import { narrowed } from './narrow.ts';
import { Ring, type Bounded, type Sum } from './ring.ts';

type Binary = 'add' | 'sub' | 'mul' | 'and' | 'shl' | 'shr_u';

export type Origin =
  | { readonly op: 'constant'; readonly value: bigint }
  | { readonly op: 'extend_i32_u'; readonly word: Term }
  | { readonly op: Binary; readonly operands: readonly [Integer, Integer] };

export class Integer implements Bounded {
  readonly polynomial: Sum;
  readonly interval: Interval;
  readonly secret: boolean;
  readonly origin: Origin;

  constructor({ polynomial, interval }: Bounded, secret: boolean, origin: Origin) {
    this.polynomial = polynomial;
    this.interval = interval;
    this.secret = secret;
    this.origin = origin;
  }
}

const ALL = intervals.unsignedBits(64);
const WORD_BITS = 32;

/** The exponent, if a number is a power of two. */
function exponentOf(number: bigint): number | undefined {
  const exponent = number.toString(2).length - 1;
  return number === 1n << BigInt(exponent) ? exponent : undefined;
}

export class IntegerDomain implements Integers64<Integer> {
  readonly ring = new Ring();
  /** If given, gets one line for each operation: its name, its result, and the result's interval. */
  readonly trace: string[] | undefined;
  /** The integers that the variables made by `wrap` stand for. */
  readonly #wrapped = new Map<Term, Integer>();

  constructor({ traced = false } = {}) {
    this.trace = traced ? [] : undefined;
  }

  /** The machine's value is the integer, not only congruent to it. */
  #exact(op: string, x: Integer): Integer {
    if (intervals.within(x.interval, ALL)) return x;
    const result = narrowed(this.ring, x);
    if (!intervals.within(result.interval, ALL))
      throw new Failure(
        `an operand of i64.${op} is not shown to lie within 64 bits: ${intervals.shown(result.interval)}`,
      );
    return new Integer(result, x.secret, x.origin);
  }

  #result(op: Binary, operands: readonly [Integer, Integer], result: Bounded): Integer {
    this.trace?.push(`${op} ${result.interval.low} ${result.interval.high}`);
    return new Integer(result, operands[0].secret || operands[1].secret, { op, operands });
  }

  constant(value: bigint): Integer {
    return new Integer(this.ring.constant(value), false, { op: 'constant', value });
  }

  constantOf(x: Integer): bigint | undefined {
    return x.polynomial.constant;
  }

  isSecret(x: Integer): boolean {
    return x.secret;
  }

  extend_i32_u(word: Term): Integer {
    return new Integer(this.ring.word(word), word.secret, { op: 'extend_i32_u', word });
  }

  wrap(x: Integer): Term {
    const low = this.ring.remainder(this.#exact('wrap', x), WORD_BITS);
    this.trace?.push(`wrap ${low.interval.low} ${low.interval.high}`);
    const word = this.ring.wordOf(low, x.secret);
    this.#wrapped.set(word, x);
    return word;
  }

  /** The value whose low 32 bits this word is, if `wrap` made the word. */
  wrapped(word: Term): Integer | undefined {
    return this.#wrapped.get(word);
  }

  words(x: Integer): readonly [low: Term, high: Term] {
    return [this.wrap(x), this.wrap(this.shr_u(x, this.constant(BigInt(WORD_BITS))))];
  }

  fromWords(low: Term, high: Term): Integer {
    const above = this.shl(this.extend_i32_u(high), this.constant(BigInt(WORD_BITS)));
    return this.add(this.extend_i32_u(low), above);
  }

  add(x: Integer, y: Integer): Integer {
    return this.#result('add', [x, y], this.ring.plus(x, y));
  }

  sub(x: Integer, y: Integer): Integer {
    return this.#result('sub', [x, y], this.ring.minus(x, y));
  }

  mul(x: Integer, y: Integer): Integer {
    return this.#result('mul', [x, y], this.ring.times(x, y));
  }

  /** AND with a mask of consecutive ones. */
  and(x: Integer, y: Integer): Integer {
    const mask = this.constantOf(y) ?? this.constantOf(x);
    const value = this.constantOf(y) === undefined ? y : x;
    if (mask === undefined) throw new Failure('i64.and of two values of which none is known');
    if (mask === 0n) return this.constant(0n);
    const from = exponentOf(mask & -mask) ?? 0;
    const to = exponentOf((mask >> BigInt(from)) + 1n);
    if (to === undefined) throw new Failure(`i64.and with 0x${mask.toString(16)}, which has gaps`);
    const low = this.ring.remainder(this.#exact('and', value), from + to);
    return this.#result('and', [x, y], this.ring.multiple(this.ring.floor(low, from), from));
  }

  or(): Integer {
    throw new Failure('i64.or has no meaning for integers');
  }

  xor(): Integer {
    throw new Failure('i64.xor has no meaning for integers');
  }

  rotl(): Integer {
    throw new Failure('i64.rotl has no meaning for integers');
  }

  rotr(): Integer {
    throw new Failure('i64.rotr has no meaning for integers');
  }

  #count(count: Integer): number {
    const known = this.constantOf(count);
    if (known === undefined) throw new Failure('a shift of 64 bits by a count that is not known');
    return Number(known & 63n);
  }

  shl(x: Integer, count: Integer): Integer {
    return this.#exact(
      'shl',
      this.#result('shl', [x, count], this.ring.multiple(this.#exact('shl', x), this.#count(count))),
    );
  }

  shr_u(x: Integer, count: Integer): Integer {
    return this.#result('shr_u', [x, count], this.ring.floor(this.#exact('shr_u', x), this.#count(count)));
  }

  /** The result of a comparison, 0 or 1, if the intervals decide it. */
  #decided(what: string, decision: boolean | undefined): Term {
    if (decision === undefined) throw new Failure(`i64.${what} is not decided by what is known of its operands`);
    return constantTerm(32, decision ? 1 : 0);
  }

  eqz(x: Integer): Term {
    return this.eq(x, this.constant(0n));
  }

  eq(x: Integer, y: Integer): Term {
    this.#exact('eq', x);
    this.#exact('eq', y);
    const [{ low: a, high: b }, { low: c, high: d }] = [x.interval, y.interval];
    const same = x.polynomial.key === y.polynomial.key;
    return this.#decided('eq', same ? true : b < c || d < a ? false : undefined);
  }

  lt_u(x: Integer, y: Integer): Term {
    this.#exact('lt_u', x);
    this.#exact('lt_u', y);
    const [{ low: a, high: b }, { low: c, high: d }] = [x.interval, y.interval];
    return this.#decided('lt_u', b < c ? true : a >= d ? false : undefined);
  }
}

/**
 * Repeats the computation of a value in another domain; `leaf` gives the replacement for each word that a value was
 * made from.
 */
export function repeated<V>(domain: Integers64<V>, leaf: (word: Term) => Term): (x: Integer) => V {
  const done = new Map<Integer, V>();
  const repeat = (x: Integer): V => {
    let value = done.get(x);
    if (value === undefined) done.set(x, (value = again(x.origin)));
    return value;
  };
  const again = (origin: Origin): V => {
    switch (origin.op) {
      case 'constant':
        return domain.constant(origin.value);
      case 'extend_i32_u':
        return domain.extend_i32_u(leaf(origin.word));
      default:
        return domain[origin.op](repeat(origin.operands[0]), repeat(origin.operands[1]));
    }
  };
  return repeat;
}
