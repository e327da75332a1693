/** How the queue treats jobs. */
import type { JobsOptions } from 'bullmq';

/** Results are kept for a day. */
export const DAY_S = 24 * 60 * 60;

/** Older tasks are removed by so many at a time, because their results are thousands of entries, and Redis serves no other client meanwhile. */
export const OLD_AT_ONCE = 10;

/**
 * All that reads an object waits in one order, first come, first served. It is BullMQ's order of a priority, any but 0, from which Redis
 * removes a job without a search. A root whose leaves are done has none: it is taken at once.
 */
export const IN_TURN = 1;

/** Every job is tried five times: after 1, 2, 4 and 8 seconds, with jitter, so that a store that is overloaded is not asked by all at once. */
const tries = { attempts: 5, backoff: { type: 'exponential', delay: 1000, jitter: 0.5 } } as const;

/**
 * A leaf is gone when it has ended; its result is kept with the root until that has ended, too. When a leaf fails for good, the root runs
 * at once, clears up and fails with the leaf's message: so nothing waits for a leaf that does not come.
 */
export const leafOptions: JobsOptions = {
  ...tries,
  priority: IN_TURN,
  removeOnComplete: true,
  removeOnFail: true,
  continueParentOnFailure: true,
};

export const rootOptions: JobsOptions = {
  ...tries,
  removeOnComplete: { age: DAY_S, limit: OLD_AT_ONCE },
  removeOnFail: { age: DAY_S, limit: OLD_AT_ONCE },
};
