// Functions that are not executed where they are called, because they have claims of their own: names stand for their results. Any
// call that no claim covers is a Failure, and all bytes that the function may write are unknown afterwards.
import type { Range } from '../execute/machine.ts';
import * as terms from '../terms/term.ts';
import type { Term } from '../terms/term.ts';
import { secrets } from './compare.ts';
import type { Runnable } from './runnable.ts';

/** A function that has claims of its own. */
export interface Part {
  readonly name: string;
  /** The ranges that a call may write; throws Failure if no claim covers these parameters. */
  writes(...parameters: readonly number[]): Range[];
}

const idsOf = (bytes: readonly Term[]): string => bytes.map(({ id }) => id).join();

/** Names for the results of a function: equal inputs have equal names. */
export class Named {
  readonly #numbers = new Map<string, number>();

  of(name: string, bytes: readonly Term[], length: number): Term[] {
    const key = `${name} ${idsOf(bytes)}`;
    let number = this.#numbers.get(key);
    if (number === undefined) this.#numbers.set(key, (number = this.#numbers.size));
    return Array.from({ length }, (_, i) => terms.variable(8, `${name} ${number}[${i}]`, true));
  }
}

interface Given {
  readonly address: number;
  readonly bytes: readonly Term[];
}

/** A stand-in for a part: it writes given bytes, and unknown bytes wherever else the part may write. */
export function inPlaceOf(part: Part, given: (run: Runnable, ...parameters: number[]) => readonly Given[]) {
  let calls = 0;
  return (run: Runnable, ...parameters: number[]): void => {
    const places = part.writes(...parameters);
    const results = given(run, ...parameters);
    const call = calls++;
    for (const { from, to } of places) run.write(from, secrets(`left by ${part.name} ${call} at ${from}`, to - from));
    for (const { address, bytes } of results) {
      const inside = places.some(({ from, to }) => address >= from && address + bytes.length <= to);
      if (!inside) throw new Error(`what ${part.name} gives is not where it may write`);
      run.write(address, bytes);
    }
  };
}
