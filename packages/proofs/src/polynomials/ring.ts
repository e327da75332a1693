/**
 * The atoms of one run, and what makes new ones: words of memory, and the quotients of carrying. An integer is a
 * polynomial together with the interval in which its value lies, which may be narrower than what its atoms' intervals
 * tell.
 *
 * floor(x / 2^k) is one atom q for each x and k, also where x is a sum with a quotient in it, because floor((a +
 * floor(b / 2^j)) / 2^k) = floor((2^j·a + b) / 2^(j + k)); and x mod 2^k is x - 2^k·q: so what is carried from one
 * limb to the next cancels in the number that the limbs make. Only a remainder of products is an atom of its own,
 * whose definition says the same: limbs of the accumulator then stay sums of few atoms, however many blocks came
 * before (congruence.ts).
 */
import {
  concat,
  constant,
  evaluate,
  nameOf,
  numberOf,
  parts,
  variable,
  type Assignment,
  type Term,
} from '../terms/term.ts';
import * as intervals from './interval.ts';
import type { Interval } from './interval.ts';
import { Monomial, Polynomial, twosIn, type Atom as AtomOf } from './polynomial.ts';

export type Definition =
  /** A word, unsigned, divided by 2^bits, which divides it. */
  | { readonly kind: 'word'; readonly word: Term; readonly bits: number }
  /** `of` / 2^bits, rounded down; where `of` lies. */
  | { readonly kind: 'floor'; readonly of: Sum; readonly bits: number; readonly ofInterval: Interval }
  /** `of` / 2^bits, rounded to the nearest integer, and to the even one of two. */
  | { readonly kind: 'nearest'; readonly of: Sum; readonly bits: number }
  /** `of` itself. */
  | { readonly kind: 'sum'; readonly of: Sum };
export type Atom = AtomOf<Definition>;
export type Sum = Polynomial<Definition>;

/** An integer: which one, and where it lies. */
export interface Bounded {
  readonly polynomial: Sum;
  readonly interval: Interval;
}

/** Names of variables count on through all runs, so that those of two runs are never one. */
let cutNumber = 0;

const WORD = intervals.unsignedBits(32);

export class Ring {
  readonly one: Monomial<Definition> = Monomial.one<Definition>();
  #atoms = 0;
  readonly #quotients = new Map<string, Bounded>();
  /** Remainders, which are narrower than their polynomials tell. */
  readonly #remainders = new Map<string, Bounded>();
  readonly #words = new Map<Term, Bounded>();
  readonly #termOf = new Map<string, Term>();
  /** By the name of the variable. */
  readonly #cuts = new Map<string, Bounded>();

  #atom(interval: Interval, definition: Definition): Bounded {
    const atom: Atom = { id: this.#atoms++, interval, definition };
    return { polynomial: new Polynomial(new Map([[this.one.of([atom]), 1n]])), interval };
  }

  constant(value: bigint): Bounded {
    return { polynomial: Polynomial.sum([[this.one, value]]), interval: intervals.only(value) };
  }

  /**
   * The value of a word, unsigned. Bits of it that are known to be zero make it narrower, and a multiple of an atom.
   */
  word(word: Term): Bounded {
    let known = this.#words.get(word);
    if (known) return known;
    // A word that was put together from its bytes may be written otherwise than one that was computed as a whole.
    const together = concat(...parts(word, 8));
    known = this.#words.get(together) ?? this.#newWord(word, word.maybe & together.maybe);
    this.#words.set(together, known);
    this.#words.set(word, known);
    return known;
  }

