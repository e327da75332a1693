/** Puts work into a queue, and waits for it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, JobType } from 'bullmq';
import { checkRun, optionsOf, refuseExtra } from '../calls.ts';
import { stringOf } from '../jobs/check.ts';
import { endOf, isOld } from '../jobs/ended.ts';
import { shownUrl } from '../jobs/shown.ts';
import { CANCELLED, CANCELLED_REASON, isCancelled, reasonOf } from '../jobs/progress.ts';
import type { ObjectOptions } from '../objects/object.ts';
import { objectOptionsOf } from '../objects/settings.ts';
import { addressOf, queueNameOf, type QueueAddress } from '../queue/address.ts';
import { Connection } from '../queue/connection.ts';
import type * as types from '../types.ts';
import { enqueue } from './enqueue.ts';
import { patiently } from './patience.ts';
import type { Planned } from './plan.ts';
import { planOf, planOfRoot } from './plans.ts';

/** Results are asked for at most this often and at least this often, in milliseconds. */
const [SHORTEST_MS, LONGEST_MS] = [4, 500];

/** How long a task may be missing before it counts as lost. */
const GONE_MS = 2000;

/** Leaves have a number after their root's id. */
const isRootId = (id: string): boolean => !/\.\d+$/.test(id);

/** Ids in one request: Redis serves no other client meanwhile. */
const IDS_AT_ONCE = 1000;

/** States of jobs that workers will take. */
const TAKEN = ['waiting', 'prioritized', 'delayed'] as const;

const WAITING = ['waiting', 'delayed', 'prioritized', 'paused', 'waiting-children'] as const;

class QueueCluster implements types.Cluster {
  readonly #address: QueueAddress;
  readonly #name: string;
  readonly #objects: ObjectOptions;
  #opening: Promise<Connection> | undefined;
  #closed = false;

  constructor(address: QueueAddress, name: string, objects: ObjectOptions) {
    this.#address = address;
    this.#name = name;
    this.#objects = objects;
  }

  async blake3(source: string, options: types.HashOptions = {}, ...extra: unknown[]): Promise<types.HashResult> {
    refuseExtra(extra, 2);
    return (await this.#follow({ kind: 'blake3', source }, options)) as types.HashResult;
  }

  async encrypt(
    source: string,
    target: string,
    options: types.EncryptOptions,
    ...extra: unknown[]
  ): Promise<types.SealResult> {
    refuseExtra(extra, 3);
    return (await this.#follow({ kind: 'encrypt', source, target }, options)) as types.SealResult;
  }

  async decrypt(
    source: string,
    target: string,
    options: types.DecryptOptions,
    ...extra: unknown[]
  ): Promise<types.SealResult> {
    refuseExtra(extra, 3);
    return (await this.#follow({ kind: 'decrypt', source, target }, options)) as types.SealResult;
  }

  async submit(work: types.Work, ...extra: unknown[]): Promise<string> {
    refuseExtra(extra, 1);
    return (await this.#submit(work)).id;
  }

  async job(id: string, ...extra: unknown[]): Promise<types.JobState | undefined> {
    refuseExtra(extra, 1);
    stringOf(id, 'id', 200);
    return await this.#ask(async (connection) => {
      const job = await connection.job(id);
      return job && (await stateOf(job));
    });
  }

  async wait(id: string, options: types.RunOptions = {}, ...extra: unknown[]): Promise<types.WorkResult> {
    refuseExtra(extra, 2);
    stringOf(id, 'id', 200);
    const { signal, onProgress } = optionsOf(options, ['signal', 'onProgress']);
    checkRun(signal, onProgress);
    return await this.#wait(id, signal, onProgress, -Infinity);
  }

  /** @param seen When the work was last in the queue. */
  async #wait(
    id: string,
    signal: AbortSignal | undefined,
    onProgress: types.RunOptions['onProgress'],
    seen: number,
  ): Promise<types.WorkResult> {
    const begun = performance.now();
    let shown = -1;
    for (;;) {
      signal?.throwIfAborted();
      const state = await this.#settled(id, onProgress !== undefined);
      if (state) seen = performance.now();
      else if (seen === -Infinity)
        throw new Error('"id" expected a job of the queue, got another; results are kept for a day');
      else if (performance.now() - seen > GONE_MS) throw new LostWork(this.#address.shown);
      if (onProgress && state && state.progress.done !== shown) {
        shown = state.progress.done;
        onProgress(state.progress);
      }
      if (state?.state === 'completed') return state.result!;
      if (state?.state === 'failed') throw new WorkFailure(state.error);
      // Asked often at first and less often later, so that waiting adds at most a twentieth.
      const pause = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, (performance.now() - begun) / 20));
      await sleep(pause, undefined, signal && { signal }).catch(() => signal?.throwIfAborted());
    }
  }

