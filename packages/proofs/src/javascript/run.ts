// One run of a text: its memory, its forbidden actions, and the handling of numbers that must be known.
import { Failure } from '../claims/claim.ts';
import type { RunEvent } from '../claims/runnable.ts';
import { Bases, isInside, type Place } from '../execute/bases.ts';
import { Kind } from '../terms/node.ts';
import { constant, evaluate, type Assignment, type Term } from '../terms/term.ts';
import type { Memory, Report } from './memory.ts';
import type { View } from './syntax.ts';
import { Inexact, integer, isSecret, Word, type Doubles, type Value } from './values.ts';

export interface TextEvent extends RunEvent {
  /** The line in the text, counted from 1. */
  readonly line: number;
}

/** Thrown when a run cannot go on. */
export class Stop extends Failure {}

/** The limit of loop iterations in a call: more than any kernel needs, so that damaged kernels end too. */
const MOST_TURNS = 1_000_000;

/**
 * The value of a word under an assignment of the variables; throws if the low bits and the interval do not determine
 * it.
 */
function numberOf({ term, low, high }: Word, follow: Assignment): number {
  const value = integer(constant(32, evaluate(term, follow)), low, high);
  if (typeof value === 'number') return value;
  throw new Inexact(`an integer from ${low} to ${high}, of which only 32 bits are known`);
}

/** The largest size of memory, and so the largest value of a base. */
const MOST_BYTES = 2 ** 30;

/** The value of a parameter that is a base. */
export const baseValue = (term: Term): Value => integer(term, 0, MOST_BYTES);

/**
 * The address of the element whose index has these low 32 bits; `undefined` if the index is not known to be an address
 * divided by the element's size.
 */
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

  /**
   * With `follow`, an assignment of values to the variables, a run takes the way of these values and only records
   * leaks.
   */
  constructor(memory: Memory<unknown>, doubles: Doubles, follow?: Assignment, bases = new Bases()) {
    this.memory = memory;
    this.doubles = doubles;
    this.#follow = follow;
    this.#bases = bases;
  }

  /** The number that a value must be for the run to go on; a leak if the value depends on a secret. */
  known(x: Value, line: number, what: string): number {
    if (typeof x === 'number') return x;
    const secret = isSecret(x);
    if (secret) this.events.push({ kind: 'leak', what, line });
    if (this.#follow && x instanceof Word) return numberOf(x, this.#follow);
    throw new Stop(`line ${line}: ${what} ${secret ? 'depends on a secret' : 'is not known'}`);
  }

  /** The index of an element, which is a known number or the index of a base plus a constant. */
  index(x: Value, { name, elementBytes }: View, line: number): number {
    const place = x instanceof Word && !this.#follow ? this.#placeOf(x, elementBytes) : undefined;
    const index = place ? place.address / elementBytes : this.known(x, line, 'an index');
    const fits = place ? isInside(place, elementBytes) : !this.#bases.meets(index * elementBytes, elementBytes);
    if (!fits) throw new Stop(`line ${line}: element ${index} of ${name} may be something else's`);
    return index;
  }

  /** The place of an element that begins at a base plus an offset. */
  #placeOf({ term, low, high }: Word, elementBytes: number): Place | undefined {
    const address = addressOf(term, elementBytes);
    const place = address && this.#bases.placeOf(address);
    if (!place || place.address % elementBytes !== 0) return undefined;
    // The term gives 32 bits of an index; of the numbers with these low bits, the index is the one within its bounds.
    const least = (place.address - place.base.home) / elementBytes;
    const most = least + MOST_BYTES / elementBytes;
    return low <= least && most <= high && high - low < 2 ** 32 ? place : undefined;
  }

  /** Checks that a fill or copy at constant addresses, from `from` up to `to`, does not meet the home of a base. */
  apart(from: number, to: number, line: number): void {
    if (this.#bases.meets(from, to - from))
      throw new Stop(`line ${line}: bytes from ${from} on may be something else's`);
  }

  turn(line: number): void {
    if (++this.#turns > MOST_TURNS) throw new Stop(`line ${line}: the loop does not end`);
  }

  /** Resets the counters at the start of a call. */
  begin(): void {
    this.#turns = 0;
  }

  /** The callback that records forbidden reads and writes of a line. */
  reportOf(line: number): Report {
    return (kind, what) => this.events.push({ kind, what, line });
  }
}
