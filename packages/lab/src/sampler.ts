/**
 * The sampler: in each round, each case once, in a new random order, in a batch that is shorter than a slice of the
 * operating system's scheduler. Most batches then run undisturbed, and all of a round see the same moment.
 */
import { shuffled, type Random } from './random.ts';

export interface Case {
  readonly id: string;
  /** What must be set before a batch, and is not timed. */
  readonly before?: (() => void) | undefined;
  /** One operation. */
  readonly run: () => void;
  /** Milliseconds of so many operations, where they run in another process, which has the clock. */
  readonly time?: ((count: number) => number) | undefined;
}

export interface Plan {
  /** All rounds are made in any case up to the first number; after it, only while the budget lasts. */
  readonly rounds: readonly [least: number, most: number];
  readonly budgetMilliseconds: number;
  readonly batchMilliseconds: number;
  /** For each case. 0 if the cases have already run often enough. */
  readonly warmUpMilliseconds: number;
}

export interface Samples {
  /** Nanoseconds per operation, in the order of the rounds, by the id of the case. */
  readonly nanoseconds: Record<string, number[]>;
  /** Operations in a batch, by the id of the case. */
  readonly batches: Record<string, number>;
}

export interface Hooks {
  /** Milliseconds. */
  readonly now?: () => number;
  readonly onRound?: (round: number) => void;
}

/** Where a clock shows no time for anything, batches end somewhere. */
const MOST_IN_BATCH = 2 ** 20;

export function sample(cases: readonly Case[], plan: Plan, random: Random, hooks: Hooks = {}): Samples {
  const { now = () => performance.now(), onRound } = hooks;

  const batch = (item: Case, count: number): number => {
    const { run } = item;
    item.before?.();
    if (item.time) return item.time(count);
    // What another case left in caches and branch predictors costs only this one.
    if (count > 1) run();
    const start = now();
    for (let i = 0; i < count; i++) run();
    return now() - start;
  };

  warmUp(cases, plan, batch);
  const batches = Object.fromEntries(cases.map((item) => [item.id, calibrated(item, plan.batchMilliseconds, batch)]));

  const nanoseconds: Record<string, number[]> = Object.fromEntries(cases.map(({ id }) => [id, []]));
  const [least, most] = plan.rounds;
  const start = now();
  for (let round = 0; round < most; round++) {
    if (round >= least && now() - start > plan.budgetMilliseconds) break;
    onRound?.(round);
    for (const item of shuffled(cases, random)) {
      const count = batches[item.id];
      nanoseconds[item.id].push((batch(item, count) * 1e6) / count);
    }
  }
  return { nanoseconds, batches };
}

type Batch = (item: Case, count: number) => number;

/** In turns, so that no case is compiled with only itself in sight. */
function warmUp(cases: readonly Case[], plan: Plan, batch: Batch): void {
  const left = new Map(cases.map((item) => [item, plan.warmUpMilliseconds]));
  const counts = new Map(cases.map((item) => [item, 1]));
  const slice = plan.warmUpMilliseconds / 8;
  while (left.size > 0) {
    for (const [item, milliseconds] of left) {
      if (milliseconds <= 0) {
        left.delete(item);
        continue;
      }
      const count = counts.get(item) ?? 1;
      const took = batch(item, count);
      // A clock may show no time at all for one operation.
      left.set(item, milliseconds - Math.max(took, 1e-3));
      if (took < slice / 2) counts.set(item, Math.min(2 * count, MOST_IN_BATCH));
    }
  }
}

/** How many operations fill a batch. The fastest of three tries counts: a slow one was interrupted. */
function calibrated(item: Case, milliseconds: number, batch: Batch): number {
  for (let count = 1; ; count *= 2) {
    const first = batch(item, count);
    // Nothing makes that fit, and each try of a long operation costs seconds.
    if (count === 1 && first > 8 * milliseconds) return 1;
    const took = Math.min(first, batch(item, count), batch(item, count));
    if (took >= milliseconds / 2 || count >= MOST_IN_BATCH) {
      // Alone it would show what the others left behind: see `batch`.
      return Math.max(2, Math.min(MOST_IN_BATCH, Math.round((count * milliseconds) / Math.max(took, 1e-6))));
    }
  }
}
