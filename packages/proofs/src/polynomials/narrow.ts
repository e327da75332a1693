/**
 * Narrower intervals of sums of products. A polynomial's own interval treats its terms as independent, but a limb whose
 * carry was subtracted appears as a difference, x - 2^32·floor(x / 2^32). This file finds such remainders again and
 * counts each as one term.
 *
 * The same integer is only written in different ways, and each way gives an interval that contains it.
 */
import * as intervals from './interval.ts';
import type { Interval } from './interval.ts';
import { Polynomial, type Monomial } from './polynomial.ts';
import type { Atom, Bounded, Definition, Ring, Sum } from './ring.ts';

type Term = Monomial<Definition>;
type Floor = Definition & { readonly kind: 'floor' };

const floorOf = ({ definition }: Atom): Floor | undefined =>
  definition.kind === 'floor' && definition.of.degree === 1 ? definition : undefined;

/** The remainder of - 2^bits · floor(of / 2^bits), which lies from 0 to 2^bits - 1. */
interface Remainder {
  readonly polynomial: Sum;
  readonly bits: number;
}

/** The same integer, in an interval that may be narrower. */
export function narrowed(ring: Ring, { polynomial, interval }: Bounded): Bounded {
  const known = new Map<Atom, readonly Remainder[]>();
  return { polynomial, interval: intervals.intersection(interval, intervalOf(ring, polynomial, Infinity, known)) };
}

/**
 * Takes remainders, alone or times another atom, out of the polynomial one after the other, as long as this raises the
 * lower end. The rest may contain quotients that had cancelled in the polynomial; they aren't younger than the one
 * taken out.
 */
function intervalOf(ring: Ring, polynomial: Sum, youngest: number, known: Map<Atom, readonly Remainder[]>): Interval {
  for (const [quotient, other, coefficient] of differences(ring, polynomial)) {
    if (quotient.id > youngest) continue;
    let remainders = known.get(quotient);
    if (!remainders) known.set(quotient, (remainders = remaindersBy(ring, quotient, polynomial)));
    for (const { polynomial: remainder, bits } of remainders) {
      const times = -coefficient >> BigInt(bits);
      if (times === 0n || times << BigInt(bits) !== -coefficient) continue;
      const factor = new Polynomial(new Map([[other, times]]));
      const rest = intervalOf(ring, polynomial.minus(remainder.times(factor)), quotient.id, known);
      const taken = intervals.product(factor.interval, intervals.unsignedBits(bits));
      const interval = intervals.sum(rest, taken);
      if (interval.low > polynomial.interval.low) return intervals.intersection(interval, polynomial.interval);
    }
  }
  return polynomial.interval;
}

/** The terms that are subtracted: coefficient · other · quotient, those with the youngest quotients first. */
function differences(ring: Ring, polynomial: Sum): [quotient: Atom, other: Term, coefficient: bigint][] {
  const found: [Atom, Term, bigint][] = [];
  for (const [{ atoms, degree }, coefficient] of polynomial.terms) {
    if (coefficient >= 0n || degree < 1 || degree > 2) continue;
    const [x, y] = atoms;
    if (floorOf(x)) found.push([x, y ? ring.one.of([y]) : ring.one, coefficient]);
    if (y && y !== x && floorOf(y)) found.push([y, ring.one.of([x]), coefficient]);
  }
  return found.sort(([x], [y]) => y.id - x.id);
}

/**
 * The remainders that a quotient may belong to: that of its dividend and, if the dividend came from adding a carry,
 * that of the sum with this carry: floor((2^j·a + b) / 2^(j + k)) = floor((a + floor(b / 2^j)) / 2^k).
 */
function remaindersBy(ring: Ring, quotient: Atom, within: Sum): Remainder[] {
  const { of, bits } = floorOf(quotient)!;
  const term = (atom: Atom): Sum => new Polynomial(new Map([[ring.one.of([atom]), 1n]]));
  const remainder = (of: Sum, bits: number): Remainder => ({
    polynomial: of.minus(term(quotient).scaled(1n << BigInt(bits))),
    bits,
  });
  const carries = new Set([...within.terms.keys()].flatMap(({ atoms }) => atoms).filter((atom) => floorOf(atom)));
  const nested = [...carries].flatMap((carry) => {
    const inner = floorOf(carry)!;
    const above = of.minus(inner.of);
    if (carry === quotient || inner.bits >= bits || above.twos < inner.bits) return [];
    return [remainder(above.shifted(inner.bits).plus(term(carry)), bits - inner.bits)];
  });
  return [remainder(of, bits), ...nested];
}