  #newWord(word: Term, maybe: number): Bounded {
    const value = numberOf(word);
    if (value !== undefined || maybe === 0) return this.constant(BigInt(value ?? 0));
    const low = twosIn(BigInt(maybe));
    const atom = this.#atom(intervals.unsignedBits(32 - Math.clz32(maybe) - low), { kind: 'word', word, bits: low });
    const known = this.multiple(atom, low);
    this.#termOf.set(known.polynomial.key, word);
    return known;
  }

  /**
   * The word of this value, from 0 to 2^32 - 1: the one that it came from, or a variable that stands for it. What is
   * shown of all values of the variable is shown of this one.
   */
  wordOf(x: Bounded, secret: boolean): Term {
    if (!intervals.within(x.interval, WORD)) throw new Error('no word has this value');
    const value = x.polynomial.constant;
    if (value !== undefined) return constant(32, value);
    let word = this.#termOf.get(x.polynomial.key);
    if (!word) {
      const name = `integer ${cutNumber++}`;
      word = variable(32, name, secret);
      this.#words.set(word, x);
      this.#termOf.set(x.polynomial.key, word);
      this.#cuts.set(name, x);
    }
    return word;
  }

  /** Whether a word is a variable that `wordOf` made. */
  isCut(word: Term): boolean {
    return this.#cuts.has(nameOf(word));
  }

  /** With all that is known of the polynomial's value. */
  bounded(polynomial: Sum, interval: Interval = polynomial.interval): Bounded {
    const value = polynomial.constant;
    if (value !== undefined) return this.constant(value);
    const narrow = intervals.intersection(interval, polynomial.interval);
    return { polynomial, interval: intervals.intersection(narrow, intervalByFloor(polynomial)) };
  }

  plus(x: Bounded, y: Bounded): Bounded {
    return this.bounded(x.polynomial.plus(y.polynomial), intervals.sum(x.interval, y.interval));
  }

  minus(x: Bounded, y: Bounded): Bounded {
    const difference = this.bounded(x.polynomial.minus(y.polynomial), intervals.difference(x.interval, y.interval));
    // What is left of a number is the difference of it and a multiple of one quotient.
    if (y.polynomial.terms.size !== 1) return difference;
    return this.#remainders.get(difference.polynomial.key) ?? difference;
  }

  times(x: Bounded, y: Bounded): Bounded {
    return this.bounded(x.polynomial.times(y.polynomial), intervals.product(x.interval, y.interval));
  }

  /** x · 2^bits */
  multiple(x: Bounded, bits: number): Bounded {
    const by = 1n << BigInt(bits);
    return { polynomial: x.polynomial.scaled(by), interval: intervals.scaled(x.interval, by) };
  }

  /** floor(x / 2^bits) */
  floor(x: Bounded, bits: number): Bounded {
    const by = BigInt(bits);
    const interval = intervals.interval(x.interval.low >> by, x.interval.high >> by);
    if (bits === 0) return x;
    if (interval.low === interval.high) return this.constant(interval.low);
    const [multiples, rest] = x.polynomial.parted((coefficient) => twosIn(coefficient) >= bits);
    if (intervals.within(rest.interval, intervals.unsignedBits(bits)))
      return this.bounded(multiples.shifted(bits), interval);
    const { of, inner } = unnested(x.polynomial);
    const scaled = intervals.scaled(x.interval, 1n << BigInt(inner));
    const ofInterval = intervals.intersection(intervals.sum(scaled, intervals.unsignedBits(inner)), of.interval);
    return this.#quotient({ kind: 'floor', of, bits: inner + bits, ofInterval }, interval);
  }

  /** x mod 2^bits, from 0. */
  remainder(x: Bounded, bits: number): Bounded {
    if (intervals.within(x.interval, intervals.unsignedBits(bits))) return x;
    return this.#rest(x, this.floor(x, bits), bits, intervals.unsignedBits(bits));
  }

  /**
   * x / 2^bits rounded to the nearest integer, and to the even one of two; what this leaves of x is then known to be
   * small.
   */
  nearest(x: Bounded, bits: number): Bounded {
    const half = 1n << BigInt(bits - 1);
    const round = (end: bigint): bigint => roundedToEven(end, bits);
    const interval = intervals.interval(round(x.interval.low), round(x.interval.high));
    if (interval.low === interval.high) return this.constant(interval.low);
    const quotient = this.#quotient({ kind: 'nearest', of: x.polynomial, bits }, interval);
    this.#rest(x, quotient, bits, intervals.interval(-half, half));
    return quotient;
  }

  #quotient(definition: Definition & { readonly kind: 'floor' | 'nearest' }, interval: Interval): Bounded {
    const key = `${definition.kind} ${definition.bits} ${definition.of.key}`;
    let quotient = this.#quotients.get(key);
    if (!quotient) this.#quotients.set(key, (quotient = this.#atom(interval, definition)));
    return { ...quotient, interval: intervals.intersection(quotient.interval, interval) };
  }

  /** x - 2^bits · quotient, which lies in `interval`. */
  #rest(x: Bounded, quotient: Bounded, bits: number, interval: Interval): Bounded {
    const polynomial = x.polynomial.minus(this.multiple(quotient, bits).polynomial);
    const { key } = polynomial;
    const known = this.#remainders.get(key);
    if (known) return known;
    const value = polynomial.constant;
    if (value !== undefined) return this.constant(value);
    // In units of what divides all of it, so that what divides it still shows.
    const { twos } = polynomial;
    const units = (end: bigint, up: bigint): bigint => (end + up) >> BigInt(twos);
    const unit = (1n << BigInt(twos)) - 1n;
    const rest =
      polynomial.degree < 2
        ? { polynomial, interval: intervals.intersection(interval, polynomial.interval) }
        : this.multiple(
            this.#atom(intervals.interval(units(interval.low, unit), units(interval.high, 0n)), {
              kind: 'sum',
              of: polynomial.shifted(twos),
            }),
            twos,
          );
    this.#remainders.set(key, rest);
    return rest;
  }

  /** The values of polynomials for values of the variables. Each atom is checked to lie in its interval. */
  evaluator(assignment: Assignment): { valueOf(polynomial: Sum): bigint; assignment: Assignment } {
    const values = new Map<Atom, bigint>();
    const valueOf = (polynomial: Sum): bigint => {
      let total = 0n;
      for (const [{ atoms }, coefficient] of polynomial.terms)
        total += atoms.reduce((product, atom) => product * atomValue(atom), coefficient);
      return total;
    };
    const compute = ({ definition }: Atom): bigint => {
      switch (definition.kind) {
        case 'word':
          return BigInt(evaluate(definition.word, withCuts)) >> BigInt(definition.bits);
        case 'floor':
          return valueOf(definition.of) >> BigInt(definition.bits);
        case 'nearest':
          return roundedToEven(valueOf(definition.of), definition.bits);
        case 'sum':
          return valueOf(definition.of);
      }
    };
    const atomValue = (atom: Atom): bigint => {
      let value = values.get(atom);
      if (value === undefined) {
        value = compute(atom);
        if (!intervals.within(intervals.only(value), atom.interval))
          throw new Error(`an atom of value ${value} outside ${intervals.shown(atom.interval)}`);
        values.set(atom, value);
      }
      return value;
    };
    const withCuts: Assignment = (name) => {
      const cut = this.#cuts.get(name);
      return cut ? valueOf(cut.polynomial) : assignment(name);
    };
    return { valueOf, assignment: withCuts };
  }
}

