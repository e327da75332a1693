/**
 * The atoms of one run: words of memory, and the quotients of carrying. An integer is a polynomial together with the
 * interval in which its value lies, which may be narrower than the interval that follows from its atoms.
 *
 * floor(x / 2^k) is one atom q for each x and k, also where x is a sum with a quotient in it, because floor((a +
 * floor(b / 2^j)) / 2^k) = floor((2^j·a + b) / 2^(j + k)); and x mod 2^k is x - 2^k·q: so the carry from one limb to
 * the next cancels in the number that the limbs represent. Only a remainder of products is an atom of its own, defined
 * as the same difference: limbs of the accumulator then stay sums of few atoms, however many blocks came before
 * (congruence.ts).
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
  /** An unsigned word divided by 2^bits, which divides it exactly. */
  | { readonly kind: 'word'; readonly word: Term; readonly bits: number }
  /** `of` / 2^bits, rounded down; `ofInterval` is the interval of `of`. */
  | { readonly kind: 'floor'; readonly of: Sum; readonly bits: number; readonly ofInterval: Interval }
  /** `of` / 2^bits, rounded to the nearest integer, ties to even. */
  | { readonly kind: 'nearest'; readonly of: Sum; readonly bits: number }
  /** A name for the polynomial `of` itself. */
  | { readonly kind: 'sum'; readonly of: Sum };
export type Atom = AtomOf<Definition>;
export type Sum = Polynomial<Definition>;

/** An integer: the polynomial that it is, and the interval in which it lies. */
export interface Bounded {
  readonly polynomial: Sum;
  readonly interval: Interval;
}

/** Variables are numbered through all runs, so that two runs never use the same name. */
let cutNumber = 0;

const WORD = intervals.unsignedBits(32);

export class Ring {
  readonly one: Monomial<Definition> = Monomial.one<Definition>();
  #atoms = 0;
  readonly #quotients = new Map<string, Bounded>();
  /**
   * Remainders by the keys of their polynomials: their intervals are narrower than those that follow from the
   * polynomials.
   */
  readonly #remainders = new Map<string, Bounded>();
  readonly #words = new Map<Term, Bounded>();
  readonly #termOf = new Map<string, Term>();
  /** The integers that variables stand for, by the variable's name. */
  readonly #cuts = new Map<string, Bounded>();

  #atom(interval: Interval, definition: Definition): Bounded {
    const atom: Atom = { id: this.#atoms++, interval, definition };
    return { polynomial: new Polynomial(new Map([[this.one.of([atom]), 1n]])), interval };
  }

  constant(value: bigint): Bounded {
    return { polynomial: Polynomial.sum([[this.one, value]]), interval: intervals.only(value) };
  }

  /**
   * The value of a word, unsigned. High bits known to be zero narrow its interval; low bits known to be zero make it a
   * multiple of an atom.
   */
  word(word: Term): Bounded {
    let known = this.#words.get(word);
    if (known) return known;
    // The same word may be a different term when it is assembled from its bytes than when it is computed as one word.
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
   * The word of this value, from 0 to 2^32 - 1: the word that the value came from, or a variable that stands for it. A
   * statement shown for all values of the variable holds for this value too.
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

  /** The polynomial with the narrowest interval that is known for its value. */
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
    // Only a difference between a number and a multiple of one quotient can be a remainder.
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

  /** x mod 2^bits, not negative. */
  remainder(x: Bounded, bits: number): Bounded {
    if (intervals.within(x.interval, intervals.unsignedBits(bits))) return x;
    return this.#rest(x, this.floor(x, bits), bits, intervals.unsignedBits(bits));
  }

  /**
   * x / 2^bits rounded to the nearest integer, ties to even; the remainder of x is from then on known to be small.
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
    // In units of the largest power of two that divides the polynomial, so that the result is a multiple of it by its
    // form.
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
  // For a tie, adding one half has led to the larger of the two neighbours.
  return ((x + half) & ((1n << by) - 1n)) === 0n && down & 1n ? down - 1n : down;
}

type Floor = Definition & { readonly kind: 'floor' };

/**
 * Splits a sum of atoms into its youngest atom that is itself the quotient of such a sum and has coefficient 1, and the
 * rest of the sum.
 */
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

/** Rewrites a + floor(b / 2^j) as floor(of / 2^inner); a sum without such a quotient is returned as `of` itself. */
function unnested(polynomial: Sum): { of: Sum; inner: number } {
  const found = youngestFloor(polynomial);
  if (!found) return { of: polynomial, inner: 0 };
  const { floor, others } = found;
  return { of: others.scaled(1n << BigInt(floor.bits)).plus(floor.of), inner: floor.bits };
}

/** The interval of a quotient plus other terms, which may be narrower than the sum of their intervals. */
function intervalByFloor(polynomial: Sum): Interval {
  const { of, inner } = unnested(polynomial);
  if (!inner) return polynomial.interval;
  const { low, high } = intervalByCases(of);
  return intervals.interval(low >> BigInt(inner), high >> BigInt(inner));
}

/** An atom with at most this many values is examined value by value. */
const FEW = 4n;

/** The interval of b + c·floor(b / 2^j): the union of the intervals for each value that the quotient may have. */
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
