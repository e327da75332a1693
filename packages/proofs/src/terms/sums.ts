/**
 * Addition and multiplication of words. A sum is a constant and atoms with coefficients modulo 2^32, sorted by age, no
 * atom twice and no coefficient 0; so sums that differ in order or grouping only are the same. Shifts to the left are
 * sums.
 *
 * Some words are both a sum and a node of another kind. `viewOf` reads them as sums, and `sumOf` turns such sums into
 * the other kind again, so that each word has one form:
 *
 * - x ^ 2^31 = x + 2^31, since nothing is carried out of bit 31; and ~x = -x - 1. The form is XOR.
 * - x ^ y = x + y if no bit may be set in both: nothing is carried. The form is XOR.
 * - b ^ 1 = 1 - b if b is 0 or 1. The form is XOR.
 * - Sums of indicators of intervals may be the indicator of a set: steps.ts.
 */
import { shiftBytesUp } from './bytes.ts';
import { intern, internSum, Kind, narrow, requireWidth, type Term } from './node.ts';
import { indicatorOf, inside, stepsOf } from './steps.ts';
import { xorAll } from './xors.ts';

const TOP = 0x80000000;
const ONES = 0xffffffff;

/** constant + Σ coefficient·atom. */
export interface Sum {
  readonly constant: number;
  readonly atoms: readonly Term[];
  /** All coefficients are 1 if undefined; the list may be longer than the list of atoms. */
  readonly coefficients: readonly number[] | undefined;
}

const NONE: readonly never[] = [];

export function viewOf(x: Term): Sum {
  switch (x.kind) {
    case Kind.CONSTANT:
      return { constant: x.number, atoms: NONE, coefficients: undefined };
    case Kind.SUM: {
      const { operands, numbers } = x;
      const constant = numbers[numbers.length - 1];
      return { constant, atoms: operands, coefficients: numbers.length > 1 ? numbers : undefined };
    }
    case Kind.XOR:
      return viewOfXor(x) ?? atom(x);
    case Kind.SHR_U:
    case Kind.INSIDE:
      return stepsOf(x) ?? atom(x);
    default:
      return atom(x);
  }
}

const atom = (x: Term): Sum => ({ constant: 0, atoms: [x], coefficients: undefined });

function viewOfXor(x: Term): Sum | undefined {
  const constant = x.number;
  const { operands } = x;
  if (areDisjoint(operands, constant)) return operands.map(viewOf).reduce(plus, viewOf(narrow(32, constant)));
  const rest = constant & ~TOP;
  const top = (constant & TOP) >>> 0;
  if (constant === 1 && x.maybe === 1) return linear(viewOf(xorAll(32, 0, operands)), ONES, 1);
  // (x ^ rest) ^ top, where rest is all ones below the top bit: ~x ^ top'.
  if (rest === 0x7fffffff) return linear(viewOf(xorAll(32, 0, operands)), ONES, top ? ONES : 0x7fffffff);
  if (top) return linear(viewOf(xorAll(32, rest, operands)), 1, TOP);
  return undefined;
}

/** Whether no bit may be set in two of the terms. */
function areDisjoint(terms: readonly Term[], constant: number): boolean {
  let seen = constant;
  for (const { maybe } of terms) {
    if ((seen & maybe) !== 0) return false;
    seen |= maybe;
  }
  return true;
}

/** factor·x + constant */
function linear(x: Sum, factor: number, constant: number): Sum {
  const atoms: Term[] = [];
  const coefficients: number[] = [];
  x.atoms.forEach((term, i) => {
    const coefficient = Math.imul(x.coefficients ? x.coefficients[i] : 1, factor) >>> 0;
    if (coefficient === 0) return;
    atoms.push(term);
    coefficients.push(coefficient);
  });
  return { constant: (Math.imul(x.constant, factor) + constant) >>> 0, atoms, coefficients };
}

function plus(x: Sum, y: Sum): Sum {
  const atoms: Term[] = [];
  const coefficients: number[] = [];
  let plain = true;
  const [xs, ys] = [x.atoms, y.atoms];
  for (let i = 0, j = 0; i < xs.length || j < ys.length;) {
    const order = i === xs.length ? 1 : j === ys.length ? -1 : xs[i].id - ys[j].id;
    const next = order <= 0 ? xs[i] : ys[j];
    let coefficient = 0;
    if (order <= 0) coefficient += x.coefficients ? x.coefficients[i++] : (i++, 1);
    if (order >= 0) coefficient += y.coefficients ? y.coefficients[j++] : (j++, 1);
    coefficient >>>= 0;
    if (coefficient === 0) continue;
    atoms.push(next);
    coefficients.push(coefficient);
    plain &&= coefficient === 1;
  }
  return { constant: (x.constant + y.constant) >>> 0, atoms, coefficients: plain ? undefined : coefficients };
}

/** The normal form of a sum. */
export function sumOf({ constant, atoms, coefficients }: Sum): Term {
  if (atoms.length === 0) return narrow(32, constant);
  if (atoms.length === 1) {
    const single = singleOf(atoms[0], coefficients ? coefficients[0] : 1, constant);
    if (single) return single;
  }
  const indicator = atoms[0].kind === Kind.INSIDE ? indicatorOf({ constant, atoms, coefficients }) : undefined;
  return indicator ?? disjointOf(constant, atoms, coefficients) ?? node(constant, atoms, coefficients);
}

