/**
 * The sampler. Each round runs each case once, in a new random order, in a batch that is shorter than a time slice of
 * the operating system's scheduler. Most batches then run undisturbed, and all cases of a round run under the same
 * conditions.
 */
import { now as systemClock, type Now } from './clock.ts';
import type { Plan } from './messages.ts';
import { shuffled, type Random } from './random.ts';

export type { Plan } from './messages.ts';

export interface Case {
  readonly id: string;
  /** Called before each batch, and not timed. */
  readonly before?: (() => void) | undefined;
  /** One operation. Its result is stored, so that no engine may omit the call. */
  readonly run: () => unknown;
  /** `run` returns a promise, which is awaited before the next operation starts. */
  readonly asynchronous?: boolean | undefined;
  /** Milliseconds for `count` operations, where another process or a worker reads the clock. */
  readonly time?: ((count: number) => number | Promise<number>) | undefined;
  /** The code has run long enough in another contest: it warms up only until it is as fast as in the batch before. */
  readonly hot?: boolean | undefined;
  /**
   * The number of operations before the case counts as warm, unless they take very long: compilers count work, not
   * time.
   */
  readonly least?: number | undefined;
  /** Operations in a batch, where that is known: such a case needs neither warming up nor calibration. */
  readonly count?: number | undefined;
}

/** A kernel whose time tells whether the core is busy; see probe.ts. */
export interface Probe {
  readonly pass: () => void;
  /** The passes that are timed together. */
  readonly passes: number;
}

export interface Samples {
  /** Nanoseconds per operation, in the order of the rounds, by the id of the case. */
  readonly nanoseconds: Record<string, number[]>;
  /** Operations in a batch, by the id of the case. */
  readonly batches: Record<string, number>;
  /**
   * Nanoseconds of a pass of the probe by the id of the case: one number before each of its samples and one after it,
   * alternately. Missing without a probe.
   */
  readonly probes?: Record<string, number[]>;
}

export interface Hooks {
  readonly now?: Now;
  /** Runs before and after each batch of the rounds, and isn't part of the batch's time. */
  readonly probe?: Probe | undefined;
  readonly onRound?: (round: number) => void;
}

export interface TurnHooks extends Hooks {
  /** Yields to the event loop between two batches, after the probe of the first. */
  readonly breathe?: () => Promise<void> | undefined;
  /** Checked between two batches. */
  readonly signal?: AbortSignal | undefined;
}

/** The largest batch, for a clock that shows no time for anything. */
const MOST_IN_BATCH = 2 ** 20;

/** A step of the sampler: the milliseconds of a batch of awaited operations; or undefined, where a break may be taken. */
type Step = Promise<number> | undefined;
type Steps<Result> = Generator<Step, Result, number>;
/** `ended` is called after the batch, and before the break. */
type Batch = (item: Case, count: number, ended?: () => void) => Steps<number>;

/** Samples without yielding, for cases that need not be awaited. */
export function sample(cases: readonly Case[], plan: Plan, random: Random, hooks: Hooks = {}): Samples {
  const steps = sampling(cases, plan, random, hooks);
  for (let step = steps.next(0); ; step = steps.next(0)) {
    if (step.done === true) return step.value;
    if (step.value) throw new TypeError('a case has to be awaited');
  }
}

/** Samples any cases, and yields between batches. Rejects with the signal's reason. */
export async function sampleInTurns(
  cases: readonly Case[],
  plan: Plan,
  random: Random,
  hooks: TurnHooks = {},
): Promise<Samples> {
  const { breathe, signal } = hooks;
  const steps = sampling(cases, plan, random, hooks);
  for (let step = steps.next(0); ;) {
    if (step.done === true) return step.value;
    if (step.value) {
      step = steps.next(await step.value);
      continue;
    }
    await breathe?.();
    signal?.throwIfAborted();
    step = steps.next(0);
  }
}

/** The last result of all cases: an engine must compute a value that is stored where all code can see it. */
export const results: { last: unknown } = { last: undefined };

function timed(run: () => unknown, count: number, now: Now): number {
  const start = now();
  for (let i = 0; i < count; i++) results.last = run();
  return now() - start;
}

async function timedInTurn(run: () => unknown, count: number, now: Now): Promise<number> {
  if (count > 1) await run();
  const start = now();
  for (let i = 0; i < count; i++) results.last = await run();
  return now() - start;
}

function* sampling(cases: readonly Case[], plan: Plan, random: Random, hooks: Hooks): Steps<Samples> {
  const { now = systemClock, onRound, probe } = hooks;

  function* timing({ run, time, asynchronous }: Case, count: number): Steps<number> {
    if (time) {
      const took = time(count);
      return typeof took === 'number' ? took : yield took;
    }
    if (asynchronous === true) return yield timedInTurn(run, count, now);
    // The first call is not timed: it pays for the caches and branch predictors that another case has filled.
    if (count > 1) run();
    return timed(run, count, now);
  }
  const batch: Batch = function* (item, count, ended) {
    item.before?.();
    const took = yield* timing(item, count);
    ended?.();
    yield undefined;
    return took;
  };

  const speeds = yield* warmUp(cases, plan, batch);
  const batches: Record<string, number> = {};
  for (const item of cases) {
    const speed = speeds.get(item);
    batches[item.id] =
      item.count ??
      (speed === undefined
        ? yield* calibrated(item, plan.batchMilliseconds, batch)
        : countFor(plan.batchMilliseconds, speed));
  }

  const empty = (): Record<string, number[]> => Object.fromEntries(cases.map(({ id }) => [id, []]));
  const [nanoseconds, probes] = [empty(), empty()];
  const looking = probe && lookout(probe, now);
  const [least, most] = plan.rounds;
  const start = now();
  for (let round = 0; round < most; round++) {
    if (round >= least && now() - start > plan.budgetMilliseconds) break;
    onRound?.(round);
    for (const item of shuffled(cases, random)) {
      const count = batches[item.id];
      const look = looking && (() => void probes[item.id].push(looking.after()));
      if (looking) probes[item.id].push(looking.before());
      nanoseconds[item.id].push(((yield* batch(item, count, look)) * 1e6) / count);
    }
  }
  return { nanoseconds, batches, ...(probe && { probes }) };
}

