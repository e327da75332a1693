/**
 * Addresses that a function is given and of which nothing is known but that they are multiples of 16: a claim about such a
 * call holds wherever the caller puts what lies there, as long as it lies apart from everything else that the call touches.
 *
 * In a run each has a home, where its bytes are in the run's memory. An address has to be a constant, or one of these and a
 * constant; the first kind may not reach a home, and the second may not leave its own. A branch on a base, or an address
 * computed of two of them, is a number that is not known, and ends the run.
 */
import { shl, sub, numberOf, variable, type Term } from '../terms/term.ts';

export interface Base {
  readonly name: string;
  /** Where its bytes are in the run; a multiple of 16. */
  readonly home: number;
  /** How many of them the call may touch. */
  readonly length: number;
}

const ALIGNMENT_BITS = 4;

/** Public, and a multiple of 16: the parameter that stands for a base. */
export const baseTerm = ({ name }: Pick<Base, 'name'>): Term => shl(variable(32, name, false), ALIGNMENT_BITS);

/** A place that a base and a constant are. */
export interface Place {
  readonly address: number;
  readonly base: Base;
}

export class Bases {
  readonly #all: readonly { readonly base: Base; readonly term: Term }[];

  constructor(bases: readonly Base[] = []) {
    this.#all = bases.map((base) => ({ base, term: baseTerm(base) }));
  }

  /** The home of what a term addresses, if it is a base and a constant. */
  placeOf(term: Term): Place | undefined {
    for (const { base, term: own } of this.#all) {
      const offset = numberOf(sub(term, own));
      if (offset !== undefined) return { address: base.home + (offset | 0), base };
    }
    return undefined;
  }

  /** Whether an access to an address that is a constant might be to what lies at a base. */
  meets(address: number, length: number): boolean {
    return this.#all.some(({ base: { home, length: own } }) => address < home + own && address + length > home);
  }
}

/** Whether so many bytes at the place are the base's own. */
export const isInside = ({ address, base: { home, length: own } }: Place, length: number): boolean =>
  address >= home && address + length <= home + own;
