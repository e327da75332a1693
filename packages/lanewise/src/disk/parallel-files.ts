/** Pages of a file on all threads, into another file: each thread reads, changes and writes some by itself. */
import { largerBy } from '../work/job-size.ts';
import { progressOf, type PoolProgress } from '../work/progress.ts';
import { messageOf } from '../engine/detect.ts';
import { signalOf } from '../work/abort.ts';
import { isBytes, typeOf } from '../calls/checks.ts';
import { builtin, openFileOf, targetFileOf, type StatedFile } from '../io/node.ts';
import type { OpenOrigin, OpenTarget } from '../io/handles.ts';
import { optionOf, optionsOf } from '../calls/options.ts';
import { inOrder } from '../work/in-order.ts';
import type { Range, Session, Threads } from '../work/threads.ts';
import { Bytes, fillBytes, hasOwn } from '../engine/intrinsics.ts';
import { awaited } from '../io/steps.ts';
import { movesOf, readAll, writeAll, type Moves } from '../io/store.ts';
import { JOB_BYTES, ParallelPages, type PagesJob } from './jobs.ts';
import { callPages, type PageWork } from './page-calls.ts';
import type { PageCipher } from './pages.ts';
import { COLD_BYTES, PAGES_OPTIONS, WARM_BYTES, type PoolPagesOptions } from './parallel.ts';

/** Two open files of Node: pages are read from one, and go to the same offsets of the other. */
export interface PageFiles {
  /** A `FileHandle` of Node, or an object with its `fd`, `read` and `stat`. All of it is read: whole pages, possibly none. */
  readonly from: OpenOrigin;
  /**
   * A `FileHandle` of another file, or an object with its `fd` and `write`. It is not truncated before, nor flushed afterwards, and must not
   * be open for appending.
   */
  readonly to: OpenTarget;
}

const FILES = { __proto__: null, from: 1, to: 1 } as const;

/** Jobs under way for each thread: one that it works at, one that waits for it, and one that is done before those in front of it. */
const LOAD = 3;

/** Whether an argument means files, and not memory. */
export const areFiles = (pages: unknown): pages is PageFiles =>
  typeof pages === 'object' && pages !== null && !isBytes(pages) && (hasOwn(pages, 'from') || hasOwn(pages, 'to'));

/** The open files, checked. */
interface Opened {
  readonly source: StatedFile;
  readonly target: StatedFile;
  readonly moves: Moves;
}

function opened(files: PageFiles): Opened {
  const given = optionsOf(files, FILES, '"buffer" expected Uint8Array or');
  const from = optionOf(given, 'from') as PageFiles['from'];
  const to = optionOf(given, 'to') as OpenTarget;
  if (!builtin('node:fs')) throw new Error('cannot use files here: it takes Node 20.16, 22.3 or later, Bun or Deno');
  const source = openFileOf(Object(from) as object);
  if (!source) throw new TypeError(`"from" expected FileHandle, got ${typeOf(from)}`);
  const target = targetFileOf(Object(to) as object);
  if (!target) throw new TypeError(`"to" expected FileHandle, got ${typeOf(to)}`);
  // A job that is done twice, because a worker ended, would encrypt twice.
  if (source.dev === target.dev && source.ino === target.ino) throw new Error('"to" expected another file than "from"');
  return { source, target, moves: movesOf(from, to) };
}

/** Checks the arguments, then encrypts or decrypts. */
export function pageFilesOn<Files extends PageFiles>(
  threads: Threads,
  back: 0 | 1,
  cipher: PageCipher,
  files: Files,
  options: PoolPagesOptions,
): Promise<Files> {
  const its = opened(files);
  let result: Promise<void> | undefined;
  const work: PageWork = (...values) => {
    const signal = signalOf(optionOf(options, 'signal'));
    const onProgress = progressOf(optionOf(options, 'onProgress'));
    result = new FilesRun(threads, its, new ParallelPages(...values), onProgress).run(signal);
  };
  if (!callPages(cipher, back, its.source.size, options, work, PAGES_OPTIONS))
    throw new TypeError(`"cipher" expected what adiantum() or hpolyc() gives, got ${typeOf(cipher)}`);
  return result!.then(() => files);
}

