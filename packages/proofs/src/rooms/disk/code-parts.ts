/** Functions with loops, in parts: each part has no loop, and the run of one has the locals that it is given. */
import { require } from '../../claims/claim.ts';
import type { Case } from '../../every-length/cases.ts';
import type { Outline } from '../../every-length/outline.ts';
import { Data, Place, sameValue, type Value } from '../../every-length/values.ts';
import type { DecodedFunction } from '../../wasm/types.ts';

/** The indexes of a loop's first instruction, of the branch back, and of the first one after it. */
export interface Loop {
  readonly from: number;
  readonly again: number;
  readonly after: number;
}

/** The loops of a function, by their beginnings. */
export const loopsOf = ({ code }: DecodedFunction): Loop[] =>
  code.flatMap(({ op }, i) => {
    if (op !== 'loop') return [];
    const again = code.findIndex((step) => step.op === 'br_if' && step.opens === i);
    const end = code[again + 1];
    require(again > i && end.op === 'end' && end.opens === i, () => 'a loop does not end with a branch back');
    return [{ from: i + 1, again, after: again + 2 }];
  });

/** The local in which a loop counts. */
export function counterOf({ code }: DecodedFunction, { again }: Loop): number {
  const step = code[again - 1];
  require(step.op === 'local.tee', () => 'a loop that does not count');
  return (step as { readonly local: number }).local;
}

/** Throws Failure unless a part has no loop, and no branch in or out of it. */
function requireStraight({ code }: DecodedFunction, from: number, to: number): void {
  let depth = 0;
  for (const { op } of code.slice(from, to)) {
    require(!['loop', 'br', 'br_if', 'return'].includes(op), () => 'a branch where none is claimed');
    if (op === 'if' || op === 'block') depth++;
    if (op === 'end') depth--;
    require(depth >= 0, () => 'a part of a function begins within a block');
  }
  require(from <= to && depth === 0, () => 'a part of a function ends within a block');
}

export type Locals = ReadonlyMap<number, Value>;
/** What an earlier part of the code left in a local. */
const LEFT = new Data('what is left of an earlier step');
/** A value that may be passed on, and not looked at. */
export const any = (name: string): Place => new Place({ name, home: undefined });

export interface Ended {
  readonly locals: readonly Value[];
  readonly stack: readonly Value[];
}

/** Runs a part with these locals, and with `others` for all the rest. */
export function runPart(
  outline: Outline,
  f: DecodedFunction,
  from: number,
  to: number,
  known: Locals,
  others: Value = LEFT,
): Ended {
  requireStraight(f, from, to);
  const locals = f.locals.map((_, i) => known.get(i) ?? others);
  return { stack: outline.slice(f, from, to, locals), locals };
}

/** Throws Failure unless these locals are as they were, but for those that have changed, and this is on the stack. */
export function expectEnded(
  c: Case,
  { locals, stack }: Ended,
  known: Locals,
  changed: readonly (readonly [number, Value])[],
  expected: readonly Value[],
  what: string,
): void {
  for (const [i, value] of new Map([...known, ...changed]))
    require(locals[i] === value || sameValue(c, locals[i], value), () =>
      `${what}: another value of variable ${i} (length ${c.example})`);
  const same = stack.length === expected.length && stack.every((value, i) => sameValue(c, value, expected[i]));
  require(same, () => `${what}: the loop counts otherwise (length ${c.example})`);
}

/** The only local, of those from one on, that has a value, besides some others. */
export function localOf(c: Case, { locals }: Ended, from: number, value: Value, but: readonly number[] = []): number {
  const found = locals.flatMap((one, i) => (i >= from && !but.includes(i) && sameValue(c, one, value) ? [i] : []));
  require(found.length === 1, () => `${found.length} variables have the same meaning`);
  return found[0];
}
