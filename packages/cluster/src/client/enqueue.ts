/** Puts works into a queue, where each of them is once. */
import type { FlowJob, Job, JobsOptions } from 'bullmq';
import { endOf, isOld } from '../jobs/ended.ts';
import { IN_TURN, leafOptions, rootOptions } from '../jobs/options.ts';
import { isCancelled } from '../jobs/progress.ts';
import { leafId } from '../jobs/window.ts';
import type { Connection } from '../queue/connection.ts';
import type { Planned } from './plan.ts';

export interface Queued {
  readonly id: string;
  /** Whether this caller put the work into the queue. */
  readonly isNew: boolean;
}

/** Whether a task that is submitted again has to run again. */
const isOver = (root: Job): boolean => endOf(root) === 'failed' || isCancelled(root.progress) || isOld(root);

/**
 * Puts a task into the queue, unless it is there. After one that failed, was cancelled or is older than a day, it is another task with the
 * next number in its id: nothing is removed, because between a look and the removal another caller may have put it there anew, and jobs of
 * the one that was cancelled may still run.
 */
export async function enqueue(connection: Connection, planned: Planned, adding: Set<string>): Promise<Queued> {
  const { root, leaves } = planned;
  let id = planned.id;
  for (let number = 2; ; number++) {
    const present = await connection.job(id);
    if (!present) break;
    if (!isOver(present)) return { id, isNew: adding.has(id) };
    id = `${planned.id}-${number}`;
  }
  const { name: queueName } = connection;
  const own = (options: JobsOptions): FlowJob => ({
    ...root,
    queueName,
    opts: { ...rootOptions, ...options, jobId: id },
  });
  const children = leaves.map(({ name, data }, index) => ({
    name,
    data,
    queueName,
    opts: { ...leafOptions, jobId: leafId(id, index) },
  }));
  adding.add(id);
  await connection.add(children.length > 0 ? { ...own({}), children } : own({ priority: IN_TURN }));
  return { id, isNew: true };
}
