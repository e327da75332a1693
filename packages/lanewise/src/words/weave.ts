/** Merges two lists of steps into one, which code notes: the published texts of modules keep the lists apart, because gzip then finds repetitions. */
import { sequence } from '../wasm/control.ts';
import type { Statement } from '../wasm/types.ts';

/** Notes before merged steps: where they begin, a step of the first list, one of the second; and the note after them. */
export const MERGED = '\ue000';
export const FIRST_STEP = '\ue001';
export const SECOND_STEP = '\ue002';
export const MERGED_END = '\ue003';

/**
 * Merges two lists of steps that do not touch each other's variables, spreading the second evenly over the first: two
 * computations that use different ports of the processor then run side by side.
 */
export function weave(first: readonly Statement[], second: readonly Statement[]): Statement {
  let merged = MERGED;
  let taken = 0;
  first.forEach((step, i) => {
    merged += FIRST_STEP + step;
    while (taken * first.length < (i + 1) * second.length) merged += SECOND_STEP + second[taken++];
  });
  return (second.length > 0 ? merged + MERGED_END : sequence(...first)) as Statement;
}