  async jobs(...extra: unknown[]): Promise<readonly types.JobState[]> {
    refuseExtra(extra, 0);
    return await this.#ask(async (connection) => {
      const found = new Map<string, types.JobState>();
      // In the order in which works go through the lists, so that none is missed that goes on meanwhile.
      for (const type of [...WAITING, 'active', 'completed', 'failed'] as const)
        for await (const ids of idsOf(connection, type as JobType)) {
          const roots = ids.filter(isRootId);
          for (let at = 0; at < roots.length; at += 100) {
            const jobs = await Promise.all(roots.slice(at, at + 100).map((id) => connection.job(id)));
            const young = jobs.filter((job) => job !== undefined && !isOld(job)) as Job[];
            for (const state of await Promise.all(young.map(stateOf))) if (state) found.set(state.id, state);
          }
        }
      return [...found.values()].sort((a, b) => b.started.getTime() - a.started.getTime());
    });
  }

  async status(...extra: unknown[]): Promise<types.QueueStatus> {
    refuseExtra(extra, 0);
    return await this.#ask(async ({ queue }) => {
      const [workers, counts] = await Promise.all([queue.getWorkersCount(), queue.getJobCounts(...TAKEN, 'active')]);
      const waiting = TAKEN.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
      return { workers, waiting, active: counts['active'] ?? 0 };
    });
  }

  async cancel(id: string, ...extra: unknown[]): Promise<void> {
    refuseExtra(extra, 1);
    stringOf(id, 'id', 200);
    await this.#ask(async (connection) => {
      const job = await connection.job(id);
      const plan = job && planOfRoot(job.name);
      if (!job || !plan) throw new Error('"id" expected a job of the queue, got another');
      if (job.finishedOn !== undefined) return;
      // A worker takes the root when the leaves that run have ended, sees the mark and clears up.
      await job.updateProgress(CANCELLED);
      await connection.removeWaiting(job);
      await plan.abandon?.(job.data, this.#objects);
    });
  }

  async close(...extra: unknown[]): Promise<void> {
    refuseExtra(extra, 0);
    this.#closed = true;
    const opening = this.#opening;
    this.#opening = undefined;
    // A connection that failed is closed.
    await opening?.then(
      (connection) => connection.close(),
      () => undefined,
    );
  }

  /** Submits a task and waits; the caller's signal cancels a task that it submitted. */
  async #follow(work: object, options: types.RunOptions): Promise<types.WorkResult> {
    // The plan knows the names of the others.
    const { signal, onProgress, ...rest } = optionsOf(options, undefined);
    checkRun(signal, onProgress);
    const { id, isNew, abandon } = await this.#submit({ ...work, options: rest } as types.Work, signal);
    try {
      return await this.#wait(id, signal, onProgress, performance.now());
    } catch (error) {
      // Another caller may have asked for the same, and waits for it.
      if (signal?.aborted && isNew) await this.cancel(id);
      // Workers clear up; where they may not, the caller does. Callers need the reason of the failure.
      // If the queue is out of reach instead, the work goes on, and its upload with it.
      else if (error instanceof WorkFailure || error instanceof LostWork) await abandon?.().catch(() => undefined);
      throw error;
    }
  }

  async #submit(
    given: types.Work,
    signal?: AbortSignal,
  ): Promise<{ id: string; isNew: boolean; abandon: Planned['abandon'] }> {
    const work = optionsOf(given, ['kind', 'source', 'target', 'options'], 'work');
    stringOf(work.source, 'source', 8192);
    const planned = await planOf(work.kind).plan(work, this.#objects, signal);
    try {
      // If the queue is lost meanwhile, this is done again, and finds its own work.
      const adding = new Set<string>();
      const queued = await this.#ask(async (connection) => await enqueue(connection, planned, adding));
      return { ...queued, abandon: planned.abandon };
    } catch (error) {
      await planned.abandon?.();
      throw error;
    }
  }

  /** The state of an awaited task, if it is there. Usually nothing has changed, and only that is asked. */
  async #settled(
    id: string,
    counts: boolean,
  ): Promise<types.JobState | { state: 'waiting'; progress: types.Progress } | undefined> {
    return await this.#ask(async (connection) => {
      const job = await connection.job(id);
      // A root that was cancelled may wait for leaves that are gone: for its caller it has ended, whatever the queue says.
      const unchanged = job && !counts && !endOf(job) && !isCancelled(job.progress);
      if (unchanged) return { state: 'waiting', progress: { done: 0, total: 0 } } as const;
      return job && (await stateOf(job));
    });
  }

  async #ask<Result>(question: (connection: Connection) => Promise<Result>): Promise<Result> {
    if (this.#closed) throw new Error('the connection to the queue is closed');
    this.#opening ??= Connection.open(this.#address, this.#name, { onError: () => undefined });
    let connection: Connection;
    try {
      connection = await this.#opening;
    } catch (error) {
      this.#opening = undefined;
      throw error;
    }
    return await patiently(
      this.#address.shown,
      () => question(connection),
      () => this.#closed,
    );
  }
}

