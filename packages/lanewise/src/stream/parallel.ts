/** The part of a stream that the threads of a pool do: whole chunks, in jobs. The start and the end are for one thread. */
import type { Chunking } from './chunking.ts';
import type { Intake } from '../io/intake.ts';
import { JOB_BYTES, type ChunksJob } from './jobs.ts';
import { inOrder } from '../work/in-order.ts';
import { memoryOf, type Input, type Session, type Threads, type Work } from '../work/threads.ts';
import { isBytes } from '../calls/checks.ts';
import { byteLengthOf, copyBytes, fillBytes, floor, max, min, part } from '../engine/intrinsics.ts';

/** Sizes of plaintext up to which one thread is quicker: with workers that run, and with workers that are to be started. */
const WARM_BYTES = 48 * JOB_BYTES;
const COLD_BYTES = 96 * JOB_BYTES;

/** Whether a stream of so many bytes of plaintext is for the threads of a pool. */
export const isForThreads = (threads: Threads, bytes: number): boolean =>
  bytes > max(JOB_BYTES, threads.least(WARM_BYTES, COLD_BYTES));

/** Tells a pool of a stream that one thread has done. */
export function tellMissed(threads: Threads, done: number): void {
  if (done > WARM_BYTES) threads.missed(done);
}

/** A stream that is done in part by one thread. */
export interface Division {
  readonly chunking: Chunking;
  readonly seals: boolean;
  readonly work: Work<ChunksJob, Uint8Array<ArrayBuffer> | undefined>;
  /** The number of the first chunk, and the bytes of it that were taken already. */
  readonly index: number;
  readonly kept: Uint8Array;
  /** The most bytes of plaintext that may come out. */
  readonly size: number;
  /** Counts the next bytes, after those that are held: how many belong together, so that all come or none. Throws if they are too many. */
  portion(length: number, held: number): number;
}

/** Chunks that a thread does. */
interface Job {
  readonly index: number;
  readonly count: number;
  readonly input: Input;
  /** The memory that the input is in, to be used again. */
  readonly memory: Uint8Array | undefined;
  answer: Uint8Array<ArrayBuffer> | undefined;
}

/** The result of chunks: how many bytes of plaintext are done with it. */
export interface Made {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly done: number;
}

export class ParallelChunks {
  readonly #intake: Intake;
  readonly #division: Division;
  readonly #session: Session<ChunksJob, Uint8Array<ArrayBuffer> | undefined>;
  readonly #answers: AsyncGenerator<Job, void>;
  /** The bytes of a chunk as the source gives it, and of as many as a job has. */
  readonly #unit: number;
  readonly #most: number;
  /** All memory in which bytes are gathered, and that which no job has. */
  readonly #memory: Uint8Array[] = [];
  readonly #free: Uint8Array[] = [];
  #gathering: Uint8Array | undefined;
  #held = 0;
  /** The number of the next chunk that goes into a job. */
  #next: number;
  /** The jobs whose answers were not given yet, in order. */
  readonly #jobs: Job[] = [];
  /** How many of them have no answer. */
  #underWay = 0;
  /** Called when all have. */
  #onIdle: (() => void) | undefined;
  #stopped = false;

  constructor(division: Division, intake: Intake, threads: Threads) {
    const { chunking, seals, work, index, kept } = division;
    this.#division = division;
    this.#intake = intake;
    this.#session = threads.session(work);
    this.#unit = seals ? chunking.chunkLength : chunking.chunkLength + chunking.tagLength;
    this.#most = (JOB_BYTES / chunking.chunkLength) * this.#unit;
    this.#next = index;
    if (byteLengthOf(kept)) this.#gather(kept, byteLengthOf(kept));
    this.#answers = inOrder(threads.count + 1, this.#start());
  }

  /** The next result; undefined when one thread has to go on, after `finish`. */
  async next(): Promise<Made | undefined> {
    const { value: job } = await this.#answers.next();
    if (!job?.answer) return undefined;
    const { chunking, size } = this.#division;
    const done = (job.index + job.count) * chunking.chunkLength;
    if (done > size) return undefined;
    const bytes = job.answer;
    job.answer = undefined;
    this.#jobs.shift();
    if (job.memory) this.#free.push(job.memory);
    return { bytes, done };
  }

