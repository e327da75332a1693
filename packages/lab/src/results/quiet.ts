/**
 * Tells samples of a quiet core from those of a busy one, by the probe before and after each sample
 * (client/probe.ts). On a shared machine the same code runs at two speeds that change every second, and by a factor
 * that differs from one contestant to the next, so that ratios change as well. Figures are of quiet rounds where there
 * are enough of them.
 */
import type { ProbeSamples } from '../client/messages.ts';
import { quantile } from './medians.ts';
import type { Processes } from './statistics.ts';

/** `between`: the core was neither clearly quiet nor clearly busy, or its state changed during the batch. */
export type CoreState = 'quiet' | 'between' | 'busy';

/** The core is quiet while the probe takes at most this many times its best. */
const QUIET = 1.06;
/** The core is busy while the probe takes at least this many times its best: another thread takes 1.2 to 1.4. */
const BUSY = 1.18;
/** The best is this quantile of all probes, because a single reading can be too short. */
const BEST = 0.01;

/** The probes of one contest in one session. */
export interface Probes {
  /** By the id of the case: before each sample and after it, alternately, in cycles where they are known. */
  readonly times: ReadonlyMap<string, readonly number[]>;
  /** One step of the clock, in the same unit. */
  readonly step: number;
}

/**
 * Divides probes by the length of a cycle, because a lower clock rate isn't a neighbour: it slows all contestants alike.
 */
export function probesOf({ passes, cycle, nanoseconds }: ProbeSamples, stepMilliseconds: number): Probes {
  return {
    times: new Map(Object.entries(nanoseconds).map(([id, values]) => [id, values.map((value) => value / cycle)])),
    step: (stepMilliseconds * 1e6) / passes / cycle,
  };
}

/** The time of the probe on a quiet core, from all contests of all sessions in the same engine; undefined without any. */
export function bestOf(all: readonly Probes[]): number | undefined {
  const times = all.flatMap((probes) => [...probes.times.values()].flat());
  return times.length === 0 ? undefined : quantile(times, BEST);
}

/** The state of the core for each sample of a case. */
export function statesOf({ times, step }: Probes, id: string, best: number): CoreState[] {
  const values = times.get(id) ?? [];
  return Array.from({ length: values.length / 2 }, (_, i) => {
    const around = [values[2 * i], values[2 * i + 1]];
    // A reading can be one step of the clock too long, and the best one too short; browsers add noise to their clocks.
    const tolerance = 2 * step;
    if (Math.max(...around) <= QUIET * best + tolerance) return 'quiet';
    return Math.min(...around) >= BUSY * best + tolerance ? 'busy' : 'between';
  });
}

/** The state of a round for two contestants: both samples must agree. */
export const together = (one: readonly CoreState[], other: readonly CoreState[]): CoreState[] =>
  one.map((state, i) => (state === other[i] ? state : 'between'));

/** The rounds of one process, and the states of the core, if there were probes. */
export interface Rounds {
  readonly values: readonly number[];
  readonly states: readonly CoreState[] | undefined;
}

/** The median of fewer rounds does not survive a single interruption. */
const LEAST_ROUNDS = 3;
/** Fewer processes give no interval; if there is only one, it has to do. */
const LEAST_PROCESSES = 2;

/** Samples of a case, or ratios of two cases, sorted by the state of the core. */
export interface Sorted {
  /** The rounds that figures are made of: quiet ones, or all if there are too few quiet ones. */
  readonly chosen: Processes;
  /** `unknown`: there were no probes, and all rounds count. */
  readonly basis: 'quiet' | 'all' | 'unknown';
  readonly all: Processes;
  /** Busy rounds of the processes that had some. */
  readonly busy: Processes;
  readonly tally: Tally;
}

export interface Tally {
  readonly rounds: number;
  readonly quiet: number;
  readonly busy: number;
}

export function sorted(processes: readonly Rounds[]): Sorted {
  const all = processes.map(({ values }) => values);
  const those = (wanted: CoreState, least: number): Processes =>
    processes
      .map(({ values, states = [] }) => values.filter((_, i) => states[i] === wanted))
      .filter(({ length }) => length >= least);
  const tally = tallyOf(processes.map(({ values, states }) => states ?? values.map((): CoreState => 'between')));
  const quiet = those('quiet', LEAST_ROUNDS);
  const busy = those('busy', 1);
  if (processes.every(({ states }) => states === undefined)) {
    return { chosen: all, basis: 'unknown', all, busy, tally };
  }
  const enough = quiet.length >= Math.min(LEAST_PROCESSES, processes.length);
  return { chosen: enough ? quiet : all, basis: enough ? 'quiet' : 'all', all, busy, tally };
}

export function tallyOf(processes: readonly (readonly CoreState[])[]): Tally {
  const states = processes.flat();
  const count = (wanted: CoreState): number => states.filter((state) => state === wanted).length;
  return { rounds: states.length, quiet: count('quiet'), busy: count('busy') };
}

export const sumOf = (tallies: readonly Tally[]): Tally =>
  tallies.reduce(
    (sum, { rounds, quiet, busy }) => ({
      rounds: sum.rounds + rounds,
      quiet: sum.quiet + quiet,
      busy: sum.busy + busy,
    }),
    { rounds: 0, quiet: 0, busy: 0 },
  );