/** The work itself failed, or was cancelled: not the question after it. */
class WorkFailure extends Error {}

/** A task was in the queue, and isn't any more: its result is unknown. */
class LostWork extends Error {
  constructor(shown: string) {
    super(`the queue ${shown} has lost the work, as if it came back without its data: start the work again`);
  }
}

/** All ids of a state, the newest first, as jobs leave at the other end. */
async function* idsOf({ queue }: Connection, type: JobType): AsyncGenerator<readonly string[], void> {
  for (let from = 0; ; from += IDS_AT_ONCE) {
    const ids = await queue.getRanges([type], from, from + IDS_AT_ONCE - 1);
    yield ids;
    if (ids.length < IDS_AT_ONCE) return;
  }
}

/** A job as callers see it; undefined if it isn't a task's root, or its data are malformed. */
async function stateOf(job: Job): Promise<types.JobState | undefined> {
  const plan = planOfRoot(job.name);
  if (!plan || job.parent) return undefined;
  let described;
  try {
    described = plan.describe(job.data);
  } catch {
    return undefined;
  }
  const { kind, source, target, total, unit } = described;
  const common = {
    id: job.id!,
    kind,
    source: shownUrl(source),
    started: new Date(job.timestamp),
    ...(target === undefined ? {} : { target: shownUrl(target) }),
  };
  const end = endOf(job);
  if (end === 'completed') {
    const progress = { done: total, total };
    try {
      return { ...common, state: 'completed', progress, result: plan.result(job.returnvalue, job.data) };
    } catch (error) {
      return { ...common, state: 'failed', progress, error: (error as Error).message };
    }
  }
  const { processed = 0 } = await job.getDependenciesCount({ processed: true });
  const progress = { done: Math.min(total, processed * unit), total };
  // A root that was already running fails for another reason, which is that its upload was given up.
  if (isCancelled(job.progress)) return { ...common, state: 'failed', progress, error: CANCELLED_REASON };
  if (end === 'failed') return { ...common, state: 'failed', progress, error: reasonOf(job.failedReason) };
  return { ...common, state: job.processedOn || processed > 0 ? 'active' : 'waiting', progress };
}

/**
 * A queue, for putting work into it. It connects when it is first used.
 *
 * @param queue - The URL of the queue: `redis://host:6379`, `rediss://…`, `postgres://…`.
 * @param options - The queue's name, and how objects are reached.
 * @returns An object with `blake3`, `submit`, `wait` and others; `close()` ends its connections.
 * @throws TypeError or RangeError if an argument is not of its form.
 * @example
 * ```ts
 * import { cluster } from '@lanewise/cluster';
 * const queue = cluster('redis://127.0.0.1:6379');
 * const { hash } = await queue.blake3('s3://my-bucket/archive.tar');
 * await queue.close();
 * ```
 */
export function cluster(queue: string, options: types.ClusterOptions = {}, ...extra: unknown[]): types.Cluster {
  refuseExtra(extra, 2);
  const address = addressOf(queue);
  const { name, objects = {} } = optionsOf(options, ['name', 'objects']);
  return new QueueCluster(address, queueNameOf(name), objectOptionsOf(objects));
}