  /** Takes the memory of a result back, to be used again. */
  giveBack(bytes: Uint8Array<ArrayBuffer>): void {
    this.#session.reuse(bytes);
  }

  /** Puts back what is not done. Gives the number of the chunk that it begins with. */
  finish(): number {
    const [job] = this.#jobs as (Job | undefined)[];
    this.#stopped = true;
    const left: Input[] = this.#jobs.map(({ input }) => input);
    if (this.#held) left.push(part(this.#gathering!, 0, this.#held));
    this.#intake.putBack(left);
    this.#session.close();
    return job?.index ?? this.#next;
  }

  /** Ends all jobs, and wipes all memory. */
  close(): void {
    this.#stopped = true;
    this.#session.close();
    for (const { answer } of this.#jobs) if (answer) fillBytes(answer, 0);
    for (const memory of this.#memory) fillBytes(memory, 0);
    this.#held = 0;
  }

  /** Makes jobs of what the source gives. An error comes when all jobs before it are done. */
  async *#start(): AsyncGenerator<() => Promise<Job>, void> {
    const { chunking, seals } = this.#division;
    let failure: { readonly error: unknown } | undefined;
    try {
      while (this.#next + this.#most / this.#unit < chunking.mostChunks) {
        const input = this.#held ? undefined : this.#intake.skip(this.#unit, this.#most);
        if (input) {
          yield this.#job(input, isBytes(input) ? byteLengthOf(input) : input.to - input.from, undefined);
          continue;
        }
        while (this.#intake.left)
          for (let rest = this.#division.portion(this.#intake.left, this.#held); rest > 0;) {
            if (this.#held === this.#most) yield this.#cut(this.#most);
            const length = min(rest, this.#most - this.#held);
            this.#gather(this.#intake.view(length), length);
            this.#intake.taken(length);
            rest -= length;
          }
        const reading = this.#intake.read();
        if (typeof reading !== 'boolean') {
          // What is there need not wait for a slow source.
          const more = Promise.race([reading.then(() => true), this.#idle()]);
          if (!(await more) && !this.#stopped && this.#ready(seals)) yield this.#cut(this.#ready(seals));
        }
        const more = await reading;
        if (this.#stopped) return;
        if (!more) break;
      }
    } catch (error) {
      failure = { error };
    }
    // At the end, a full chunk may be the last.
    const ready = this.#ready(seals || !failure);
    if (this.#stopped) return;
    if (ready) yield this.#cut(ready);
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a source may throw anything
    if (failure) yield () => Promise.reject(failure.error);
  }

  /** Settled with false when no job is under way. */
  #idle(): Promise<false> {
    if (!this.#underWay) return Promise.resolve(false);
    return new Promise((resolve) => {
      this.#onIdle = () => resolve(false);
    });
  }

  /** How many of the gathered bytes are whole chunks, if need be without one that may be the last. */
  #ready(following: boolean): number {
    const apart = following && this.#division.chunking.fullLast ? 1 : 0;
    return floor(max(0, this.#held - apart) / this.#unit) * this.#unit;
  }

  /** A job of the first of the gathered bytes. */
  #cut(length: number): () => Promise<Job> {
    const memory = this.#gathering!;
    const held = this.#held;
    this.#gathering = undefined;
    this.#held = 0;
    if (held > length) this.#gather(part(memory, length, held - length), held - length);
    return this.#job(part(memory, 0, length), length, memory);
  }

  #job(input: Input, length: number, memory: Uint8Array | undefined): () => Promise<Job> {
    const count = length / this.#unit;
    const job: Job = { index: this.#next, count, input, memory, answer: undefined };
    this.#next += count;
    this.#jobs.push(job);
    this.#underWay++;
    return async () => {
      try {
        job.answer = await this.#session.run({ index: job.index }, input);
        return job;
      } finally {
        if (!--this.#underWay) this.#onIdle?.();
      }
    };
  }

  #gather(bytes: Uint8Array, length: number): void {
    this.#gathering ??= this.#free.pop() ?? this.#allocate();
    copyBytes(this.#gathering, bytes, this.#held);
    this.#held += length;
  }

  #allocate(): Uint8Array {
    const memory = memoryOf(this.#most);
    this.#memory.push(memory);
    return memory;
  }
}
