/** Whether a root has ended, by its own fields: BullMQ's answer would search its lists for jobs that have not. */
import type { Job } from 'bullmq';
import { DAY_S } from './options.ts';

/** How a root ended, if it has; results aren't null. A reason of failure is also in a root that failed at first. */
export const endOf = ({ finishedOn, returnvalue }: Job): 'completed' | 'failed' | undefined => {
  if (finishedOn === undefined || finishedOn === null) return undefined;
  return returnvalue === null || returnvalue === undefined ? 'failed' : 'completed';
};

export const isOld = ({ finishedOn }: Job): boolean =>
  finishedOn !== undefined && finishedOn < Date.now() - DAY_S * 1000;
