/** The threads of a command: a pool of workers, which is loaded and started when there is work for it. */
import { availableParallelism } from 'node:os';
import type { Pool } from 'lanewise/pool.js';

/** The bytes of a file above which all cores are quicker: while workers are still to be started, and afterwards. */
const LONG = 32 * 2 ** 20;
const LONG_WHEN_STARTED = 12 * 2 ** 20;

/** Files are long or not for this command already. Their parts are shorter, and streams of unknown length may be. */
const THRESHOLD = 4 * 2 ** 20;

/** With fewer threads, those that read and write take the place of a worker: one that works beside them is as quick. */
const THREADS_BESIDE_FILES = 3;

/** Whether this thread works with the others, or has enough to do with writing, or with reading and writing, for them. */
type Part = 'worker' | 'writer' | 'reader and writer';

export class Threads {
  /** How many threads work at a time. */
  readonly count: number;
  readonly #part: Part;
  #pool: Promise<Pool | undefined> | undefined;
  #started = false;

  /** @param count - Undefined for as many as there are cores. */
  constructor(count: number | undefined, part: Part) {
    this.count = count ?? availableParallelism();
    this.#part = part;
  }

  /** @returns the pool; undefined if one thread is to work, or there cannot be workers. */
  async pool(part = this.#part): Promise<Pool | undefined> {
    if (this.count < (part === 'reader and writer' ? THREADS_BESIDE_FILES : 2)) return undefined;
    const pool = await (this.#pool ??= this.#make());
    // In a Node without workers that the library can start, this thread alone is quicker without the pool.
    return pool?.describe().parallel ? pool : undefined;
  }

  /** @returns the pool for a file, of unknown size perhaps; undefined if one thread is quicker. */
  async poolFor(size: number | undefined): Promise<Pool | undefined> {
    if (size !== undefined && size <= (this.#started ? LONG_WHEN_STARTED : LONG)) return undefined;
    // Workers cannot read a pipe by themselves.
    return this.pool(size === undefined && this.#part === 'writer' ? 'reader and writer' : this.#part);
  }

  async #make(): Promise<Pool> {
    this.#started = true;
    const { createPool } = await import('lanewise/pool.js');
    return createPool({ threads: this.count, callerWorks: this.#part === 'worker', threshold: THRESHOLD });
  }

  /** Ends the workers, which wipe their keys before. */
  async close(): Promise<void> {
    await (await this.#pool)?.close();
  }
}
