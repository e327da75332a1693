/** How the queue treats jobs. */
import type { JobsOptions } from 'bullmq';

/** Results are kept for a day. */
export const DAY_S = 24 * 60 * 60;

/** Every job is tried five times: after 1, 2, 4 and 8 seconds, with jitter, so that a store that is overloaded is not asked by all at once. */
const tries = { attempts: 5, backoff: { type: 'exponential', delay: 1000, jitter: 0.5 } } as const;

/**
 * A leaf is gone when it has ended; its result is kept with the root until that has ended, too. When a leaf fails for good, the root runs
 * at once, clears up and fails with the leaf's message: so nothing waits for a leaf that does not come.
 */
export const leafOptions: JobsOptions = {
  ...tries,
  removeOnComplete: true,
  removeOnFail: true,
  continueParentOnFailure: true,
};

export const rootOptions: JobsOptions = {
  ...tries,
  removeOnComplete: { age: DAY_S },
  removeOnFail: { age: DAY_S },
};
