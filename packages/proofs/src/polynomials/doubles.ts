/**
 * Doubles that hold integers exactly: the domain for Poly1305 in JavaScript. A number is 2^exponent times a polynomial,
 * and each operation is shown to give its exact result, which a double does if the result is a multiple of 2^k and at
 * most 2^(k + 53) in size. An operation that may be inexact is a Failure, with one exception: a double near a large
 * constant has no bits for small values, so adding such a constant rounds to a multiple of a power of two, and that is
 * how the kernel carries.
 *
 * Rounding is to the nearest value, ties to even: IEEE 754-2019 §4.3.1. ECMA-262 §6.1.6.1, §7.1.6
 */
import { Failure } from '../claims/claim.ts';
import type { Operator } from '../javascript/syntax.ts';
import { Wide, Word, type Doubles, type Value } from '../javascript/values.ts';
import { and, constant, variable, xor, type Term } from '../terms/term.ts';
import * as intervals from './interval.ts';
import { Ring, type Bounded, type Sum } from './ring.ts';

/** 2^exponent · integer, where 2 does not divide all of the integer's coefficients. */
class Double extends Wide {
  readonly integer: Bounded;
  readonly exponent: number;
  readonly secret: boolean;
  constructor(integer: Bounded, exponent: number, secret: boolean) {
    super();
    this.integer = integer;
    this.exponent = exponent;
    this.secret = secret;
  }
}

/**
 * The result of a bitwise operator: 32 bits read as a signed number. `bits` is the same 32 bits read as an unsigned
 * number.
 */
class Signed extends Wide {
  readonly bits: Bounded;
  readonly secret: boolean;
  constructor(bits: Bounded, secret: boolean) {
    super();
    this.bits = bits;
    this.secret = secret;
  }
}

/** Numbers: the multiples of 2^exponent with so many bits and a sign. */
export interface Grid {
  readonly exponent: number;
  /** From 32 to 62. */
  readonly bits: number;
}

const SIGN = 2 ** 31;
const INT32 = intervals.interval(-(2n ** 31n), 2n ** 31n - 1n);
const UINT32 = intervals.unsignedBits(32);
const MANTISSA_BITS = 53;
const LEAST_EXPONENT = -1074;
const MOST_EXPONENT = 1024;

const magnitude = ({ low, high }: intervals.Interval): bigint => (-low > high ? -low : high);
const bitLength = (x: bigint): number => (x ? x.toString(2).length : 0);

/** A finite double as an integer times a power of two. */
function parts(x: number): { integer: bigint; exponent: number } {
  if (!Number.isFinite(x)) throw new Failure(`${x} is no number`);
  let exponent = 0;
  // Powers of two are exact factors as long as no number is denormal, which the exponents rule out.
  while (!Number.isInteger(x)) {
    x *= 2;
    exponent--;
  }
  return { integer: BigInt(x), exponent };
}

const isSecret = (x: Value): boolean => (typeof x === 'number' ? false : x instanceof Word ? x.term.secret : x.secret);

export class PolynomialDoubles implements Doubles {
  readonly ring = new Ring();
  /** If given, gets one line for each result: the power of two that divides it, and its interval. */
  readonly trace: string[] | undefined;

  constructor({ traced = false } = {}) {
    this.trace = traced ? [] : undefined;
  }

