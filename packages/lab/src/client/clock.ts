/** The clock of the place, how coarse it is, and what batches follow from that. */
import type { TimerDescription } from './messages.ts';

/** Milliseconds. */
export type Now = () => number;

export const now: Now = () => performance.now();

/** A batch of so many steps is measured to 2.5 % by its worst reading, and to far less by the median of many. */
const STEPS_IN_BATCH = 40;
/** Batches longer than this may not fit into a slice of the operating system's scheduler. */
const COARSE_MILLISECONDS = 1;
const CHANGES = 32;
/** No clock that moves at all takes so many readings for one step. */
const MOST_READINGS = 2 ** 24;

/**
 * The usual difference of two readings that differ: the step of a coarse clock, and of a fine one the time of a reading.
 * Throws if the clock stands still while code runs, as it does in deployed Workers.
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

/** What a plan's batches become with such a clock. */
export function timerOf(stepMilliseconds: number, batchMilliseconds: number): TimerDescription {
  const needed = STEPS_IN_BATCH * stepMilliseconds;
  return {
    stepMilliseconds,
    batchMilliseconds: Math.max(batchMilliseconds, needed),
    coarse: needed > COARSE_MILLISECONDS,
  };
}
