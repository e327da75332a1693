/**
 * Bases: address parameters that are only known to be multiples of 16, or whatever term of public numbers an address starts from.
 * A claim about such a call holds wherever the caller places the data, as long as the data lie apart from everything else that
 * the call touches.
 *
 * In a run each base has a home, the place of its bytes in the run's memory. An address must be a constant, or a base
 * plus a constant; the first kind must not reach a home, and the second must not leave its own. A branch on a base, or
 * an address computed from two bases, depends on an unknown number and ends the run.
 */
import { shl, sub, numberOf, variable, type Term } from '../terms/term.ts';

export interface Base {
  readonly name: string;
  /** The address of the base's bytes in the run; a multiple of 16. */
  readonly home: number;
  /** The number of bytes that the call may touch. */
  readonly length: number;
  /** The term that stands for it, unless it is a parameter of its own. */
  readonly term?: Term;
}

const ALIGNMENT_BITS = 4;

/** The parameter that stands for a base: public, and a multiple of 16. */
export const baseTerm = ({ name }: Pick<Base, 'name'>): Term => shl(variable(32, name, false), ALIGNMENT_BITS);

/** An address in the home of a base: the place of a base plus a constant. */
export interface Place {
  readonly address: number;
  readonly base: Base;
}

export class Bases {
  readonly #all: readonly { readonly base: Base; readonly term: Term }[];

  constructor(bases: readonly Base[] = []) {
    this.#all = bases.map((base) => ({ base, term: base.term ?? baseTerm(base) }));
  }

  /** The place that a term addresses, if the term is a base plus a constant. */
  placeOf(term: Term): Place | undefined {
    for (const { base, term: own } of this.#all) {
      const offset = numberOf(sub(term, own));
      if (offset !== undefined) return { address: base.home + (offset | 0), base };
    }
    return undefined;
  }

  /** Whether an access at a constant address would meet the home of a base. */
  meets(address: number, length: number): boolean {
    return this.#all.some(
      ({ base: { home, length: baseLength } }) => address < home + baseLength && address + length > home,
    );
  }
}

/** Whether `length` bytes from the place on belong to the base. */
export const isInside = ({ address, base: { home, length: baseLength } }: Place, length: number): boolean =>
  address >= home && address + length <= home + baseLength;