/** A call at work. */
class FilesRun {
  readonly #threads: Threads;
  readonly #files: Opened;
  readonly #pages: ParallelPages;
  readonly #onProgress: PoolProgress | undefined;
  /** What has not ended yet, and may still write. */
  readonly #underWay = new Set<Promise<unknown>>();
  /** Memory into which the caller's thread has read. */
  readonly #memory = new Set<Uint8Array>();
  #done = 0;
  #stopped = false;
  /** An error of a file, or of the caller's, which is given as it is. */
  #thrown: { readonly error: unknown } | undefined;

  constructor(threads: Threads, files: Opened, pages: ParallelPages, onProgress: PoolProgress | undefined) {
    this.#threads = threads;
    this.#files = files;
    this.#pages = pages;
    this.#onProgress = onProgress;
  }

  async run(signal: AbortSignal | undefined): Promise<void> {
    const pages = this.#pages;
    const { kind, parameters, secrets, inPlace, size, count } = pages;
    const here = (job: PagesJob, input: Uint8Array | undefined): void => pages.here(job, input!);
    const session = this.#threads.session<PagesJob, unknown>({ kind, parameters, secrets, inPlace, here });
    const areFew = size * count <= this.#threads.least(WARM_BYTES, COLD_BYTES);
    if (areFew && size * count > WARM_BYTES) this.#threads.missed(size * count);
    try {
      const most = LOAD * this.#threads.count;
      for await (const job of inOrder(most, this.#jobs(session, areFew, signal)))
        await this.#noting(() => this.#finish(job));
    } catch (error) {
      throw this.#thrown ? this.#thrown.error : this.#failure(error);
    } finally {
      this.#stopped = true;
      // The caller may close the files then: no worker writes into others that get their numbers.
      await Promise.allSettled(this.#underWay);
      session.close();
      for (const memory of this.#memory) fillBytes(memory, 0);
      await this.#threads.ended;
    }
  }

  /** The jobs, each started when it is called. */
  // eslint-disable-next-line @typescript-eslint/require-await -- files are waited for by the threads
  async *#jobs(
    session: Session<PagesJob, unknown>,
    areFew: boolean,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<() => Promise<PagesJob>, void> {
    const { size, count, perJob } = this.#pages;
    for (const job of this.#pages.jobs(perJob * largerBy(size * count, JOB_BYTES, this.#threads.count))) {
      yield () =>
        this.#tracked(async () => {
          await this.#noting(() => signal?.throwIfAborted());
          if (this.#stopped) return job;
          const range = this.#rangeOf(job);
          if (areFew) await this.#here(job, range, session);
          else await session.run(job, range);
          return job;
        });
    }
  }

  async #here(job: PagesJob, range: Range, { signal }: Session<PagesJob, unknown>): Promise<void> {
    const bytes = await range.read();
    // The keys of a pool that was closed are zeros.
    signal.throwIfAborted();
    this.#pages.here(job, bytes);
    await range.into!.write(bytes);
  }

  #rangeOf({ index, count }: PagesJob): Range {
    const { source, target, moves } = this.#files;
    const from = index * this.#pages.size;
    const length = count * this.#pages.size;
    const read = async (): Promise<Uint8Array> => {
      const bytes = new Bytes(length);
      this.#memory.add(bytes);
      await awaited(readAll(moves, bytes, from));
      return bytes;
    };
    const write = async (bytes: Uint8Array): Promise<void> => {
      await awaited(writeAll(moves, bytes, from));
      fillBytes(bytes, 0);
      this.#memory.delete(bytes);
    };
    return {
      from,
      to: from + length,
      file: source.file,
      read: () => this.#tracked(() => this.#noting(read)),
      into: { file: target.file, write: (bytes) => this.#tracked(() => this.#noting(() => write(bytes))) },
    };
  }

  #tracked<Result>(start: () => Promise<Result>): Promise<Result> {
    const its = start();
    this.#underWay.add(its);
    const end = (): void => void this.#underWay.delete(its);
    its.then(end, end);
    return its;
  }

  /** Keeps an error that is not the pool's. */
  async #noting<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      this.#thrown ??= { error };
      throw error;
    }
  }

  #finish({ count }: PagesJob): void {
    this.#done += count;
    this.#onProgress?.(this.#done * this.#pages.size, this.#pages.count * this.#pages.size);
  }

  #failure(error: unknown): Error {
    const message = `${messageOf(error)}: the first ${this.#done} of ${this.#pages.count} pages are done`;
    return new Error(message, { cause: error });
  }
}
