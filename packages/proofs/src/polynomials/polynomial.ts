/**
 * Polynomials of any size with integer coefficients, over atoms: integers that are known to lie in an interval.
 * Monomials are interned, so that products are looked up. Each polynomial has a key: two with the same key are the same
 * polynomial.
 */
import { interval, only, product, scaled, type Interval } from './interval.ts';

/** An unknown integer; its definition, of type `D`, tells where it comes from. */
export interface Atom<D> {
  /** Atoms are numbered in the order in which they are made. */
  readonly id: number;
  readonly interval: Interval;
  readonly definition: D;
}

/** A product of atoms, in the order of their age. */
export class Monomial<D> {
  readonly atoms: readonly Atom<D>[];
  readonly key: string;
  readonly interval: Interval;
  readonly #one: Monomial<D>;
  /** The products of this monomial and an atom that is not older than its last atom. */
  readonly #longer = new Map<Atom<D>, Monomial<D>>();
  readonly #products = new Map<Monomial<D>, Monomial<D>>();

  private constructor(shorter: Monomial<D> | undefined, atom: Atom<D> | undefined) {
    this.#one = shorter ? shorter.#one : this;
    this.atoms = shorter && atom ? [...shorter.atoms, atom] : [];
    this.key = this.atoms.map(({ id }) => id).join('.');
    this.interval = shorter && atom ? product(shorter.interval, atom.interval) : only(1n);
  }

  /** The empty product, 1. Monomials that grow from different empty products must not be mixed. */
  static one<D>(): Monomial<D> {
    return new Monomial<D>(undefined, undefined);
  }

  get degree(): number {
    return this.atoms.length;
  }

  /** The monomial of these atoms, in any order. */
  of(atoms: readonly Atom<D>[]): Monomial<D> {
    let monomial = this.#one;
    for (const atom of [...atoms].sort((a, b) => a.id - b.id)) {
      let longer = monomial.#longer.get(atom);
      if (!longer) monomial.#longer.set(atom, (longer = new Monomial(monomial, atom)));
      monomial = longer;
    }
    return monomial;
  }

  times(other: Monomial<D>): Monomial<D> {
    if (!other.degree) return this;
    if (!this.degree) return other;
    let result = this.#products.get(other);
    if (!result) this.#products.set(other, (result = this.of([...this.atoms, ...other.atoms])));
    return result;
  }
}

/** A sum of monomials times coefficients other than zero. */
export class Polynomial<D> {
  readonly terms: ReadonlyMap<Monomial<D>, bigint>;
  #key: string | undefined;
  #interval: Interval | undefined;

  constructor(terms: ReadonlyMap<Monomial<D>, bigint>) {
    this.terms = terms;
  }

  /** The sum of monomials times coefficients; monomials may repeat, and coefficients may be zero. */
  static sum<D>(terms: Iterable<readonly [Monomial<D>, bigint]>): Polynomial<D> {
    const sums = new Map<Monomial<D>, bigint>();
    for (const [monomial, coefficient] of terms) sums.set(monomial, (sums.get(monomial) ?? 0n) + coefficient);
    for (const [monomial, coefficient] of sums) if (coefficient === 0n) sums.delete(monomial);
    return new Polynomial(sums);
  }

  plus(other: Polynomial<D>): Polynomial<D> {
    return Polynomial.sum([...this.terms, ...other.terms]);
  }

  minus(other: Polynomial<D>): Polynomial<D> {
    return this.plus(other.scaled(-1n));
  }

  scaled(by: bigint): Polynomial<D> {
    if (by === 1n) return this;
    return Polynomial.sum([...this.terms].map(([monomial, coefficient]) => [monomial, coefficient * by]));
  }

  times(other: Polynomial<D>): Polynomial<D> {
    const products: [Monomial<D>, bigint][] = [];
    for (const [x, a] of this.terms) for (const [y, b] of other.terms) products.push([x.times(y), a * b]);
    return Polynomial.sum(products);
  }

  /** The polynomial divided by 2^bits, which must divide every coefficient. */
  shifted(bits: number): Polynomial<D> {
    if (bits === 0) return this;
    const by = BigInt(bits);
    return new Polynomial(new Map([...this.terms].map(([monomial, coefficient]) => [monomial, coefficient >> by])));
  }

  /** The largest number of atoms in a monomial. */
  get degree(): number {
    return [...this.terms.keys()].reduce((most, { degree }) => Math.max(most, degree), 0);
  }

  /** Its value, if it is a constant. */
  get constant(): bigint | undefined {
    if (this.terms.size > 1) return undefined;
    for (const [monomial, coefficient] of this.terms) return monomial.degree ? undefined : coefficient;
    return 0n;
  }

  get key(): string {
    return (this.#key ??= [...this.terms]
      .map(([monomial, coefficient]) => `${coefficient.toString(16)}*${monomial.key}`)
      .sort()
      .join('+'));
  }

  /** The interval that follows from the intervals of its atoms. */
  get interval(): Interval {
    if (this.#interval) return this.#interval;
    let [low, high] = [0n, 0n];
    for (const [monomial, coefficient] of this.terms) {
      const part = scaled(monomial.interval, coefficient);
      low += part.low;
      high += part.high;
    }
    return (this.#interval = interval(low, high));
  }

  /** Two polynomials: one of the terms that `which` selects, and one of the other terms. */
  parted(
    which: (coefficient: bigint, monomial: Monomial<D>) => boolean,
  ): [those: Polynomial<D>, others: Polynomial<D>] {
    const those = new Map<Monomial<D>, bigint>();
    const others = new Map<Monomial<D>, bigint>();
    for (const [monomial, coefficient] of this.terms)
      (which(coefficient, monomial) ? those : others).set(monomial, coefficient);
    return [new Polynomial(those), new Polynomial(others)];
  }

  /** The exponent of the largest power of two that divides every coefficient; Infinity for zero. */
  get twos(): number {
    let all = 0n;
    for (const coefficient of this.terms.values()) all |= coefficient;
    return twosIn(all);
  }
}

/** The exponent of the largest power of two that divides a number; Infinity for zero. */
export function twosIn(number: bigint): number {
  if (number === 0n) return Infinity;
  let twos = 0;
  while (!(number & 0xffffffffn)) {
    number >>= 32n;
    twos += 32;
  }
  const low = Number(number & 0xffffffffn) | 0;
  return twos + (31 - Math.clz32(low & -low));
}
