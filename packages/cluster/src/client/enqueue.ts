/** Puts works into a queue, where each of them is once. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, Queue } from 'bullmq';
import { DAY_S, leafOptions, rootOptions } from '../jobs/options.ts';
import { isCancelled } from '../jobs/progress.ts';
import { isUnreadable, type Connection } from '../queue/connection.ts';
import type { Planned } from './plan.ts';

/** How long the leaf of a work that was cancelled may take to end. */
const REMOVAL_MS = 30_000;
const PAUSE_MS = 50;

/** A job, or undefined if there is none, or none that can be read. */
export async function jobOf(queue: Queue, id: string): Promise<Job | undefined> {
  try {
    return (await queue.getJob(id)) as Job | undefined;
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}

export const isOld = ({ finishedOn }: Job): boolean =>
  finishedOn !== undefined && finishedOn < Date.now() - DAY_S * 1000;

/**
 * Removes a work that has ended, if there is one; whether there is one that has not. It is looked at before each attempt: another caller
 * may have put it in again. A leaf of a cancelled work may still run, and cannot be removed before it has ended.
 */
async function isThere(queue: Queue, id: string): Promise<boolean> {
  for (const deadline = performance.now() + REMOVAL_MS; ;) {
    const present = await jobOf(queue, id);
    if (!present) return false;
    const ended = (await present.getState()) === 'failed' || isCancelled(present.progress) || isOld(present);
    if (!ended) return true;
    try {
      await present.remove({ removeChildren: true });
      return false;
    } catch (error) {
      if (!(error as Error).message.includes('locked') || performance.now() > deadline) throw error;
    }
    await sleep(PAUSE_MS);
  }
}

export interface Queued {
  readonly id: string;
  /** Whether this caller put the work into the queue. */
  readonly isNew: boolean;
}

/** Puts a work into the queue, unless it is there. A work that failed, was cancelled or is older than a day makes room. */
export async function enqueue(
  connection: Connection,
  { id, root, leaves }: Planned,
  adding: Set<string>,
): Promise<Queued> {
  const { queue, name: queueName } = connection;
  if (await isThere(queue, id)) return { id, isNew: adding.has(id) };
  const children = leaves.map(({ name, data }, index) => ({
    ...{ name, data, queueName },
    opts: { ...leafOptions, jobId: `${id}.${index}` },
  }));
  const own = { ...root, queueName, opts: { ...rootOptions, jobId: id } };
  adding.add(id);
  await connection.add(children.length > 0 ? { ...own, children } : own);
  return { id, isNew: true };
}
