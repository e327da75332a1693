/**
 * Values of 64 bits for execute/machine.ts: instructions as they are, in claims about the last step alone. Other claims
 * compare terms, which their rules have brought to one form.
 */
import { bits64 as terms } from '../execute/bits64.ts';
import type { Integers64 } from '../execute/domain.ts';
import type { Term } from '../terms/term.ts';
import { bits64 as instructions } from './bits64.ts';

let current: Integers64<Term> = terms;
export function keepInstructions(keep: boolean): void {
  current = keep ? instructions : terms;
}

export const bits64 = new Proxy(terms, { get: (_, name): unknown => Reflect.get(current, name) });
