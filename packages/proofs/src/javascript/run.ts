// One run of a text: its memory, what it did that it must not do, and what happens where a number has to be known.
import { Failure } from '../claims/claim.ts';
import type { RunEvent } from '../claims/runnable.ts';
import { constant, evaluate, type Assignment } from '../terms/term.ts';
import type { Memory, Report } from './memory.ts';
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

export class Run {
  readonly events: TextEvent[] = [];
  readonly memory: Memory<unknown>;
  readonly doubles: Doubles;
  readonly #follow: Assignment | undefined;
  #turns = 0;

  /** With `follow`, values for the variables, a run goes where they lead, and records only the leaks. */
  constructor(memory: Memory<unknown>, doubles: Doubles, follow?: Assignment) {
    this.memory = memory;
    this.doubles = doubles;
    this.#follow = follow;
  }

  /** The number that something must be for a run to go on; a leak if a secret decides it. */
  known(x: Value, line: number, what: string): number {
    if (typeof x === 'number') return x;
    const secret = isSecret(x);
    if (secret) this.events.push({ kind: 'leak', what, line });
    if (this.#follow && x instanceof Word) return numberOf(x, this.#follow);
    throw new Stop(`line ${line}: ${what} ${secret ? 'depends on a secret' : 'is not known'}`);
  }

  turn(line: number): void {
    if (++this.#turns > MOST_TURNS) throw new Stop(`line ${line}: the loop does not end`);
  }

  /** At the start of a call. */
  begin(): void {
    this.#turns = 0;
  }

  /** What tells of reads and writes of a line. */
  reportOf(line: number): Report {
    return (kind, what) => this.events.push({ kind, what, line });
  }
}
