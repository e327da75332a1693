/**
 * Indicators: words that are 1 if another word, the base, is in a set, and else 0. A set is a list of intervals [from,
 * to, from, to …], rising, with gaps between them; `to` is the first number that is not in it.
 *
 * Carries are indicators: x + c carries if x >= 2^32 - c. A counter's words are added block by block; its carry is a
 * comparison in one kernel and a majority of top bits in another. Both end in the same sums because
 *
 * - an indicator is a sum of steps [base < t], one for each end of an interval, and in sums equal steps add up or
 *   cancel;
 * - AND, OR and XOR of indicators of one base are the indicator of intersection, union and symmetric difference;
 * - the top bit of a word, word >>> 31, is the indicator of the numbers from 2^31 on. That is also its form: the
 *   indicator of 2^31 numbers in a row is the top bit of a sum.
 */
import { intern, Kind, narrow, type Term } from './node.ts';
import { shr_u } from './shifts.ts';
import { add, sumOf, viewOf, type Sum } from './sums.ts';
import { xorAll } from './xors.ts';

const ALL = 2 ** 32;
const HALF = 2 ** 31;
const ONES = 0xffffffff;

interface Indicator {
  readonly base: Term;
  readonly edges: readonly number[];
}

function contains(edges: readonly number[], x: number): boolean {
  let below = 0;
  while (below < edges.length && edges[below] <= x) below++;
  return below % 2 === 1;
}

/** The set that `member` describes; membership may change at the points only. */
function setOf(points: readonly number[], member: (x: number) => boolean): number[] {
  const edges: number[] = [];
  let inside = false;
  for (const point of [...new Set([0, ...points])].sort((x, y) => x - y)) {
    if (point >= ALL || member(point) === inside) continue;
    edges.push(point);
    inside = !inside;
  }
  if (inside) edges.push(ALL);
  return edges;
}

/** The set for y in place of base = y + constant: base in S is y in S - constant. */
const shifted = (edges: readonly number[], constant: number): number[] =>
  setOf(
    edges.map((edge) => (edge - constant) >>> 0),
    (y) => contains(edges, (y + constant) >>> 0),
  );

/** The set for y in place of base = -y. A change of membership from base - 1 to base is a change from y to y + 1. */
const negated = (edges: readonly number[]): number[] =>
  setOf(
    edges.map((edge) => (1 - edge) >>> 0),
    (y) => contains(edges, -y >>> 0),
  );

/** The same indicator, with a base to which no constant is added and whose first coefficient is not negative. */
function stripped({ base, edges }: Indicator): Indicator {
  if (base.kind === Kind.XOR) {
    // x ^ 2^31 = x + 2^31; x ^ (2^32 - 1) = -x - 1
    const rest = xorAll(32, 0, base.operands);
    const constant = base.number;
    if (constant === HALF) return stripped({ base: rest, edges: shifted(edges, HALF) });
    if (constant === ONES) return stripped({ base: rest, edges: negated(shifted(edges, ONES)) });
    if (constant === HALF - 1) return stripped({ base: rest, edges: negated(shifted(edges, HALF - 1)) });
  }
  if (base.kind === Kind.SUM) {
    const { constant, atoms, coefficients: known } = viewOf(base);
    const coefficients = known ?? atoms.map(() => 1);
    const negative = coefficients[0] > HALF;
    if (constant === 0 && !negative) return { base, edges };
    const signed = negative ? coefficients.map((coefficient) => -coefficient >>> 0) : coefficients;
    const moved = shifted(edges, constant);
    const rest = sumOf({ constant: 0, atoms, coefficients: signed });
    return stripped({ base: rest, edges: negative ? negated(moved) : moved });
  }
  return { base, edges };
}

