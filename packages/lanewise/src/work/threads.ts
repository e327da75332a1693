/** Work that a pool of threads can do: the terms in which rooms describe it. A pool is found here by the rooms that are given one. */
import { typeOf } from '../calls/checks.ts';
import { Bytes, getWeak, hosted, setWeak } from '../engine/intrinsics.ts';

/** A part of a source, which a worker reads by itself where it can. */
export interface Range {
  readonly from: number;
  readonly to: number;
  /** The source as workers read it: undefined if none can. */
  readonly file: SharedFile | undefined;
  /** Reads these bytes on the caller's thread. Errors of the source come from here only, as they do with one thread. */
  read(): Promise<Uint8Array>;
  /** Given for work in place whose result goes into a file, and not back to the caller. */
  readonly into?: Target;
}

/** The file that a result goes into, at the offsets that its input was read from. */
export interface Target {
  /** The file as workers write it: undefined if none can. */
  readonly file: SharedFile | undefined;
  /** Writes the result on the caller's thread. Errors of the target come from here only, as they do with one thread. */
  write(bytes: Uint8Array): Promise<void>;
}

/** A source that can be posted to a worker: a Blob, or an open file of this process and its identity. */
export type SharedFile = Blob | { readonly fd: number; readonly dev: bigint; readonly ino: bigint };

/** The bytes of a job. The caller leaves them as they are until the answer is there, so that another worker can try again. */
export type Input = Uint8Array | Range;

/** One kind of work under one key. */
export interface Work<Job, Answer> {
  /** The name of the kind, by which a worker finds the code. */
  readonly kind: string;
  /** Parameters that aren't secrets, and can be posted. */
  readonly parameters: unknown;
  /** Keys. The session copies them for each worker, and wipes these arrays and all copies at its end. */
  readonly secrets: readonly Uint8Array[];
  /** Whether an answer takes the memory of its input. Shared inputs then come with memory for their answers. */
  readonly inPlace?: boolean;
  /** The length of the answer to an input of so many bytes, if the memory of answers comes back by `reuse`. */
  readonly outputLength?: (length: number) => number;
  /** Whether jobs are so long that they wait for a worker that starts, and come to the caller's thread only if none can be had. */
  readonly isLong?: boolean;
  /** Does a job on the caller's thread. */
  here(job: Job, input: Uint8Array | undefined): Answer | Promise<Answer>;
}

/** A piece of work that is under way. */
export interface Session<Job, Answer> {
  /**
   * Aborted when the session or the pool is closed, before the keys are wiped. Whatever is made with them on the caller's thread counts
   * only if this was not aborted.
   */
  readonly signal: AbortSignal;
  /**
   * Does a job on some thread.
   *
   * @param job - Its parameters, which can be posted.
   * @param onProgress - Called with what a worker tells while it does the job; again from the start if it ends and another one does it.
   * @returns A promise of the answer, whose arrays are fresh. It is rejected if two workers ended while they did the job, or when the
   * session or the pool is closed.
   */
  run(job: Job, input?: Input, onProgress?: (progress: number) => void): Promise<Answer>;
  /** Takes the memory of an answer back, for later jobs. */
  reuse(answer: Uint8Array): void;
  /** Calls a function when the pool is closed, or the handle is garbage: it must hold nothing of the session. */
  onEnd(then: (reason: Error) => void): void;
  /** Ends the session: its keys are wiped everywhere, and no job is done any more. */
  close(): void;
}

/** How a pool works here. */
export interface PoolDescription {
  /** The most workers that work at a time. */
  readonly threads: number;
  /** The workers that run now; they start when there is work for them. */
  readonly running: number;
  /** Whether work goes to workers. If not, the same calls work on the caller's thread. */
  readonly parallel: boolean;
  /** Why it does not; undefined if it does. */
  readonly reason: string | undefined;
}

/** A pool as options take it: `createPool` of `lanewise/pool.js` makes one. */
export interface PoolHandle {
  /** Tells how the pool works here. */
  describe(): PoolDescription;
  /** Ends the workers, after they have wiped their keys. */
  close(): Promise<void>;
}

/** The inside of a pool. */
export interface Threads {
  /** The most workers. */
  readonly count: number;
  /** Settled when the workers of a pool that was closed have ended; undefined while it is open. */
  readonly ended: Promise<void> | undefined;
  /** Whether a worker is ready, so that handing work over costs little. */
  readonly warm: boolean;
  /**
   * The bytes above which work is for workers.
   *
   * @param warm - Those above which workers that run are quicker than the caller's thread.
   * @param cold - Those above which workers are worth their start for this work alone. Work before it counts, too: see `missed`.
   */
  least(warm: number, cold: number): number;
  /** Tells that the caller's thread did so many bytes which workers would have done if they had run. */
  missed(bytes: number): void;
  /** Throws after the pool was closed. */
  checkOpen(): void;
  session<Job, Answer>(work: Work<Job, Answer>): Session<Job, Answer>;
}

/** The worker's side of a session. */
export interface Handler {
  /**
   * Arrays in the answer whose buffers they fill are transferred. `input` is wiped after the call if it was read from a file.
   *
   * @param output - Memory for the answer, which holds anything: of work in place the input itself, unless that is shared; of other work
   * the memory of an answer before, or the input, if there is none.
   * @param tell - Tells the part of the job that is done.
   */
  run(job: unknown, input: Uint8Array | undefined, output?: Uint8Array, tell?: (progress: number) => void): unknown;
  /** Fills all keys with zeros, and ends jobs that wait. */
  wipe(): void;
}

/** Code that a worker has for one kind of work. */
export interface JobKind {
  readonly kind: string;
  /** @param secrets - The handler's own. */
  open(parameters: unknown, secrets: readonly Uint8Array[]): Handler;
}

const insides = /* @__PURE__ */ new WeakMap<object, Threads>();

/** Makes the inside of a pool known to the library alone. */
export const keepThreads = (pool: object, threads: Threads): void => setWeak(insides, pool, threads);

/** The inside of a pool that a caller has given, and has not closed. */
export function threadsOf(pool: unknown): Threads {
  const threads = getWeak(insides, pool as object);
  if (!threads) throw new TypeError(`"pool" expected what createPool() of lanewise/pool.js gave, got ${typeOf(pool)}`);
  threads.checkOpen();
  return threads;
}

/**
 * A session without jobs, by whose signal work hears that the pool is closed while it waits for a source. The pool does not hold who listens, so
 * work that is dropped is garbage.
 */
export const watch = (threads: Threads | undefined): Session<never, never> | undefined =>
  threads?.session({ kind: 'watch', parameters: undefined, secrets: [], here: (its: never): never => its });

const SharedMemory = /* @__PURE__ */ hosted<SharedArrayBufferConstructor>('SharedArrayBuffer');

/** Memory that workers can read without a copy, where the host has such. */
export function memoryOf(length: number): Uint8Array {
  const Shared = SharedMemory();
  return Shared ? new Bytes(new Shared(length)) : new Bytes(length);
}