/** The probe after a batch is the one before the next batch as well, unless this many milliseconds lie between them. */
const FRESH_MILLISECONDS = 0.1;

/** Nanoseconds of a pass of the probe, before and after a batch. */
function lookout({ pass, passes }: Probe, now: Now): { before: () => number; after: () => number } {
  let [last, at] = [0, -Infinity];
  const after = (): number => {
    // The first pass is not timed: a batch displaces the data of the probe from the caches.
    pass();
    last = (timed(pass, passes, now) * 1e6) / passes;
    at = now();
    return last;
  };
  return { before: () => (now() - at < FRESH_MILLISECONDS ? last : after()), after };
}

/** Two batches that differ by a smaller share are equally fast. */
const FLAT = 0.1;
/** The progress of a compiler shows within this many slices; otherwise the warm-up is extended by the factor LONGER. */
const FLAT_SLICES = 3;
const LONGER = 3;
/** The factor by which the warm-up is extended if too few operations have run for any compiler. */
const LONGEST = 8;

/** An operation that takes longer than this many batches cannot be made to fit, and each attempt may cost seconds. */
const LONG_OPERATION = 8;

/**
 * The number of operations that take this many milliseconds. A batch of one operation would measure the state that the
 * other cases left behind (see `batch`), and the cost of switching engines; so the least number is two, and one
 * operation isn't a measure of speed.
 */
const countFor = (milliseconds: number, speed: number): number =>
  LONG_OPERATION * milliseconds * speed < 1
    ? 1
    : Math.max(2, Math.min(MOST_IN_BATCH, Math.round(milliseconds * speed)));

/** The warm-up of a case: milliseconds and operations so far, operations in the next slice, and the speeds seen. */
interface Warming {
  spent: number;
  ran: number;
  count: number;
  best: number;
  last: number;
  slicesSinceBest: number;
}

/**
 * Runs the cases in turns until their throughput is flat, so that none is compiled while it is the only one running.
 * Returns the operations per millisecond of cases that were hot before and are as fast again; the others still need
 * calibration.
 */
function* warmUp(cases: readonly Case[], plan: Plan, batch: Batch): Steps<ReadonlyMap<Case, number>> {
  const speeds = new Map<Case, number>();
  const { warmUpMilliseconds, batchMilliseconds } = plan;
  const cold = (): Warming => ({ spent: 0, ran: 0, count: 1, best: 0, last: 0, slicesSinceBest: 0 });
  const left = new Map(cases.filter(({ count }) => count === undefined).map((item) => [item, cold()]));
  const isWarm = (item: Case, { spent, ran, last, best, slicesSinceBest }: Warming): boolean =>
    item.hot === true
      ? spent >= LONGER * warmUpMilliseconds || (last > 0 && slicesSinceBest > 0 && Math.abs(last - best) < FLAT * best)
      : spent >= LONGEST * warmUpMilliseconds ||
        (ran >= (item.least ?? 0) &&
          (spent >= LONGER * warmUpMilliseconds || (spent >= warmUpMilliseconds && slicesSinceBest >= FLAT_SLICES)));

  while (left.size > 0) {
    for (const [item, state] of left) {
      if (isWarm(item, state)) {
        if (item.hot === true && state.best > 0) speeds.set(item, state.best);
        left.delete(item);
        continue;
      }
      const took = yield* batch(item, state.count);
      // A clock may show no time at all for one operation.
      state.spent += Math.max(took, 1e-3);
      state.ran += state.count;
      if (item.hot === true && state.count === 1 && took <= LONG_OPERATION * batchMilliseconds) {
        state.count = 2;
        continue;
      }
      if (took < (item.hot === true ? batchMilliseconds : warmUpMilliseconds / 8) / 2) {
        state.count = Math.min(2 * state.count, MOST_IN_BATCH);
        if (state.count < MOST_IN_BATCH) continue;
      }
      state.last = state.count / Math.max(took, 1e-3);
      state.slicesSinceBest = state.last > (1 + FLAT / 2) * state.best ? 0 : state.slicesSinceBest + 1;
      state.best = Math.max(state.best, state.last);
    }
  }
  return speeds;
}

/** Batches longer than a time slice of the scheduler are interrupted in any case, and repeating them is expensive. */
const LONG_BATCH = 4;

/**
 * Finds the number of operations that fill a batch. The fastest attempt counts, because a slower one was interrupted.
 */
function* calibrated(item: Case, milliseconds: number, batch: Batch): Steps<number> {
  const tries = milliseconds < LONG_BATCH ? 3 : 2;
  for (let count = 1; ; count *= 2) {
    let took = yield* batch(item, count);
    if (count === 1) {
      if (took > LONG_OPERATION * milliseconds) return 1;
      continue;
    }
    for (let again = 1; again < tries; again++) took = Math.min(took, yield* batch(item, count));
    if (took >= milliseconds / 2 || count >= MOST_IN_BATCH) {
      return countFor(milliseconds, count / Math.max(took, 1e-6));
    }
  }
}
