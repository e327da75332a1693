/**
 * AND and OR of words or bytes: a constant and a set of operands sorted by age, each once.
 *
 * - x & x = x | x = x.
 * - AND of a word with a constant goes byte by byte: a byte is kept, cleared or masked (bytes.ts).
 * - OR of parts that have no bit in common is their XOR.
 * - AND and OR of indicators of sets of the same word are the indicator of intersection and union: steps.ts.
 */
import { maskBytes } from './bytes.ts';
import { intern, Kind, narrow, ones, requireWidth, type Term } from './node.ts';
import { neg } from './sums.ts';
import { combineIndicators } from './steps.ts';
import { isZero } from './comparisons.ts';
import { xorAll } from './xors.ts';

type Narrow = 8 | 32;

/**
 * The constant and the operands of an n-ary node of one kind, with nested nodes of that kind flattened; `fold` combines
 * constants.
 */
function gathered(
  kind: typeof Kind.AND | typeof Kind.OR,
  constant: number,
  terms: readonly Term[],
  fold: (x: number, y: number) => number,
): { constant: number; operands: Term[] } {
  const operands: Term[] = [];
  const gather = (term: Term): void => {
    if (term.kind === Kind.CONSTANT) constant = fold(constant, term.number);
    else if (term.kind === kind) {
      constant = fold(constant, term.number);
      term.operands.forEach(gather);
    } else if (!operands.includes(term)) operands.push(term);
  };
  terms.forEach(gather);
  operands.sort((x, y) => x.id - y.id);
  return { constant: constant >>> 0, operands };
}

/** The AND of the mask and the terms. */
export function andAll(width: Narrow, mask: number, terms: readonly Term[]): Term {
  const { constant, operands } = gathered(Kind.AND, (mask & ones(width)) >>> 0, terms, (x, y) => x & y);
  const possible = operands.reduce((bits, x) => bits & x.maybe, constant) >>> 0;
  if (possible === 0) return narrow(width, 0);
  if (operands.length === 0) return narrow(width, constant);
  if (operands.length === 1) return andMask(operands[0], constant);
  if (possible === 1 && width === 32) {
    const indicator = combineIndicators((...values) => values.every(Boolean), operands);
    if (indicator) return indicator;
  }
  // A mask with several operands is applied to their AND as a whole, so that it goes byte by byte.
  const needed = operands.reduce((bits, x) => bits & x.maybe, ones(width));
  const all = node(Kind.AND, width, ones(width), operands);
  return (needed & ~constant) === 0 ? all : andMask(all, constant);
}

/** x & mask: zero if no bit is kept, x itself if no bit that may be set is cleared. */
export function andMask(x: Term, mask: number): Term {
  if ((x.maybe & mask) === 0) return narrow(x.width as Narrow, 0);
  if ((x.maybe & ~mask) === 0) return x;
  if (x.kind === Kind.CONSTANT) return narrow(x.width as Narrow, x.number & mask);
  if (x.width === 32) return maskBytes(x, mask);
  if (x.kind === Kind.AND) return node(Kind.AND, 8, (x.number & mask) >>> 0, x.operands);
  return node(Kind.AND, 8, mask, [x]);
}

/** The OR of the constant and the terms. */
export function orAll(width: Narrow, initial: number, terms: readonly Term[]): Term {
  const { constant, operands } = gathered(Kind.OR, (initial & ones(width)) >>> 0, terms, (x, y) => x | y);
  if (operands.length === 0 || constant === ones(width)) return narrow(width, constant);
  if (operands.length === 1 && constant === 0) return operands[0];
  let seen = constant;
  const disjoint = operands.every((x) => {
    const free = (seen & x.maybe) === 0;
    seen |= x.maybe;
    return free;
  });
  if (disjoint) return xorAll(width, constant, operands);
  if (seen >>> 0 === 1 && constant === 0 && width === 32) {
    const either = combineIndicators((...values) => values.some(Boolean), operands);
    if (either) return either;
  }
  return node(Kind.OR, width, constant, operands);
}

function node(
  kind: typeof Kind.AND | typeof Kind.OR,
  width: Narrow,
  constant: number,
  operands: readonly Term[],
): Term {
  return intern(kind, width, operands, [constant], (all, [c]) =>
    kind === Kind.AND
      ? all.reduce((bits, x) => bits & x.maybe, c) >>> 0
      : all.reduce((bits, x) => bits | x.maybe, c) >>> 0,
  );
}

export function and(x: Term, y: Term): Term {
  requireWidth(y, x.width);
  return andAll(x.width as Narrow, ones(x.width), [x, y]);
}

export function or(x: Term, y: Term): Term {
  requireWidth(y, x.width);
  return orAll(x.width as Narrow, 0, [x, y]);
}

/**
 * The top bit of an OR of the form x | -x, which tells whether x is not zero. If x is not 0, x or -x has its top bit
 * set: two numbers below 2^31 cannot have the sum 2^32.
 */
export function topOfOr(x: Term): Term | undefined {
  for (const operand of x.operands) {
    const rest = orAll(
      32,
      x.number,
      x.operands.filter((other) => other !== operand),
    );
    if (neg(rest) === operand) return xorAll(32, 1, [isZero(rest)]);
  }
  return undefined;
}
