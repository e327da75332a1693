/**
 * Terms of 64 bits: pairs of words where possible, so that bitwise operations and shifts by constants are operations on
 * words with the normal forms of words; and sums and products where a carry would cross the words.
 *
 * A sum is a constant and operands with coefficients modulo 2^64, as for words. A sum is written as a pair if no carry
 * can leave the low words, or if nothing can reach the high word.
 */
import { and, or } from './masks.ts';
import { intern, Kind, narrow, numberOf, requireWidth, type Maybe, type Term } from './node.ts';
import { rotl, shl, shr_s, shr_u } from './shifts.ts';
import { add, mul, scale } from './sums.ts';
import { xor } from './xors.ts';

const ALL_32 = 2n ** 32n;
const ALL_64 = 2n ** 64n;
const asUnsigned = (n: bigint): bigint => BigInt.asUintN(64, n);
const lowOf = (n: bigint): number => Number(n & 0xffffffffn);
const highOf = (n: bigint): number => Number(n >> 32n);
const bigOf = (low: number, high: number): bigint => (BigInt(high) << 32n) | BigInt(low);

export const wide = (value: bigint): Term => {
  const unsigned = asUnsigned(value);
  return pair(narrow(32, lowOf(unsigned)), narrow(32, highOf(unsigned)));
};

/** The unsigned value of a constant; `undefined` for all other terms. */
export function bigintOf(x: Term): bigint | undefined {
  if (x.kind !== Kind.PAIR) return undefined;
  const [low, high] = x.operands.map(numberOf);
  return low === undefined || high === undefined ? undefined : bigOf(low, high);
}

export function pair(low: Term, high: Term): Term {
  requireWidth(low, 32);
  requireWidth(high, 32);
  // The low and the high word of one term together are that term.
  if (high.kind === Kind.WORD && high.number === 1 && low === wordOf(high.operandAt(0), 0)) return high.operandAt(0);
  return intern(Kind.PAIR, 64, [low, high], [], () => ({ low: low.maybe, high: high.maybe }));
}

/** Word `index` of 64 bits: 0 is the low one. */
export function wordOf(x: Term, index: number): Term {
  requireWidth(x, 64);
  if (x.kind === Kind.PAIR) return x.operandAt(index);
  if ((index === 0 ? x.maybe : x.maybeHigh) === 0) return narrow(32, 0);
  if (index === 0 && x.kind === Kind.PRODUCT_64) return mul(wordOf(x.operandAt(0), 0), wordOf(x.operandAt(1), 0));
  if (index === 0 && x.kind === Kind.SUM_64) {
    const { constant, atoms } = viewOf(x);
    return lowOfSum(constant, atoms);
  }
  return intern(Kind.WORD, 32, [x], [index], ([whole]) => (index === 0 ? whole.maybe : whole.maybeHigh));
}

const lowOfSum = (constant: bigint, atoms: readonly Atom[]): Term =>
  atoms.reduce(
    (sum, { term, coefficient }) => add(sum, scale(wordOf(term, 0), lowOf(asUnsigned(coefficient)))),
    narrow(32, lowOf(constant)),
  );

interface Atom {
  readonly term: Term;
  readonly coefficient: bigint;
}
interface Sum {
  readonly constant: bigint;
  readonly atoms: readonly Atom[];
}

function viewOf(x: Term): Sum {
  const value = bigintOf(x);
  if (value !== undefined) return { constant: value, atoms: [] };
  if (x.kind !== Kind.SUM_64) return { constant: 0n, atoms: [{ term: x, coefficient: 1n }] };
  const [low, high, ...coefficients] = x.numbers;
  return {
    constant: bigOf(low, high),
    atoms: x.operands.map((term, i) => ({ term, coefficient: bigOf(coefficients[2 * i], coefficients[2 * i + 1]) })),
  };
}

function sumOf(constant: bigint, atoms: readonly Atom[]): Term {
  const byTerm = new Map<Term, bigint>();
  for (const { term, coefficient } of atoms) byTerm.set(term, asUnsigned((byTerm.get(term) ?? 0n) + coefficient));
  const kept = [...byTerm].filter(([, coefficient]) => coefficient !== 0n).sort(([x], [y]) => x.id - y.id);
  const total = asUnsigned(constant);
  if (kept.length === 0) return wide(total);
  if (kept.length === 1 && kept[0][1] === 1n && total === 0n) return kept[0][0];
  const largest = kept.reduce((sum, [term, coefficient]) => sum + largestOf(term) * coefficient, total);
  if (largest < ALL_32) return pair(lowOfSum(total, atoms), narrow(32, 0));
  const numbers = [total, ...kept.map(([, coefficient]) => coefficient)].flatMap((n) => [lowOf(n), highOf(n)]);
  return intern(
    Kind.SUM_64,
    64,
    kept.map(([term]) => term),
    numbers,
    () => maybeUpTo(largest),
  );
}

