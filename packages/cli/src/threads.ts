/** The threads of a command: a pool of workers, which is loaded and started when there is work for it. */
import { availableParallelism } from 'node:os';
import type { Pool } from 'lanewise/pool.js';

/** The bytes of a file above which all cores are quicker: while workers are still to be started, and afterwards. */
const LONG = 32 * 2 ** 20;
const LONG_WHEN_STARTED = 4 * 2 ** 20;

export class Threads {
  /** How many threads work at a time. */
  readonly count: number;
  #pool: Promise<Pool | undefined> | undefined;
  #started = false;

  /** @param count - Undefined for as many as there are cores. */
  constructor(count: number | undefined) {
    this.count = count ?? availableParallelism();
  }

  /** @returns the pool; undefined if one thread is to work, or there cannot be workers. */
  async pool(): Promise<Pool | undefined> {
    if (this.count === 1) return undefined;
    const pool = await (this.#pool ??= this.#make());
    // In a Node without workers that the library can start, this thread alone is quicker without the pool.
    return pool?.describe().parallel ? pool : undefined;
  }

  /** @returns the pool for a file, of unknown size perhaps; undefined if one thread is quicker. */
  async poolFor(size: number | undefined): Promise<Pool | undefined> {
    return size !== undefined && size <= (this.#started ? LONG_WHEN_STARTED : LONG) ? undefined : this.pool();
  }

  async #make(): Promise<Pool> {
    this.#started = true;
    const { createPool } = await import('lanewise/pool.js');
    return createPool({ threads: this.count, callerWorks: true });
  }

  /** Ends the workers, which wipe their keys before. */
  async close(): Promise<void> {
    await (await this.#pool)?.close();
  }
}
