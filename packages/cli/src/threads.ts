/** The threads of a command: a pool of workers, which is loaded and started when there is work for it. */
import { availableParallelism } from 'node:os';
import type { Pool } from 'lanewise/pool.js';
import type { Pieces } from './hash/input.ts';
import { loadNative, type Native } from './native.ts';

const MIB = 2 ** 20;
/** The bytes of files, taken together, above which workers are worth their start; and where the user asks for a number of threads. */
const LONG = 96 * MIB;
const LONG_WHEN_ASKED = 32 * MIB;
/** The bytes of a file above which workers that run are quicker. */
const LONG_WHEN_STARTED = 4 * MIB;
/** The same of a file that is one of many; several are under way at a time. */
const LONG_AMONG_MANY = MIB;

/** The bytes, taken together, above which native code is worth its start. */
const LONG_FOR_NATIVE = 16 * MIB;

/** Files are long or not for a command already. Their parts are shorter, and streams of unknown length may be. */
const THRESHOLD = 4 * MIB;

/**
 * With fewer threads, those that read and write take the place of a worker: one that works beside them is as quick. So are those that only
 * read, or only write, beside native code, which is done before workers have started.
 */
const THREADS_BESIDE_FILES = 3;

/** Whether this thread works with the others, or has enough to do with writing, or with reading and writing, for them. */
type Part = 'worker' | 'writer' | 'reader and writer';

export class Threads {
  /** How many threads work at a time. */
  readonly count: number;
  readonly #part: Part;
  readonly #long: number;
  #pool: Promise<Pool | undefined> | undefined;
  #started = false;
  /** The bytes of files that this thread took alone because no worker was there. */
  #missed = 0;
  /** The bytes of works until native code is loaded. */
  #worked = 0;
  readonly #usesNative: boolean;
  #native: Promise<Native> | undefined;

  /**
   * @param count - Undefined for as many as there are cores.
   * @param usesNative - Whether native code may be used.
   */
  constructor(count: number | undefined, part: Part, usesNative: boolean) {
    this.count = count ?? availableParallelism();
    this.#part = part;
    this.#usesNative = usesNative;
    this.#long = count === undefined ? LONG : LONG_WHEN_ASKED;
  }

  /** @returns the pool; undefined if one thread is to work, or there cannot be workers. */
  async pool(part = this.#part): Promise<Pool | undefined> {
    if (this.count < 2) return undefined;
    if (this.count < THREADS_BESIDE_FILES && (part === 'reader and writer' || (await this.#isNative())))
      return undefined;
    const pool = await (this.#pool ??= this.#make());
    // In a Node without workers that the library can start, this thread alone is quicker without the pool.
    return pool?.describe().parallel ? pool : undefined;
  }

  /** Whether workers were started. */
  get running(): boolean {
    return this.#started;
  }

  /** How many files of that size may be under way at a time. */
  together(size: number): number {
    return this.#started && size <= this.#long ? this.count + 1 : 1;
  }

  /**
   * @param size - Undefined if it is not known.
   * @param amongMany - Whether other files are under way meanwhile.
   * @returns the pool for a file; undefined if one thread is quicker.
   */
  async poolFor(size: number | undefined, amongMany = false): Promise<Pool | undefined> {
    await this.works(size ?? 0);
    if (size !== undefined && size <= this.#least(amongMany)) {
      this.#missed += size;
      return undefined;
    }
    // Workers cannot read a pipe by themselves.
    return this.pool(size === undefined && this.#part === 'writer' ? 'reader and writer' : this.#part);
  }

  #least(amongMany: boolean): number {
    if (!this.#started) return this.#long - this.#missed;
    return amongMany ? LONG_AMONG_MANY : LONG_WHEN_STARTED;
  }

  /**
   * Loads native code before the work that makes it worth its start.
   *
   * @param bytes - The length of the work that comes now.
   * @returns undefined if there is nothing to wait for.
   */
  works(bytes: number): Promise<unknown> | undefined {
    if (!this.#usesNative || this.#native) return this.#native;
    this.#worked += bytes;
    return this.#worked > LONG_FOR_NATIVE ? this.#loaded() : undefined;
  }

  /** The pieces of an input. One of unknown length may turn out to be long. */
  working(pieces: Pieces, size: number | undefined): Pieces {
    return size === undefined && this.#usesNative ? this.#working(pieces) : pieces;
  }

  async *#working(pieces: Pieces): Pieces {
    for await (const piece of pieces) {
      await this.works(piece.length);
      yield piece;
    }
  }

  async #isNative(): Promise<boolean> {
    return this.#usesNative && 'spawn' in (await this.#loaded());
  }

  #loaded(): Promise<Native> {
    return (this.#native ??= loadNative());
  }

  async #make(): Promise<Pool> {
    this.#started = true;
    const [{ createPool }, native] = await Promise.all([
      import('lanewise/pool.js'),
      this.#usesNative ? this.#loaded() : undefined,
    ]);
    const callerWorks = this.#part === 'worker';
    const spawn = native && 'spawn' in native ? { spawn: native.spawn } : {};
    return createPool({ threads: this.count, callerWorks, threshold: callerWorks ? 0 : THRESHOLD, ...spawn });
  }

  /** Ends the workers, which wipe their keys before. */
  async close(): Promise<void> {
    await (await this.#pool)?.close();
  }
}
