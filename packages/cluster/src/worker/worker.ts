/** A worker: takes jobs from a queue until it is told to stop. */
import { WaitingChildrenError, WaitingError, type Job } from 'bullmq';
import { refuseExtra } from '../calls.ts';
import { isLostTooOften, MOST_LOSSES } from '../jobs/progress.ts';
import { addressOf } from '../queue/address.ts';
import { Connection } from '../queue/connection.ts';
import type { ClusterWorker, Health, LogLine, WorkerOptions } from '../types.ts';
import { checkOptions, type CheckedOptions } from './options.ts';
import { described, DROPPED, Processor } from './processor.ts';
import { Threads } from './threads.ts';

/** How long a stopping worker may finish its jobs; container engines wait ten seconds before they kill. */
const FINISH_MS = 7000;
/** How long handing back may take: the queue may be out of reach, and then the leases run out. */
const HAND_BACK_MS = 2000;

/** How often works that ended more than a day ago are removed. */
const CLEAN_MS = 3_600_000;

/** Resolves to whether the promise settled in time. */
async function inTime(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  const settled = promise.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([settled, late]);
  } finally {
    clearTimeout(timer);
  }
}

class QueueWorker implements ClusterWorker {
  readonly #connection: Connection;
  readonly #worker: ReturnType<Connection['worker']>;
  readonly #threads: Threads;
  readonly #count: number;
  readonly #log: (event: LogLine['event'], line?: Omit<LogLine, 'time' | 'event'>) => void;
  readonly #started = new Date();
  readonly #begun = new WeakMap<Job, { readonly at: number; readonly line: Omit<LogLine, 'time' | 'event'> }>();
  readonly #following = new Set<Promise<void>>();
  #completed = 0;
  #failed = 0;
  #bytes = 0;
  #state: 'ready' | 'stopping' | 'stopped' = 'ready';
  #cleaning: NodeJS.Timeout | undefined;
  /** BullMQ cancels the jobs that run; one whose answer was on its way begins after that. */
  #handsBack = false;
  #stopping: Promise<void> | undefined;
  #ending: Promise<unknown> | undefined;

  constructor(connection: Connection, { threads, lease, log, settings }: CheckedOptions) {
    this.#connection = connection;
    this.#count = threads;
    this.#log = (event, line = {}) => log({ time: new Date(), event, ...line });
    this.#threads = new Threads(settings, (notice) => this.#log('notice', { notice }));
    this.#threads.start(threads);
    const processor = new Processor(this.#threads, connection);
    this.#worker = connection.worker(
      // BullMQ gives a signal to functions with three parameters.
      async (job, token, signal) =>
        await this.#timed(job, () => processor.process(job, token, this.#handsBack ? AbortSignal.abort() : signal)),
      {
        concurrency: threads,
        // A lease is at most: a lock that was just renewed, and two rounds of the search for lost ones.
        lockDuration: Math.floor((lease * 2) / 3),
        stalledInterval: Math.floor(lease / 6),
        maxStalledCount: MOST_LOSSES,
        // A queue that was out of reach is asked again after a second.
        runRetryDelay: 1000,
      },
    );
    this.#listen(processor);
  }

