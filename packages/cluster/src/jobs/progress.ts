/** The mark by which a work is cancelled: it is in the root's progress, which BullMQ keeps beside the data. */

export const CANCELLED = { cancelled: true } as const;

export const CANCELLED_REASON = 'the work was cancelled';

/** How often a job may lose its worker: five dead workers are no accident, and the job may be the cause. */
export const MOST_LOSSES = 5;

/** BullMQ's message of a job that was lost more often. */
export const isLostTooOften = (reason: string): boolean => reason.startsWith('job stalled');

/** Why a work failed, in words for its caller. */
export const reasonOf = (reason: string): string =>
  isLostTooOften(reason)
    ? `the workers of one of its jobs died or hung ${MOST_LOSSES + 1} times, and the job may be the cause`
    : reason;

export const isCancelled = (progress: unknown): boolean =>
  typeof progress === 'object' && progress !== null && (progress as { cancelled?: unknown }).cancelled === true;