  /** The double with all factors of two moved into the exponent. */
  #double({ polynomial, interval }: Bounded, exponent: number, secret: boolean): Double {
    const { twos } = polynomial;
    if (twos === Infinity) return new Double(this.ring.constant(0n), 0, secret);
    const by = BigInt(twos);
    const divided = intervals.interval(-(-interval.low >> by), interval.high >> by);
    this.trace?.push(`2^${exponent + twos} ${divided.low} ${divided.high}`);
    return new Double({ polynomial: polynomial.shifted(twos), interval: divided }, exponent + twos, secret);
  }

  #of(x: Value): Double {
    if (x instanceof Double) return x;
    if (typeof x === 'number') {
      const { integer, exponent } = parts(x);
      return this.#double(this.ring.constant(integer), exponent, false);
    }
    return this.#double(this.#integer(x), 0, isSecret(x));
  }

  /** The integer that a value is. */
  #integer(x: Value): Bounded {
    const { ring } = this;
    if (typeof x === 'number') {
      const { integer, exponent } = parts(x);
      if (exponent < 0) throw new Failure(`${x} is no integer`);
      return ring.constant(integer);
    }
    if (x instanceof Double) {
      if (x.exponent < 0) throw new Failure('what may have a fraction is taken for an integer');
      return ring.multiple(x.integer, x.exponent);
    }
    if (x instanceof Signed) {
      // The sign of a signed value is its top bit.
      const sign = ring.floor(x.bits, 31);
      return ring.minus(x.bits, ring.multiple(sign, 32));
    }
    if (x instanceof Word) {
      const bounds = intervals.interval(BigInt(x.low), BigInt(x.high));
      if (intervals.within(bounds, UINT32)) return ring.word(x.term);
      // The signed value is 2^31 less than the unsigned value of the same bits with the top bit flipped.
      if (intervals.within(bounds, INT32))
        return ring.minus(ring.word(xor(x.term, constant(32, SIGN))), ring.constant(2n ** 31n));
    }
    throw new Failure('a number of which the domain knows nothing');
  }

  /** Any multiple of 2^exponent that is at least -2^(exponent + bits), and below 2^(exponent + bits). */
  any(name: string, { exponent, bits }: Grid): Wide {
    const { ring } = this;
    const low = variable(32, `${name}, low`, true);
    const high = and(variable(32, `${name}, high`, true), constant(32, 2 ** (bits - 31) - 1));
    const offset = ring.plus(ring.word(low), ring.multiple(ring.word(high), 32));
    return this.#double(ring.minus(offset, ring.constant(1n << BigInt(bits))), exponent, true);
  }

  /** A number in units of 2^exponent; throws Failure unless it is one of those that `any` gives. */
  on(x: Value, { exponent, bits }: Grid): Sum {
    const { integer, exponent: own } = this.#of(x);
    if (integer.polynomial.constant === 0n) return integer.polynomial;
    const bounds = intervals.interval(-1n << BigInt(bits), (1n << BigInt(bits)) - 1n);
    const units = own < exponent ? undefined : this.ring.multiple(integer, own - exponent);
    if (units && intervals.within(units.interval, bounds)) return units.polynomial;
    throw new Failure(`a number is not shown to be a multiple of 2^${exponent} of at most ${bits} bits`);
  }

  /** ToUint32 */
  #bits(x: Value): Bounded {
    if (x instanceof Signed) return x.bits;
    if (x instanceof Word) return this.ring.word(x.term);
    return this.ring.remainder(this.#integer(x), 32);
  }

  /** ToInt32 */
  #int32(x: Value): Bounded {
    const integer = this.#integer(x);
    return intervals.within(integer.interval, INT32) ? integer : this.#integer(this.#signed(this.#bits(x), false));
  }

  #signed(bits: Bounded, secret: boolean): Wide {
    return intervals.within(bits.interval, INT32) ? this.#double(bits, 0, secret) : new Signed(bits, secret);
  }

  toWord(x: Wide): Term {
    return this.ring.wordOf(this.#bits(x), x.secret);
  }

  binary(operator: Operator | 'imul', left: Value, right: Value): Wide {
    const secret = isSecret(left) || isSecret(right);
    switch (operator) {
      case '+':
      case '-':
        return this.#sum(this.#of(left), this.#of(right), operator === '-', secret);
      case '*': {
        const [x, y] = [this.#of(left), this.#of(right)];
        const product = this.ring.times(x.integer, y.integer);
        return exact(this.#double(product, x.exponent + y.exponent, secret), '*');
      }
      case 'imul': {
        const product = this.ring.times(this.#int32(left), this.#int32(right));
        return this.#signed32(product, secret);
      }
      case '&':
        return this.#and(left, right, secret);
      case '|':
        if (right === 0) return this.#signed32(this.#int32(left), secret);
        return this.#signed(this.#union(this.#bits(left), this.#bits(right)), secret);
      case '^':
        throw new Failure('^ has no meaning for polynomials');
      default: {
        if (typeof right !== 'number') throw new Failure(`${operator} by a count that is not known`);
        return this.#shift(operator, left, right & 31, secret);
      }
    }
  }

  #signed32(integer: Bounded, secret: boolean): Wide {
    if (intervals.within(integer.interval, INT32)) return this.#double(integer, 0, secret);
    return this.#signed(this.ring.remainder(integer, 32), secret);
  }

  #shift(operator: '<<' | '>>' | '>>>', x: Value, count: number, secret: boolean): Wide {
    const { ring } = this;
    switch (operator) {
      case '<<':
        return this.#signed(ring.multiple(ring.remainder(this.#bits(x), 32 - count), count), secret);
      case '>>':
        return this.#double(ring.floor(this.#int32(x), count), 0, secret);
      case '>>>':
        return this.#double(ring.floor(this.#bits(x), count), 0, secret);
    }
  }

  /** AND with a mask of consecutive ones that start at bit 0. */
  #and(left: Value, right: Value, secret: boolean): Wide {
    const [x, mask] = typeof left === 'number' ? [right, left] : [left, right];
    const bits = typeof mask === 'number' ? Math.log2(mask + 1) : NaN;
    if (!Number.isInteger(bits)) throw new Failure('& is known with masks of ones from bit 0 on only');
    return this.#double(this.ring.remainder(this.#integer(x), bits), 0, secret);
  }

  /** The OR of two values that have no bit in common. */
  #union(x: Bounded, y: Bounded): Bounded {
    const apart = (low: Bounded, high: Bounded): boolean => bitLength(low.interval.high) <= high.polynomial.twos;
    if (!apart(x, y) && !apart(y, x)) throw new Failure('| of numbers that may have bits in common');
    return this.ring.plus(x, y);
  }

  #sum(x: Double, y: Double, minus: boolean, secret: boolean): Double {
    const { ring } = this;
    const exponent = Math.min(x.exponent, y.exponent);
    const [a, b] = [x, y].map(({ integer, exponent: own }) => ring.multiple(integer, own - exponent));
    const sum = minus ? ring.minus(a, b) : ring.plus(a, b);
    const known = b.polynomial.constant ?? a.polynomial.constant;
    const other = b.polynomial.constant === undefined ? b : a;
    const result = this.#double(sum, exponent, secret);
    if (isExact(result) || known === undefined || minus) return exact(result, minus ? '-' : '+');
    return this.#rounded(other, known, sum, exponent, secret);
  }

  /**
   * x + c, rounded, in units of 2^exponent, where c is known and all sums lie between two consecutive powers of two.
   * The doubles in that range are the multiples of one unit, and c is an even multiple of it, so c + x and x alone are
   * rounded alike, ties included.
   */
  #rounded(x: Bounded, c: bigint, sum: Bounded, exponent: number, secret: boolean): Double {
    const { ring } = this;
    const { low, high } = sum.interval;
    const bits = bitLength(low) - MANTISSA_BITS;
    if (low <= 0n || high > 1n << BigInt(bitLength(low)) || bits <= 0)
      throw new Failure('a sum that is not exact, and rounds to units of more than one size');
    if (c & ((2n << BigInt(bits)) - 1n))
      throw new Failure('a sum that is not exact, and of which no part is an even number of units');
    const rounded = ring.multiple(ring.nearest(x, bits), bits);
    return exact(this.#double(ring.plus(ring.constant(c), rounded), exponent, secret), '+');
  }
}

/** Whether every value of this number is representable as a double. */
function isExact({ integer, exponent }: Double): boolean {
  const size = magnitude(integer.interval);
  if (size > 1n << BigInt(MANTISSA_BITS)) return false;
  return exponent >= LEAST_EXPONENT && exponent + bitLength(size) <= MOST_EXPONENT;
}

function exact(x: Double, operator: string): Double {
  if (isExact(x)) return x;
  throw new Failure(
    `${operator} is not shown to be exact: a multiple of 2^${x.exponent}, ` +
      `and so many: ${intervals.shown(x.integer.interval)}`,
  );
}