  #listen(processor: Processor): void {
    this.#worker
      .on('completed', (job, result) => {
        const line = this.#ended(job);
        if (result === DROPPED) {
          this.#log('dropped', line);
          return;
        }
        this.#completed++;
        this.#bytes += line.length ?? 0;
        this.#log('completed', line);
        this.#after(job, processor.afterEnd(job));
      })
      .on('failed', (job, error) => {
        this.#failed++;
        this.#log('failed', { ...(job ? this.#ended(job) : {}), error: error.message });
        if (!job) return;
        // The job was not run this time.
        const loss = isLostTooOften(error.message) ? processor.afterLoss(job) : Promise.resolve();
        if (job.finishedOn)
          this.#after(
            job,
            loss.finally(() => processor.afterEnd(job)),
          );
      })
      .on('stalled', (job) => {
        this.#log('stalled', { job });
        this.#connection
          .removeUnreadable(job)
          .then((removed) => {
            if (removed) this.#log('error', { job, error: 'the job cannot be read, and is removed' });
          })
          .catch((error: unknown) => this.#log('error', { job, error: (error as Error).message }));
      });
  }

  /** Work after a job, which a stopping worker awaits. */
  #after(job: Job, promise: Promise<void>): void {
    const settled = promise
      .catch((error: unknown) => this.#log('error', { job: job.id ?? '', error: (error as Error).message }))
      .finally(() => this.#following.delete(settled));
    this.#following.add(settled);
  }

  async #timed(job: Job, process: () => Promise<unknown>): Promise<unknown> {
    const line = described(job);
    this.#begun.set(job, { at: performance.now(), line });
    this.#log('started', line);
    try {
      return await process();
    } catch (error) {
      if (error instanceof WaitingError || error instanceof WaitingChildrenError)
        this.#log('waiting', this.#ended(job));
      throw error;
    }
  }

  #ended(job: Job): Omit<LogLine, 'time' | 'event'> {
    const begun = this.#begun.get(job);
    return {
      ...(begun?.line ?? described(job)),
      // It was counted when the job ended.
      attempt: Math.max(1, job.attemptsMade),
      ...(begun === undefined ? {} : { milliseconds: Math.round(performance.now() - begun.at) }),
    };
  }

  /** Begins to take jobs. */
  async run(): Promise<void> {
    try {
      await this.#connection.connect(this.#worker);
    } catch (error) {
      await this.#threads.close();
      throw error;
    }
    this.#clean();
    this.#cleaning = setInterval(() => this.#clean(), CLEAN_MS).unref();
    this.#ending = this.#worker.run().catch((error: unknown) => this.#log('error', { error: String(error) }));
    this.#log('ready');
  }

  #clean(): void {
    this.#connection.removeOld().catch((error: unknown) => {
      if (this.#state === 'ready') this.#log('error', { error: (error as Error).message });
    });
  }

  health(...extra: unknown[]): Health {
    refuseExtra(extra, 0);
    const connected = this.#connection.connected;
    return {
      state: this.#state === 'ready' && !connected ? 'disconnected' : this.#state,
      started: this.#started,
      silence: Math.round(this.#connection.silence * 10) / 10,
      threads: this.#count,
      active: this.#threads.busy,
      completed: this.#completed,
      failed: this.#failed,
      bytes: this.#bytes,
    };
  }

  async stop(...extra: unknown[]): Promise<void> {
    refuseExtra(extra, 0);
    await (this.#stopping ??= this.#stop(FINISH_MS));
  }

  async close(...extra: unknown[]): Promise<void> {
    refuseExtra(extra, 0);
    if (this.#state !== 'stopped') this.#handBack();
    await (this.#stopping ??= this.#stop(0));
  }

  #handBack(): void {
    this.#handsBack = true;
    this.#worker.cancelAllJobs();
  }

  async #stop(finish: number): Promise<void> {
    this.#state = 'stopping';
    clearInterval(this.#cleaning);
    this.#log('stopping');
    const closed = this.#worker.close();
    if (finish === 0 || !(await inTime(closed, finish))) {
      this.#handBack();
      // The jobs of a queue that cannot be reached are another worker's when their leases have run out.
      if (!(await inTime(closed, HAND_BACK_MS))) await inTime(this.#worker.disconnect(), HAND_BACK_MS);
    }
    await inTime(Promise.all(this.#following), HAND_BACK_MS);
    await this.#threads.close();
    await inTime(this.#connection.close(), HAND_BACK_MS);
    if (this.#ending) await inTime(this.#ending, HAND_BACK_MS);
    this.#state = 'stopped';
    this.#log('stopped');
  }
}

/**
 * Starts a worker: it takes jobs from a queue, reads ranges of objects and hashes or seals them in threads.
 *
 * @param queue - The URL of the queue: `redis://host:6379`, `rediss://…`, `postgres://…`.
 * @param options - The objects that it may read (`allow`), and more.
 * @returns The worker, when it is connected. It runs until `stop()`.
 * @throws TypeError or RangeError if an argument is not of its form, Error if a key file or the queue cannot be reached.
 * @example
 * ```ts
 * import { createWorker } from '@lanewise/cluster';
 * const worker = await createWorker('redis://127.0.0.1:6379', { allow: ['s3://my-bucket/'] });
 * process.once('SIGTERM', () => void worker.stop());
 * ```
 */
export async function createWorker(queue: string, options: WorkerOptions, ...extra: unknown[]): Promise<ClusterWorker> {
  refuseExtra(extra, 2);
  const address = addressOf(queue);
  const checked = await checkOptions(options);
  for (const text of checked.notices) checked.log({ time: new Date(), event: 'notice', notice: text });
  const connection = await Connection.open(address, checked.name, {
    onError: (error) => checked.log({ time: new Date(), event: 'error', error: describedError(error) }),
    // A dead connection is known before the leases of its jobs end.
    pulse: Math.floor(checked.lease / 6),
  });
  const worker = new QueueWorker(connection, checked);
  await worker.run();
  return worker;
}

/** Drivers put addresses into messages, but no passwords. */
const describedError = (error: Error): string => {
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined || error.message.includes(code) ? error.message || 'unknown' : `${code}: ${error.message}`;
};
