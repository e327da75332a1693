/** Follows work in the queue: a progress line of the whole, an orderly end by Ctrl-C. */
import type { Cluster, Progress } from '@lanewise/cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { meterOn } from '../progress.ts';
import { printable, say } from '../terminal.ts';
import { interruptible, Interrupted, endBy } from './interrupt.ts';
import { asCommandError, clusterLibrary } from './library.ts';
import type { Queue } from './queue.ts';

/** The progress line is drawn so often, also if no worker has anything to tell. */
const REDRAW_MILLISECONDS = 200;
/** After so long without any progress, a line names possible reasons. */
const PATIENCE_MILLISECONDS = 15_000;

/** How long the queue may take to say why. */
const ANSWER_MILLISECONDS = 5000;

/** How a task is followed: its signal, and its progress callback. */
export interface Following {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

/** The progress of several works as one line. */
class Whole {
  readonly #meter = meterOn(process.stderr, { endsProcess: false });
  readonly #works = new Map<unknown, Progress>();
  readonly #timer: NodeJS.Timeout;
  #done = 0;
  #moved = false;
  #ended = false;

  constructor(who: string, name: string, queue: Queue, cluster: Cluster) {
    this.#meter.start(name, undefined);
    const since = performance.now();
    let patient = true;
    this.#timer = setInterval(() => {
      this.#meter.advance(0);
      if (this.#moved || !patient || performance.now() - since < PATIENCE_MILLISECONDS) return;
      patient = false;
      void reasonOf(cluster, queue).then((reason) => {
        if (this.#moved || this.#ended) return;
        this.pause();
        say(who, reason);
      });
    }, REDRAW_MILLISECONDS);
  }

  report(work: unknown, progress: Progress): void {
    if (this.#ended) return;
    this.#works.set(work, progress);
    const done = sumOf(this.#works.values(), 'done');
    this.#moved ||= done > 0;
    this.#meter.resize(sumOf(this.#works.values(), 'total'));
    // A leaf that is done again counts once.
    this.#meter.advance(Math.max(0, done - this.#done));
    this.#done = Math.max(this.#done, done);
  }

  /** Erases the line, so that another can be written. */
  pause(): void {
    this.#meter.stop();
  }

  stop(): void {
    this.#ended = true;
    clearInterval(this.#timer);
    this.#meter.stop();
  }
}

/** Why there is no progress, as far as the queue can say. */
async function reasonOf(cluster: Cluster, queue: Queue): Promise<string> {
  const silence = sleep(ANSWER_MILLISECONDS, undefined, { ref: false });
  const status = await Promise.race([cluster.status().catch(() => undefined), silence]);
  if (!status) return `the queue ${queue.shown} does not answer`;
  const name = queue.name === undefined ? '' : ` --name ${printable(queue.name)}`;
  if (status.workers === 0)
    return `no worker is connected; start one: lanewise worker --queue ${queue.shown}${name} --allow …`;
  const { workers, waiting, active } = status;
  return `${workers} ${workers === 1 ? 'worker is' : 'workers are'} connected; of all works ${active} ${active === 1 ? 'job runs' : 'jobs run'}, and ${waiting} ${waiting === 1 ? 'waits' : 'wait'}`;
}

const sumOf = (works: Iterable<Progress>, part: keyof Progress): number =>
  Array.from(works).reduce((sum, work) => sum + work[part], 0);

/** Whether an error tells nothing but that a signal was aborted. */
const isAbort = (error: Error): boolean =>
  error instanceof Interrupted || error.name === 'AbortError' || error.cause instanceof Interrupted;

export interface Session {
  readonly cluster: Cluster;
  /** Is aborted by a signal of the system. */
  readonly signal: AbortSignal;
  /** The follow-up of each task; all share one signal and one progress line. */
  readonly following: () => Following;
  /** Erases the progress line until there is more progress: something is printed. */
  readonly quiet: () => void;
}

/** Uses a cluster, and closes it. */
export async function withCluster<Result>(queue: Queue, use: (cluster: Cluster) => Promise<Result>): Promise<Result> {
  const { cluster: open } = await clusterLibrary(queue);
  let cluster: Cluster | undefined;
  try {
    cluster = open(queue.address, queue.name === undefined ? {} : { name: queue.name });
    return await use(cluster);
  } catch (error) {
    throw error instanceof Interrupted ? error : asCommandError(error, queue);
  } finally {
    await cluster?.close();
  }
}

/**
 * Uses a cluster with a progress line. After a signal of the system the work's own signal is aborted and, when the work has ended,
 * this process, by the same signal.
 *
 * @param name - The name of all tasks together, on the progress line.
 * @param farewell - The message after a signal has ended the task.
 */
export async function follow<Result>(
  who: string,
  name: string,
  queue: Queue,
  farewell: string,
  use: (session: Session) => Promise<Result>,
): Promise<Result> {
  try {
    return await withCluster(queue, async (cluster) => {
      const whole = new Whole(who, name, queue, cluster);
      try {
        return await interruptible(
          (signal) =>
            use({
              cluster,
              signal,
              following() {
                const work = {};
                return { signal, onProgress: (progress) => whole.report(work, progress) };
              },
              quiet: () => whole.pause(),
            }),
          () => {
            whole.stop();
            say(who, 'cancelling; once more to leave at once');
          },
        );
      } finally {
        whole.stop();
      }
    });
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    const failed = error.cause instanceof Error && !isAbort(error.cause);
    say(who, failed ? asCommandError(error.cause, queue).message : farewell);
    endBy(error);
  }
}
