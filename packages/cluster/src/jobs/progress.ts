/** The mark by which a work is cancelled: it is in the root's progress, which BullMQ keeps beside the data. */

export const CANCELLED = { cancelled: true } as const;

export const CANCELLED_REASON = 'the work was cancelled';

export const isCancelled = (progress: unknown): boolean =>
  typeof progress === 'object' && progress !== null && (progress as { cancelled?: unknown }).cancelled === true;
