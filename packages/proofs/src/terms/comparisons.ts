/**
 * Comparisons, as words of value 0 or 1, and the choice between two terms. Comparisons of words with constants, and of
 * sums that differ by a constant, are indicators (steps.ts); 64-bit comparisons for equality are made word by word.
 */
import { andAll } from './masks.ts';
import { intern, Kind, narrow, numberOf, requireWidth, type Term } from './node.ts';
import { inside } from './steps.ts';
import { add, neg, sub } from './sums.ts';
import { pair, wordOf } from './wide.ts';
import { concatenation } from './bytes.ts';
import { xorAll } from './xors.ts';

const ALL = 2 ** 32;

/** A byte zero-extended to a word. */
export const zeroExtendByte = (x: Term): Term => concatenation(x, narrow(8, 0), narrow(8, 0), narrow(8, 0));

export function isZero(x: Term): Term {
  if (x.width === 8) return isZero(zeroExtendByte(x));
  if (x.width === 64) return andAll(32, 1, [isZero(wordOf(x, 0)), isZero(wordOf(x, 1))]);
  // x | y is zero if both operands are.
  if (x.kind === Kind.OR) return x.number === 0 ? andAll(32, 1, x.operands.map(isZero)) : narrow(32, 0);
  // x ^ y is zero if the operands are equal.
  if (x.kind === Kind.XOR) {
    const [first, second, ...rest] = x.number === 0 ? x.operands : [...x.operands, narrow(32, x.number)];
    if (rest.length === 0) return inside(sub(first, second), [0, 1]);
  }
  return inside(x, [0, 1]);
}

export function equal(x: Term, y: Term): Term {
  requireWidth(y, x.width);
  if (x === y) return narrow(32, 1);
  if (x.width === 8) return equal(zeroExtendByte(x), zeroExtendByte(y));
  if (x.width === 64) return andAll(32, 1, [equal(wordOf(x, 0), wordOf(y, 0)), equal(wordOf(x, 1), wordOf(y, 1))]);
  return inside(sub(x, y), [0, 1]);
}

/** 1 - b, for a word b of value 0 or 1. */
export const negation = (b: Term): Term => xorAll(32, 1, [b]);

/** x < y, unsigned. */
export function less(x: Term, y: Term): Term {
  requireWidth(y, x.width);
  if (x === y) return narrow(32, 0);
  if (x.width === 8) return less(zeroExtendByte(x), zeroExtendByte(y));
  if (x.width === 64) return lessWide(x, y);
  const [a, b] = [numberOf(x), numberOf(y)];
  if (b !== undefined) return inside(x, [0, b]);
  if (a !== undefined) return inside(y, [a + 1, ALL]);
  // y + k < y if the addition carries, which is y >= 2^32 - k.
  const k = numberOf(sub(x, y));
  if (k !== undefined) return inside(y, [ALL - k, ALL]);
  return intern(Kind.LESS, 32, [x, y], [], () => 1);
}

function lessWide(x: Term, y: Term): Term {
  const [xLow, xHigh, yLow, yHigh] = [wordOf(x, 0), wordOf(x, 1), wordOf(y, 0), wordOf(y, 1)];
  if (xHigh === yHigh) return less(xLow, yLow);
  const [a, b] = [numberOf(xHigh), numberOf(yHigh)];
  if (a !== undefined && b !== undefined) return narrow(32, a < b ? 1 : 0);
  return intern(Kind.LESS, 32, [x, y], [], () => 1);
}

/** x < y, signed: with the sign bits flipped, the order is that of unsigned numbers. */
export function lessSigned(x: Term, y: Term): Term {
  const sign = x.width === 64 ? pair(narrow(32, 0), narrow(32, 0x80000000)) : undefined;
  if (!sign) return less(xorAll(32, 0x80000000, [x]), xorAll(32, 0x80000000, [y]));
  const turned = (z: Term): Term => pair(wordOf(z, 0), xorAll(32, 0x80000000, [wordOf(z, 1)]));
  return less(turned(x), turned(y));
}

/** `then` if the condition is not zero. */
export function ite(condition: Term, then: Term, otherwise: Term): Term {
  requireWidth(otherwise, then.width);
  if (then === otherwise) return then;
  if (then.width === 64)
    return pair(
      ite(condition, wordOf(then, 0), wordOf(otherwise, 0)),
      ite(condition, wordOf(then, 1), wordOf(otherwise, 1)),
    );
  const bit = condition.width === 32 && condition.maybe === 1 ? condition : negation(isZero(condition));
  if (bit.kind === Kind.CONSTANT) return bit.number ? then : otherwise;
  // Written as a sum: the choice of 1 or 0 is the bit itself, the choice of all ones or 0 is its negative.
  if (then.width === 32 && numberOf(otherwise) === 0) {
    if (numberOf(then) === 1) return bit;
    if (numberOf(then) === ALL - 1) return neg(bit);
  }
  if (then.width === 32 && numberOf(then) === 0 && numberOf(otherwise) === 1) return negation(bit);
  // A condition 1 - b is b with the two choices exchanged.
  if (bit.kind === Kind.XOR && bit.number === 1) return ite(xorAll(32, 0, bit.operands), otherwise, then);
  return intern(Kind.ITE, then.width, [bit, then, otherwise], [], ([, x, y]) => (x.maybe | y.maybe) >>> 0);
}

/** 1 if the sum of the words x and y is 2^32 or more, else 0. */
export function carry(x: Term, y: Term): Term {
  if (x.maybe + y.maybe < ALL) return narrow(32, 0);
  if (x.kind === Kind.CONSTANT && y.kind !== Kind.CONSTANT) return carry(y, x);
  // If the addition carries, the sum is below both operands. It is compared with the older one, so that x + y and y + x
  // give the same term.
  const sum = add(x, y);
  return less(sum, y.kind === Kind.CONSTANT || x.id < y.id ? x : y);
}
