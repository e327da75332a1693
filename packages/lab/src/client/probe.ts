/**
 * The probe: passes of the canary's kernel with vectors, timed before and after each batch. On a core whose other
 * hyper-thread is working, instructions of both threads share the execution units. A kernel that is limited by its
 * throughput then takes 1.2 to 1.4 times as long, whereas the yardstick, a chain of dependent instructions, does not
 * notice; results/quiet.ts sorts the samples by it.
 */
import type { Probe } from './sampler.ts';

/** Long enough for a fine clock, and a twelfth of the shortest batch. */
const MILLISECONDS = 0.02;
/** Two steps of the clock must be a smaller share than the difference between a quiet core and a busy one. */
const STEPS = 16;

/** `milliseconds` is the time of one pass. */
export const probeOf = (pass: () => void, milliseconds: number, stepMilliseconds: number): Probe => ({
  pass,
  passes: Math.max(1, Math.ceil(Math.max(MILLISECONDS, STEPS * stepMilliseconds) / Math.max(milliseconds, 1e-6))),
});

/** Contests whose yardsticks count together: few enough to follow the clock rate, which changes within seconds. */
const RECENT = 5;

/**
 * The cycle of the clock rate at which the probe runs. Interruptions only lengthen a yardstick, and in one contest they
 * may lengthen each of its few; so the least of several contests counts.
 */
export class RecentCycle {
  readonly #least: number[] = [];

  /** Takes the yardsticks of a contest; returns the nanoseconds of a cycle. */
  after(cycles: readonly number[]): number {
    this.#least.push(Math.min(...cycles));
    if (this.#least.length > RECENT) this.#least.shift();
    return Math.min(...this.#least);
  }
}
