import { sequence } from '../wasm/control.ts';
import type { Statement } from '../wasm/types.ts';

/** Two lists of steps. */
export type Weaving = readonly [first: readonly Statement[], second: readonly Statement[]];

/** All lists that were merged, by the result. In the published texts of modules they are apart, because gzip then finds repetitions. */
export const weavings = new Map<Statement, Weaving>();

/**
 * Merges two lists of steps that do not touch each other's variables, spreading the second evenly over the first: two
 * computations that use different ports of the processor then run side by side.
 */
export function weave(first: readonly Statement[], second: readonly Statement[]): Statement {
  const merged: Statement[] = [];
  let taken = 0;
  first.forEach((step, i) => {
    merged.push(step);
    while (taken * first.length < (i + 1) * second.length) merged.push(second[taken++]);
  });
  const code = sequence(...merged);
  if (second.length > 0) weavings.set(code, [first, second]);
  return code;
}
