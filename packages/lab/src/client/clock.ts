/** The host's clock, its resolution, and the length of batches that follows from it. */
import type { TimerDescription } from './messages.ts';

/** Returns milliseconds. */
export type Now = () => number;

export const now: Now = () => performance.now();

/**
 * A batch of this many steps is measured to 2.5 % by its worst reading, and far more precisely by the median of many.
 */
const STEPS_IN_BATCH = 40;
/** Batches longer than this may not fit into a time slice of the operating system's scheduler. */
const COARSE_MILLISECONDS = 1;
const CHANGES = 32;
/** Any clock that advances at all needs fewer readings for one step. */
const MOST_READINGS = 2 ** 24;

/**
 * The median difference of two readings that differ: the step of a coarse clock, or the cost of a reading of a fine
 * one. Throws if the clock does not advance while code runs, as in deployed Workers.
 */
export function stepOf(clock: Now): number {
  const differences: number[] = [];
  let last = clock();
  for (let readings = 0; differences.length < CHANGES;) {
    const reading = clock();
    if (reading > last) {
      differences.push(reading - last);
      last = reading;
      readings = 0;
    } else if (++readings > MOST_READINGS) {
      throw new Error('the clock does not move while code runs: nothing can be timed here');
    }
  }
  return differences.sort((a, b) => a - b)[CHANGES / 2];
}

/** Adapts the length of a plan's batches to the step of the clock. */
export function timerOf(stepMilliseconds: number, batchMilliseconds: number): TimerDescription {
  const needed = STEPS_IN_BATCH * stepMilliseconds;
  return {
    stepMilliseconds,
    batchMilliseconds: Math.max(batchMilliseconds, needed),
    coarse: needed > COARSE_MILLISECONDS,
  };
}
