/** Makes pools. */
import { Crew } from './crew.ts';
import { Pool } from './handle.ts';
import { defaultCount, type WorkerLike } from './spawn.ts';
import { refuseSurplus, sizeOf, typeOf } from '../calls/checks.ts';
import { flagOf, optionOf, optionOr, optionsOf } from '../calls/options.ts';
import { hosted } from '../engine/intrinsics.ts';

/** How a pool is made. */
export interface PoolOptions {
  /**
   * The most workers, from 1 to 256. Unless given, as many as the host has cores; in a page one less, because the page needs one, too.
   */
  readonly threads?: number;
  /**
   * Starts a worker that imports `lanewise/worker.js`: a `Worker` of the host, or of `node:worker_threads`. For bundlers that do not
   * find the worker of the library.
   */
  readonly spawn?: () => WorkerLike;
  /**
   * How many milliseconds without work after which workers are ended; 5000 unless given, and 200 in Deno, whose workers keep
   * a process running. They start again when there is work.
   */
  readonly idle?: number;
  /**
   * Whether the caller's thread is one of the threads, so that there is one worker less: it does a job of one to four milliseconds, then
   * lets the event loop turn, and so on, and reads files synchronously. For programs that only wait for the result. False unless given.
   */
  readonly callerWorks?: boolean;
  /**
   * The number of bytes up to which a message is worked at on the caller's thread: for a page that is to be free also while a shorter
   * message is worked at. Unless given, the sizes that were measured, up to which the caller's thread is quicker: 12 MiB, for streams
   * 48 MiB, and 96 MiB if workers are to be started for it. A message of a single job, which is 1 MiB, never leaves the caller's thread.
   */
  readonly threshold?: number;
}

const OPTIONS = { __proto__: null, threads: 1, spawn: 1, idle: 1, callerWorks: 1, threshold: 1 } as const;
const MOST_THREADS = 256;
/** Workers of Deno keep its process running as long as they run. Its `node:worker_threads` can let it end, but take 50 times as long. */
const idleUnlessGiven = (): number => (hosted('Deno')() ? 200 : 5000);

/**
 * Makes a pool of threads. Workers start when there is work for them, and end when there has been none for a while, so one pool may
 * serve a whole program. They do not keep a process running.
 *
 * Where workers cannot run, as under a policy that forbids them, the same calls work on the caller's thread, and `describe` says why.
 *
 * @param options - {@link PoolOptions}: `threads`, `spawn`, `idle`, `callerWorks`, `threshold`.
 * @returns The pool. `close` ends it, as does the end of a block with `await using`.
 * @throws TypeError if an argument has the wrong type, RangeError if it has the wrong length or value.
 * @example
 * ```ts
 * import { createPool } from 'lanewise/pool.js';
 * const pool = createPool();
 * const digest = await pool.blake3(new Blob([new Uint8Array(200_000_000)])); // the same as that of blake3
 * console.log(digest.length, pool.describe());
 * await pool.close();
 * ```
 */
export function createPool(options?: PoolOptions): Pool {
  refuseSurplus(arguments, 1);
  const given = optionsOf(options, OPTIONS);
  const threads = optionOr(given, 'threads', undefined);
  const count = threads === undefined ? Math.min(defaultCount(), MOST_THREADS) : sizeOf(threads, 'threads', 1);
  if (count > MOST_THREADS) throw new RangeError(`"threads" expected integer from 1 to ${MOST_THREADS}, got ${count}`);
  const spawn = optionOf(given, 'spawn');
  if (spawn !== undefined && typeof spawn !== 'function')
    throw new TypeError(`"spawn" expected function, got ${typeOf(spawn)}`);
  const idle = sizeOf(optionOr(given, 'idle', idleUnlessGiven()), 'idle', 0);
  const callerWorks = flagOf(given, 'callerWorks', false);
  const threshold = optionOr(given, 'threshold', undefined);
  if (threshold !== undefined) sizeOf(threshold, 'threshold', 0);
  return new Pool(new Crew(count, spawn as PoolOptions['spawn'], idle, callerWorks, threshold as number | undefined));
}