const largestOf = (x: Term): bigint => bigOf(x.maybe, x.maybeHigh);

/**
 * The mask of all bits up to the highest bit of the largest value; all bits if the value may have been reduced modulo
 * 2^64.
 */
function maybeUpTo(largest: bigint): Maybe {
  const bits = largest >= ALL_64 ? 64 : largest.toString(2).length;
  const all = 2n ** BigInt(bits) - 1n;
  return { low: lowOf(all), high: highOf(all) };
}

const byWords = (x: Term, y: Term, combine: (a: Term, b: Term) => Term): Term =>
  pair(combine(wordOf(x, 0), wordOf(y, 0)), combine(wordOf(x, 1), wordOf(y, 1)));

export const wideAnd = (x: Term, y: Term): Term => byWords(x, y, and);
export const wideOr = (x: Term, y: Term): Term => byWords(x, y, or);
export const wideXor = (x: Term, y: Term): Term => byWords(x, y, xor);

export function wideAdd(x: Term, y: Term): Term {
  if (x.kind === Kind.PAIR && y.kind === Kind.PAIR && x.maybe + y.maybe < 2 ** 32) return byWords(x, y, add);
  const [a, b] = [viewOf(x), viewOf(y)];
  return sumOf(a.constant + b.constant, [...a.atoms, ...b.atoms]);
}

/** factor·x */
function wideScale(x: Term, factor: bigint): Term {
  const { constant, atoms } = viewOf(x);
  return sumOf(
    constant * factor,
    atoms.map(({ term, coefficient }) => ({ term, coefficient: coefficient * factor })),
  );
}

export const wideNeg = (x: Term): Term => wideScale(x, ALL_64 - 1n);
export const wideSub = (x: Term, y: Term): Term => (x === y ? wide(0n) : wideAdd(x, wideNeg(y)));

export function wideMul(x: Term, y: Term): Term {
  const [a, b] = [bigintOf(x), bigintOf(y)];
  if (a !== undefined) return wideScale(y, a);
  if (b !== undefined) return wideScale(x, b);
  const largest = largestOf(x) * largestOf(y);
  if (largest < ALL_32) return pair(mul(wordOf(x, 0), wordOf(y, 0)), narrow(32, 0));
  return intern(Kind.PRODUCT_64, 64, x.id < y.id ? [x, y] : [y, x], [], () => maybeUpTo(largest));
}

/** Shifts by constants, modulo 64, word by word: the bits that one word loses move into its neighbour. */
export function wideShl(x: Term, count: number): Term {
  const k = count & 63;
  if (k === 0) return x;
  const low = wordOf(x, 0);
  if (k >= 32) return pair(narrow(32, 0), shl(low, k - 32));
  if (x.kind !== Kind.PAIR) return wideScale(x, 2n ** BigInt(k));
  return pair(shl(low, k), or(shl(wordOf(x, 1), k), shr_u(low, 32 - k)));
}

export function wideShrU(x: Term, count: number): Term {
  const k = count & 63;
  const [low, high] = [wordOf(x, 0), wordOf(x, 1)];
  if (k === 0) return x;
  if (k >= 32) return pair(shr_u(high, k - 32), narrow(32, 0));
  return pair(or(shr_u(low, k), shl(high, 32 - k)), shr_u(high, k));
}

export function wideShrS(x: Term, count: number): Term {
  const k = count & 63;
  const [low, high] = [wordOf(x, 0), wordOf(x, 1)];
  if (k === 0) return x;
  if (k >= 32) return pair(shr_s(high, k - 32), shr_s(high, 31));
  return pair(or(shr_u(low, k), shl(high, 32 - k)), shr_s(high, k));
}

export function wideRotl(x: Term, count: number): Term {
  const k = count & 63;
  const [low, high] = [wordOf(x, 0), wordOf(x, 1)];
  if (k === 0) return x;
  if (k === 32) return pair(high, low);
  if (k > 32) return wideRotl(pair(high, low), k - 32);
  if (low === high) return pair(rotl(low, k), rotl(low, k));
  return pair(or(shl(low, k), shr_u(high, 32 - k)), or(shl(high, k), shr_u(low, 32 - k)));
}
