/** The marks of works that are given up: they are in the root's progress, which BullMQ keeps beside the data. */

export const CANCELLED = { cancelled: true } as const;
/** A leaf has failed for good, so the others need not be done. */
export const FAILED = { failed: true } as const;

export const CANCELLED_REASON = 'the work was cancelled';

/** How often a job may lose its worker: five dead workers aren't an accident, and the job may be the cause. */
export const MOST_LOSSES = 5;

/** BullMQ's message of a job that was lost more often. */
export const isLostTooOften = (reason: string): boolean => reason.startsWith('job stalled');

/** Why a task failed, in words for its caller. */
export const reasonOf = (reason: string): string =>
  isLostTooOften(reason)
    ? `the workers of one of its jobs died or hung ${MOST_LOSSES + 1} times, and the job may be the cause`
    : reason;

const isMarked = (progress: unknown, mark: string): boolean =>
  typeof progress === 'object' && progress !== null && (progress as Record<string, unknown>)[mark] === true;

export const isCancelled = (progress: unknown): boolean => isMarked(progress, 'cancelled');

/** Whether workers drop the leaves of this task. */
export const isGivenUp = (progress: unknown): boolean => isCancelled(progress) || isMarked(progress, 'failed');
