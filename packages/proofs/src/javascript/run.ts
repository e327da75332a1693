// One run of a text: its memory, its forbidden actions, and the handling of numbers that have to be known.
import { Failure } from '../claims/claim.ts';
import type { RunEvent } from '../claims/runnable.ts';
import { Bases, isInside, type Place } from '../execute/bases.ts';
import { Kind } from '../terms/node.ts';
import { constant, evaluate, type Assignment, type Term } from '../terms/term.ts';
import type { Memory, Report } from './memory.ts';
import type { View } from './syntax.ts';
import { Inexact, integer, isSecret, Word, type Doubles, type Value } from './values.ts';

export interface TextEvent extends RunEvent {
  /** In the text, from 1. */
  readonly line: number;
}

/** A run that cannot go on. */
export class Stop extends Failure {}

/** No call of a kernel takes so many turns of its loops; one of a damaged kernel may. */
const MOST_TURNS = 1_000_000;

/** The number that a word is for these values of the variables; its low bits must be enough to tell. */
function numberOf({ term, low, high }: Word, follow: Assignment): number {
  const value = integer(constant(32, evaluate(term, follow)), low, high);
  if (typeof value === 'number') return value;
  throw new Inexact(`an integer from ${low} to ${high}, of which only 32 bits are known`);
}

/** The largest size of memory, and so the largest value of a base. */
const MOST_BYTES = 2 ** 30;

/** The parameter that is a base. */
export const baseValue = (term: Term): Value => integer(term, 0, MOST_BYTES);

/** Of which address 32 bits of an index are the element's; `undefined` if it is not known to be one's. */
function addressOf(index: Term, elementBytes: number): Term | undefined {
  if (elementBytes === 1) return index;
  const isShifted = index.kind === Kind.SHR_S && index.numbers[0] === Math.log2(elementBytes);
  return isShifted ? index.operands[0] : undefined;
}

export class Run {
  readonly events: TextEvent[] = [];
  readonly memory: Memory<unknown>;
  readonly doubles: Doubles;
  readonly #follow: Assignment | undefined;
  readonly #bases: Bases;
  #turns = 0;

  /** With `follow`, values for the variables, a run goes where they lead, and records only the leaks. */
  constructor(memory: Memory<unknown>, doubles: Doubles, follow?: Assignment, bases = new Bases()) {
    this.memory = memory;
    this.doubles = doubles;
    this.#follow = follow;
    this.#bases = bases;
  }

  /** The number that something must be for a run to go on; a leak if a secret decides it. */
  known(x: Value, line: number, what: string): number {
    if (typeof x === 'number') return x;
    const secret = isSecret(x);
    if (secret) this.events.push({ kind: 'leak', what, line });
    if (this.#follow && x instanceof Word) return numberOf(x, this.#follow);
    throw new Stop(`line ${line}: ${what} ${secret ? 'depends on a secret' : 'is not known'}`);
  }

  /** The index of an element: a number that is known, or that of a base and a constant. */
  index(x: Value, { name, elementBytes }: View, line: number): number {
    const place = x instanceof Word && !this.#follow ? this.#placeOf(x, elementBytes) : undefined;
    const index = place ? place.address / elementBytes : this.known(x, line, 'an index');
    const fits = place ? isInside(place, elementBytes) : !this.#bases.meets(index * elementBytes, elementBytes);
    if (!fits) throw new Stop(`line ${line}: element ${index} of ${name} may be something else's`);
    return index;
  }

  /** Of an element that begins at a base and an offset. */
  #placeOf({ term, low, high }: Word, elementBytes: number): Place | undefined {
    const address = addressOf(term, elementBytes);
    const place = address && this.#bases.placeOf(address);
    if (!place || place.address % elementBytes !== 0) return undefined;
    // An index has more than 32 bits: of all numbers that have these, it is the one within its bounds.
    const least = (place.address - place.base.home) / elementBytes;
    const most = least + MOST_BYTES / elementBytes;
    return low <= least && most <= high && high - low < 2 ** 32 ? place : undefined;
  }

  /** Where a number of bytes from one that is known up to another are filled or copied. */
  apart(from: number, to: number, line: number): void {
    if (this.#bases.meets(from, to - from))
      throw new Stop(`line ${line}: bytes from ${from} on may be something else's`);
  }

  turn(line: number): void {
    if (++this.#turns > MOST_TURNS) throw new Stop(`line ${line}: the loop does not end`);
  }

  /** At the start of a call. */
  begin(): void {
    this.#turns = 0;
  }

  /** Reports the reads and writes of a line. */
  reportOf(line: number): Report {
    return (kind, what) => this.events.push({ kind, what, line });
  }
}