/** 1 if x is in the set, else 0. */
export function inside(x: Term, set: readonly number[]): Term {
  const { base, edges: unclipped } = stripped({ base: x, edges: set });
  if (base.kind === Kind.CONSTANT) return narrow(32, contains(unclipped, base.number) ? 1 : 0);
  // Above the base's largest possible value the set does not matter.
  const end = base.maybe + 1;
  const edges = setOf([...unclipped, end], (y) => y < end && contains(unclipped, y));
  if (edges.length === 0) return narrow(32, 0);
  if (edges.length === 2 && edges[0] === 0 && edges[1] === end) return narrow(32, 1);
  if (end === 2) return edges[0] === 1 ? base : xorAll(32, 1, [base]);
  const half = end === ALL ? startOfHalf(edges) : undefined;
  if (half !== undefined) return shr_u(add(base, narrow(32, HALF - half)), 31);
  return intern(Kind.INSIDE, 32, [base], edges, () => 1);
}

/** The start of the set, if it is 2^31 consecutive numbers, which may wrap around to 0. */
function startOfHalf(edges: readonly number[]): number | undefined {
  if (edges.length === 2 && edges[1] - edges[0] === HALF) return edges[0];
  if (edges.length === 4 && edges[0] === 0 && edges[3] === ALL && edges[2] - edges[1] === HALF) return edges[2];
  return undefined;
}

/** A word as an indicator, if it is one. */
function asIndicator(x: Term): Indicator | undefined {
  if (x.kind === Kind.INSIDE) return { base: x.operandAt(0), edges: x.numbers };
  if (x.kind !== Kind.SHR_U || x.number !== 31) return undefined;
  const word = x.operandAt(0);
  if (word.kind !== Kind.XOR) return stripped({ base: word, edges: [HALF, ALL] });
  // Only the top bit of the XORed constant matters.
  const edges = word.number >= HALF ? [0, HALF] : [HALF, ALL];
  return stripped({ base: xorAll(32, 0, word.operands), edges });
}

/**
 * The indicator of the values of `combine`, applied to indicators of one base; `undefined` if the terms are not
 * indicators of one base.
 */
export function combineIndicators(
  combine: (...values: boolean[]) => boolean,
  terms: readonly Term[],
): Term | undefined {
  const indicators: Indicator[] = [];
  for (const term of terms) {
    const indicator = asIndicator(term);
    if (!indicator || (indicators.length > 0 && indicator.base !== indicators[0].base)) return undefined;
    indicators.push(indicator);
  }
  const points = indicators.flatMap(({ edges }) => edges);
  const edges = setOf(points, (x) => combine(...indicators.map((indicator) => contains(indicator.edges, x))));
  return inside(indicators[0].base, edges);
}

/** An indicator as a sum of steps: [base < to] - [base < from] for each interval. */
export function stepsOf(x: Term): Sum | undefined {
  const indicator = asIndicator(x);
  if (!indicator) return undefined;
  const { base, edges } = indicator;
  let constant = 0;
  const steps: { atom: Term; coefficient: number }[] = [];
  edges.forEach((edge, i) => {
    const coefficient = i % 2 === 1 ? 1 : ONES;
    // base < 0 never holds, and base < edge always holds if the edge is above the base's largest possible value.
    if (edge > base.maybe) constant += coefficient;
    else if (edge > 0) steps.push({ atom: intern(Kind.INSIDE, 32, [base], [0, edge], () => 1), coefficient });
  });
  steps.sort((a, b) => a.atom.id - b.atom.id);
  return {
    constant: constant >>> 0,
    atoms: steps.map(({ atom }) => atom),
    coefficients: steps.map(({ coefficient }) => coefficient),
  };
}

/** A sum of steps of one base as an indicator, if the sum is 0 or 1 everywhere. */
export function indicatorOf({ constant, atoms, coefficients }: Sum): Term | undefined {
  const base = atoms[0].operandAt(0);
  if (!atoms.every((atom) => atom.kind === Kind.INSIDE && atom.operandAt(0) === base)) return undefined;
  const value = (x: number): number =>
    atoms.reduce((sum, atom, i) => sum + (x < atom.numbers[1] ? (coefficients ? coefficients[i] : 1) : 0), constant) >>>
    0;
  const points = [0, ...atoms.map((atom) => atom.numbers[1])];
  return points.every((point) => value(point) <= 1)
    ? inside(
        base,
        setOf(points, (x) => value(x) === 1),
      )
    : undefined;
}
