import { sequence } from '../wasm/control.ts';
import type { Statement } from '../wasm/types.ts';

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
  return sequence(...merged);
}
