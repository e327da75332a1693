/** Runs the jobs of a worker, one at a time in each thread. */
import { UnrecoverableError, WaitingChildrenError, WaitingError, type Job } from 'bullmq';
import type { LogLine } from '../types.ts';
import { checked, errorOf, FinalError, sentOf } from '../jobs/errors.ts';
import type { JobKind } from '../jobs/kind.ts';
import { kindOf } from '../jobs/kinds.ts';
import { CANCELLED_REASON, FAILED, isCancelled, isGivenUp, reasonOf } from '../jobs/progress.ts';
import { endOf } from '../jobs/ended.ts';
import { shownUrl } from '../jobs/shown.ts';
import { indexOf, leafId } from '../jobs/window.ts';
import type { Connection } from '../queue/connection.ts';
import type { Threads } from './threads.ts';

/** The fields of every job in the log. A job whose data are wrong has its id only. */
export function described(job: Job): Omit<LogLine, 'time' | 'event'> {
  const common = { job: job.id ?? '', attempt: job.attemptsMade + 1 };
  try {
    const kind = kindOf(job.name);
    const { source, offset, length } = kind.touches(kind.check(job.data));
    return { ...common, kind: kind.name, source: shownUrl(source), offset, length };
  } catch {
    return common;
  }
}

/** The kind of a job, or undefined if it is unknown. */
const knows = (name: string): JobKind | undefined => {
  try {
    return kindOf(name);
  } catch {
    return undefined;
  }
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'the job failed');

/** BullMQ tries again after any error but its own. Stack traces are removed: they would expose internals. */
function forQueue(error: unknown): Error {
  const message = messageOf(error);
  const sent = (error as { final?: unknown }).final === true ? new UnrecoverableError(message) : new Error(message);
  sent.stack = `${sent.name}: ${message}`;
  return sent;
}

/** The result of a leaf whose work is given up. */
export const DROPPED = null;

export class Processor {
  readonly #threads: Threads;
  readonly #queue: Connection;

  constructor(threads: Threads, queue: Connection) {
    this.#threads = threads;
    this.#queue = queue;
  }

  /** Runs a job; when the signal ends it, the job goes back into the queue for another worker. */
  async process(job: Job, token: string | undefined, signal: AbortSignal | undefined): Promise<unknown> {
    try {
      // Roots are those without a parent: their leaves say so, whatever the data say.
      const root = job.parent?.id;
      return root !== undefined ? await this.#leaf(job, root, signal) : await this.#root(job, token, signal);
    } catch (error) {
      if (error instanceof WaitingChildrenError) throw error;
      if (signal?.aborted) {
        await job.moveToWait(token);
        throw new WaitingError();
      }
      throw forQueue(error);
    }
  }

