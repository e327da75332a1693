/** Pages of a disk on all threads, in place. */
import { progressOf, type PoolProgress } from '../work/progress.ts';
import { abortable, signalOf } from '../work/abort.ts';
import { checkKept, typeOf } from '../calls/checks.ts';
import { optionOf } from '../calls/options.ts';
import { turn } from '../work/slices.ts';
import { inOrder } from '../work/in-order.ts';
import type { Session, Threads } from '../work/threads.ts';
import { copyBytes, copyOf, fillBytes, part } from '../engine/intrinsics.ts';
import { JOB_BYTES, ParallelPages, type PagesJob } from './jobs.ts';
import { callPages, type PageWork } from './page-calls.ts';
import type { PageCipher } from './pages.ts';
import type { PagesOptions } from './tweak.ts';
import { messageOf } from '../engine/detect.ts';

/** The options of `encryptPages` and `decryptPages` of a pool. */
export interface PoolPagesOptions extends PagesOptions {
  /** Ends the work: the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * Called with the number of bytes that are done, from the start of the buffer on, and with its length. The last call is exact also if
   * the work fails or is aborted: later pages are as they were. An error that it throws ends the work.
   */
  readonly onProgress?: PoolProgress;
}

export const PAGES_OPTIONS = {
  __proto__: null,
  pageSize: 1,
  first: 1,
  tweak: 1,
  signal: 1,
  onProgress: 1,
  rounds: 'give it to adiantum() or hpolyc()',
} as const;

/** Sizes up to which the caller's thread is quicker: with workers that run, and with workers that are to be started. */
export const WARM_BYTES = 12 * JOB_BYTES;
export const COLD_BYTES = 96 * JOB_BYTES;

/** A job, and its pages; undefined if they were done in place. */
interface Started {
  readonly job: PagesJob;
  readonly pages: Uint8Array | undefined;
}

/** Checks the arguments, then encrypts or decrypts. */
export function pagesOn<Buffer extends Uint8Array>(
  threads: Threads,
  back: 0 | 1,
  cipher: PageCipher,
  buffer: Buffer,
  options: PoolPagesOptions,
): Promise<Buffer> {
  let result: Promise<void> | undefined;
  const work: PageWork = (...values) => {
    const signal = signalOf(optionOf(options, 'signal'));
    const onProgress = progressOf(optionOf(options, 'onProgress'));
    const pages = new ParallelPages(...values);
    const run = new PagesRun(threads, buffer, pages, onProgress);
    result = signal || pages.count > pages.perJob ? abortable([signal], (its) => run.run(its)) : run.run();
  };
  if (!callPages(cipher, back, buffer, options, work, PAGES_OPTIONS))
    throw new TypeError(`"cipher" expected what adiantum() or hpolyc() gives, got ${typeOf(cipher)}`);
  return result!.then(() => buffer);
}

/** A call at work. Pages are written into the buffer in order, those of a job at once, so that none is encrypted twice. */
class PagesRun {
  readonly #threads: Threads;
  readonly #buffer: Uint8Array;
  readonly #pages: ParallelPages;
  readonly #onProgress: PoolProgress | undefined;
  /** The bytes of all pages, and of those that are done. */
  readonly #total: number;
  #done = 0;
  /** Whatever `onProgress` threw. */
  #thrown: unknown;

  constructor(threads: Threads, buffer: Uint8Array, pages: ParallelPages, onProgress: PoolProgress | undefined) {
    this.#threads = threads;
    this.#buffer = buffer;
    this.#pages = pages;
    this.#onProgress = onProgress;
    this.#total = pages.size * pages.count;
  }

  /** @param signal - Given if there is more than one job. */
  run(signal?: AbortSignal): Promise<void> {
    const { count, perJob } = this.#pages;
    if (count > perJob && this.#total > this.#threads.least(WARM_BYTES, COLD_BYTES)) return this.#onAll(signal!);
    if (this.#total > WARM_BYTES) this.#threads.missed(this.#total);
    return this.#inTurns(signal);
  }

  /** All jobs on this thread, between turns of the event loop. */
  async #inTurns(signal: AbortSignal | undefined): Promise<void> {
    try {
      for (const job of this.#pages.jobs()) {
        if (job.index) await turn();
        signal?.throwIfAborted();
        this.#inPlace(job, this.#part(job));
      }
    } finally {
      for (const secret of this.#pages.secrets) fillBytes(secret, 0);
    }
  }

  async #onAll(signal: AbortSignal): Promise<void> {
    const { kind, parameters, secrets, inPlace } = this.#pages;
    const here = this.#here.bind(this);
    const session = this.#threads.session<PagesJob, Uint8Array>({ kind, parameters, secrets, inPlace, here });
    signal.addEventListener('abort', () => session.close());
    try {
      for await (const { job, pages } of inOrder(this.#threads.count + 1, this.#started(session))) {
        if (!pages) continue;
        signal.throwIfAborted();
        copyBytes(this.#part(job), pages);
        session.reuse(pages);
        this.#finish(job);
      }
    } catch (error) {
      throw signal.aborted || error === this.#thrown ? error : this.#failure(error);
    } finally {
      session.close();
    }
  }

  /** The jobs, each started when it is called. Pages that were done in place are not given. */
  // eslint-disable-next-line @typescript-eslint/require-await -- memory waits for nothing
  async *#started(session: Session<PagesJob, Uint8Array>): AsyncGenerator<() => Promise<Started>, void> {
    for (const job of this.#pages.jobs())
      yield async () => {
        const input = this.#part(job);
        const pages = await session.run(job, input);
        return { job, pages: pages === input ? undefined : pages };
      };
  }

  /** A job on this thread: in place if all before it are done. */
  #here(job: PagesJob, input: Uint8Array | undefined): Uint8Array {
    if (job.index * this.#pages.size === this.#done) {
      this.#inPlace(job, input!);
      return input!;
    }
    const copy = copyOf(input!);
    this.#pages.here(job, copy);
    return copy;
  }

  #inPlace(job: PagesJob, bytes: Uint8Array): void {
    this.#pages.here(job, bytes);
    this.#finish(job);
  }

  #finish({ count }: PagesJob): void {
    this.#done += count * this.#pages.size;
    try {
      this.#onProgress?.(this.#done, this.#total);
    } catch (error) {
      this.#thrown = error;
      throw error;
    }
  }

  /** The pages of a job in the buffer, which may have been detached, or have shrunk, since the call. */
  #part({ index, count }: PagesJob): Uint8Array {
    checkKept(this.#buffer, 'buffer', this.#total);
    return part(this.#buffer, index * this.#pages.size, count * this.#pages.size);
  }

  #failure(error: unknown): Error {
    checkKept(this.#buffer, 'buffer', this.#total);
    const { size, count } = this.#pages;
    const done = this.#done / size;
    return new Error(`${messageOf(error)}: ${done} of ${count} pages are done, and the others as they were`, {
      cause: error,
    });
  }
}