/** The other form that a sum of one atom may have: see the head of the file. */
function singleOf(atom: Term, coefficient: number, constant: number): Term | undefined {
  // A step that is an atom is written as an interval from 0; alone it has a form of its own.
  const x = atom.kind === Kind.INSIDE ? inside(atom.operandAt(0), atom.numbers) : atom;
  if (coefficient === 1 && constant === 0) return x;
  if (coefficient === 1 && constant === TOP) return xorAll(32, TOP, [x]);
  if (coefficient === ONES && (constant === ONES || constant === 0x7fffffff)) return xorAll(32, constant, [x]);
  if (coefficient === ONES && constant === 1 && x.maybe === 1) return xorAll(32, 1, [x]);
  if (constant === 0 && isPowerOfTwo(coefficient)) return shiftBytesUp(x, exponent(coefficient));
  return undefined;
}

const isPowerOfTwo = (n: number): boolean => (n & (n - 1)) === 0;
const exponent = (powerOfTwo: number): number => 31 - Math.clz32(powerOfTwo);

function disjointOf(
  constant: number,
  atoms: readonly Term[],
  coefficients: readonly number[] | undefined,
): Term | undefined {
  if (atoms.length === 1 && constant === 0) return undefined;
  let seen = constant;
  for (let i = 0; i < atoms.length; i++) {
    const coefficient = coefficients ? coefficients[i] : 1;
    if (!isPowerOfTwo(coefficient)) return undefined;
    const maybe = atoms[i].maybe << exponent(coefficient);
    if ((seen & maybe) !== 0) return undefined;
    seen |= maybe;
  }
  const part = (x: Term, i: number): Term =>
    sumOf({ constant: 0, atoms: [x], coefficients: coefficients && [coefficients[i]] });
  return xorAll(32, constant, atoms.map(part));
}

function node(constant: number, atoms: readonly Term[], coefficients: readonly number[] | undefined): Term {
  const numbers = coefficients && !allOnes(coefficients, atoms.length) ? coefficients.slice(0, atoms.length) : [];
  numbers.push(constant);
  return intern(Kind.SUM, 32, atoms, numbers, maybeOfSum);
}

function allOnes(coefficients: readonly number[], count: number): boolean {
  for (let i = 0; i < count; i++) if (coefficients[i] !== 1) return false;
  return true;
}

/**
 * The bits that may be set in a sum: none below the lowest bit of its parts, and none above the sum of their largest
 * values.
 */
function maybeOfSum(atoms: readonly Term[], numbers: readonly number[]): number {
  const constant = numbers[numbers.length - 1];
  let largest = constant;
  let low = constant;
  for (let i = 0; i < atoms.length; i++) {
    const coefficient = numbers.length > 1 ? numbers[i] : 1;
    largest += coefficient * atoms[i].maybe;
    // The lowest bit of a product is the product of the lowest bits, which may be 2^32 or more.
    low |= Math.imul(lowestBit(coefficient), lowestBit(atoms[i].maybe));
  }
  const above = largest > ONES ? ONES : bitsUpTo(largest);
  return (above & -lowestBit(low)) >>> 0;
}

const lowestBit = (n: number): number => (n & -n) >>> 0;
/** The mask of all bits up to the highest bit of n. */
export const bitsUpTo = (n: number): number => (n === 0 ? 0 : ONES >>> Math.clz32(n));

/** A word as a sum or atom of sums and a constant; `undefined` for words that `viewOf` reads in another way. */
function plainOf(x: Term): { readonly term: Term; readonly constant: number } | undefined {
  switch (x.kind) {
    case Kind.CONSTANT:
    case Kind.SHR_U:
    case Kind.INSIDE:
      return undefined;
    case Kind.XOR: {
      const view = viewOfXor(x);
      if (!view) return { term: x, constant: 0 };
      const [term] = view.atoms;
      const single = view.atoms.length === 1 && (view.coefficients?.[0] ?? 1) === 1;
      return single ? { term, constant: view.constant } : undefined;
    }
    default:
      return { term: x, constant: 0 };
  }
}

export function add(x: Term, y: Term): Term {
  requireWidth(x, 32);
  requireWidth(y, 32);
  if (x.kind === Kind.CONSTANT && x.number === 0) return y;
  if (y.kind === Kind.CONSTANT && y.number === 0) return x;
  if ((x.maybe & y.maybe) === 0) return xorAll(32, 0, [x, y]);
  const [a, b] = [plainOf(x), plainOf(y)];
  const easy = a && b && internSum(a.term, b.term, a.constant + b.constant);
  return easy ?? sumOf(plus(viewOf(x), viewOf(y)));
}

/** factor·x */
export function scale(x: Term, factor: number): Term {
  requireWidth(x, 32);
  return sumOf(linear(viewOf(x), factor >>> 0, 0));
}

export const neg = (x: Term): Term => scale(x, ONES);
export const sub = (x: Term, y: Term): Term =>
  x === y ? narrow(32, 0) : sumOf(plus(viewOf(x), linear(viewOf(y), ONES, 0)));

export function mul(x: Term, y: Term): Term {
  requireWidth(x, 32);
  requireWidth(y, 32);
  if (x.kind === Kind.CONSTANT) return scale(y, x.number);
  if (y.kind === Kind.CONSTANT) return scale(x, y.number);
  return intern(Kind.PRODUCT, 32, x.id < y.id ? [x, y] : [y, x], [], ([a, b]) => {
    const largest = a.maybe * b.maybe;
    return largest > ONES ? ONES : bitsUpTo(largest);
  });
}