function roundedToEven(x: bigint, bits: number): bigint {
  const by = BigInt(bits);
  const half = 1n << (by - 1n);
  const down = (x + half) >> by;
  // Half way between two, adding half has led to the larger.
  return ((x + half) & ((1n << by) - 1n)) === 0n && down & 1n ? down - 1n : down;
}

type Floor = Definition & { readonly kind: 'floor' };

/** Of a sum of atoms, the youngest that is the quotient of such a sum and counts once; and the rest of the sum. */
function youngestFloor(polynomial: Sum): { floor: Floor; others: Sum } | undefined {
  if (polynomial.degree !== 1) return undefined;
  let youngest: { atom: Atom; floor: Floor } | undefined;
  for (const [{ atoms, degree }, coefficient] of polynomial.terms) {
    if (!degree || coefficient !== 1n) continue;
    const [atom] = atoms;
    const { definition } = atom;
    if (definition.kind === 'floor' && definition.of.degree === 1 && atom.id > (youngest?.atom.id ?? -1))
      youngest = { atom, floor: definition };
  }
  if (!youngest) return undefined;
  const { atom, floor } = youngest;
  const [, others] = polynomial.parted((_, { atoms }) => atoms[0] === atom);
  return { floor, others };
}

/** a + floor(b / 2^j) = floor(of / 2^inner); a sum without such a quotient is what it is. */
function unnested(polynomial: Sum): { of: Sum; inner: number } {
  const found = youngestFloor(polynomial);
  if (!found) return { of: polynomial, inner: 0 };
  const { floor, others } = found;
  return { of: others.scaled(1n << BigInt(floor.bits)).plus(floor.of), inner: floor.bits };
}

/** Of a quotient and what is added to it more may be known than of the parts. */
function intervalByFloor(polynomial: Sum): Interval {
  const { of, inner } = unnested(polynomial);
  if (!inner) return polynomial.interval;
  const { low, high } = intervalByCases(of);
  return intervals.interval(low >> BigInt(inner), high >> BigInt(inner));
}

/** How many values of an atom are looked at one by one. */
const FEW = 4n;

/** b + c·floor(b / 2^j) lies where it does for one of the values that the quotient may have. */
function intervalByCases(polynomial: Sum): Interval {
  for (const [{ atoms, degree }, coefficient] of polynomial.terms) {
    if (degree !== 1) continue;
    const [{ definition, interval }] = atoms;
    if (definition.kind !== 'floor' || interval.high - interval.low >= FEW) continue;
    const [, others] = polynomial.parted((_, monomial) => monomial.atoms[0] === atoms[0]);
    if (others.key !== definition.of.key) continue;
    const cases: Interval[] = [];
    for (let value = interval.low; value <= interval.high; value++) {
      const from = value << BigInt(definition.bits);
      const quotientIs = intervals.interval(from, from + (1n << BigInt(definition.bits)) - 1n);
      if (quotientIs.low > definition.ofInterval.high || quotientIs.high < definition.ofInterval.low) continue;
      const those = intervals.intersection(definition.ofInterval, quotientIs);
      cases.push(intervals.sum(those, intervals.only(coefficient * value)));
    }
    return intervals.intersection(cases.reduce(intervals.union), polynomial.interval);
  }
  return polynomial.interval;
}