  /** Runs a leaf, and puts the next one into the queue meanwhile. */
  async #leaf(job: Job, rootId: string, signal: AbortSignal | undefined): Promise<unknown> {
    const root = await this.#queue.job(rootId);
    if (!root) throw new FinalError('the work of this job is not in the queue any more');
    if (isGivenUp(root.progress) || endOf(root)) return DROPPED;
    const leaves = checked(() => {
      const kind = kindOf(root.name);
      return kind.leaves?.(kind.check(root.data));
    });
    const index = indexOf(root.id!, job.id!);
    if (leaves?.window === undefined || index === undefined) return await this.#run(job, [], signal);
    const next = index + leaves.window;
    const ended = await this.#endedBefore(job, root, index < leaves.window);
    const known = ended.get(leafId(root.id!, index));
    // The job after it is there, too, or has ended.
    if (known !== undefined) return known;
    const isNext = next < leaves.count && !ended.has(leafId(root.id!, next));
    const adding = isNext ? this.#queue.addLeaf(root, leaves, next) : Promise.resolve();
    adding.catch(() => undefined);
    const result = await this.#run(job, [], signal);
    await adding;
    return result;
  }

  /**
   * The results of leaves that have ended, by their ids, where this leaf or the next one can be among them: the worker that has taken this one
   * before may have put the next one there, and died; and the first leaves are put there again by a caller who looked for the work
   * before another one put it there. A leaf that has ended must not run again, nor all those after it.
   */
  async #endedBefore(job: Job, root: Job, isFirst: boolean): Promise<ReadonlyMap<string, unknown>> {
    if (job.attemptsStarted <= 1) {
      if (!isFirst) return new Map();
      const { processed = 0 } = await root.getDependenciesCount({ processed: true });
      if (processed === 0) return new Map();
    }
    const values = Object.entries<unknown>(await root.getChildrenValues<unknown>());
    return new Map(values.map(([key, value]) => [key.slice(key.lastIndexOf(':') + 1), value]));
  }

  async #root(job: Job, token: string | undefined, signal: AbortSignal | undefined): Promise<unknown> {
    const failures = Object.values(await job.getIgnoredChildrenFailures());
    if (failures.length > 0 || isCancelled(job.progress)) {
      // Leaves that have not begun never will; those that run are waited for, so that none writes after the clearing up.
      if (!isGivenUp(job.progress)) await job.updateProgress(FAILED);
      await this.#queue.removeWaiting(job);
      if (await job.moveToWaitingChildren(token!)) throw new WaitingChildrenError();
      // Leaves that run fail when their upload is given up: that is not the reason.
      const reason = isCancelled(job.progress) ? CANCELLED_REASON : reasonOf(failures[0]);
      await this.#abandon(job, reason, signal);
      throw new FinalError(reason);
    }
    const children = Object.values<unknown>(await job.getChildrenValues<unknown>());
    // A leaf that a second caller has put there again is waited for: the queue ends no root before its leaves.
    if (children.length > 0 && (await job.moveToWaitingChildren(token!))) throw new WaitingChildrenError();
    try {
      return await this.#run(job, children, signal);
    } catch (error) {
      const final = (error as { final?: unknown }).final === true;
      if (!signal?.aborted && (final || job.attemptsMade + 1 >= (job.opts.attempts ?? 1)))
        await this.#abandon(job, messageOf(error), signal);
      throw error;
    }
  }

  async #run(job: Job, children: readonly unknown[], signal: AbortSignal | undefined): Promise<unknown> {
    // Here, too: unknown jobs are rejected before they occupy a thread.
    checked(() => kindOf(job.name));
    return await this.#threads.run({ action: 'run', name: job.name, data: job.data as unknown, children }, signal);
  }

  /** Cleans up after a failed task. If that fails, too, the leftovers are named beside the reason. */
  async #abandon(job: Job, reason: string, signal: AbortSignal | undefined): Promise<void> {
    if (!knows(job.name)?.abandon) return;
    try {
      await this.#threads.run({ action: 'abandon', name: job.name, data: job.data as unknown, children: [] }, signal);
    } catch (error) {
      // Data that are not of their form are refused here, too, and name nothing that could be cleared up.
      if (signal?.aborted || described(job).kind === undefined) throw error;
      const { name, message, final } = sentOf(error);
      const because = message === reason ? ' for the same reason' : `: ${message}`;
      throw errorOf({ name, message: `${reason}; and clearing up failed${because}`, final });
    }
  }

  /** A task has ended: secrets that aren't needed any more are removed from its data. */
  async afterEnd(job: Job): Promise<void> {
    const kind = job.parent ? undefined : knows(job.name);
    if (!kind?.ended || described(job).kind === undefined) return;
    await job.updateData(kind.ended(kind.check(job.data)));
  }

  /** A root that was lost too often fails without being run: the cleanup that it would have done is done here. */
  async afterLoss(job: Job): Promise<void> {
    if (!job.parent) await this.#abandon(job, 'the work was lost', undefined);
  }
}
