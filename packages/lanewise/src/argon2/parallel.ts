/** Argon2 with its lanes on the workers of a pool, in memory that all of them have. RFC 9106 §3.2 */
import { refuseSurplus } from '../calls/checks.ts';
import { Bytes, fillBytes, freeze, min } from '../engine/intrinsics.ts';
import { abortable } from '../work/abort.ts';
import { turn, wipeInSlices } from '../work/slices.ts';
import { type PoolHandle, type Threads, threadsOf } from '../work/threads.ts';
import { addLast, beginLane, finish } from './derive.ts';
import { firstOf, type Segment, SLICES } from './fill.ts';
import { doJob, end, isActive, type Job, type Shared, type Told, wordsOf } from './jobs.ts';
import { BLOCKS, MOST_THREADS, SCRATCH } from './map.ts';
import { type Call, keepLanes, type LanesOnPool } from './parameters.ts';
import { BLOCK_BYTES } from './rounds.ts';
import { giveBackShared, sharedKernel } from './shared-binding.ts';

/** The blocks of a job: a worker takes some 3 ms for them, and hears of an abort after that. */
const JOB_BLOCKS = 4096;
/**
 * How many turns of the event loop a worker that is at a job is waited for before its memory is wiped: some hundred times as many as a job
 * takes. Turns, because tests and pages may stop the clock.
 */
const MOST_TURNS = 2 ** 18;

/** The reason for which a derivation begins again on one thread. */
const LOST = /* @__PURE__ */ new Error('a worker was lost');

/** Waits for the jobs that have begun: no other begins. */
async function areIdle(words: Int32Array): Promise<void> {
  for (let turns = 0; isActive(words) && turns < MOST_TURNS; turns++) await turn();
}

/**
 * Derives a key from H_0, which is left as it is. Between the slices of a pass all lanes wait for each other, on the caller's thread.
 *
 * @returns Undefined if this cannot be done here, or a worker was lost: then one thread is to do all of it.
 */
async function onThreads(
  threads: Threads,
  { parameters, slices: { signal, onProgress } }: Pick<Call, 'parameters' | 'slices'>,
  seed: Uint8Array,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const { t, p, columns, dkLen } = parameters;
  const shared = p > MOST_THREADS ? undefined : sharedKernel(parameters.memory);
  if (!shared) return undefined;
  const { memory } = shared.kernel;
  const words = wordsOf(memory);
  const session = threads.session<Job, boolean>({
    kind: 'argon2',
    parameters: { parameters, memory: shared.memory, module: shared.module, text: shared.text } satisfies Told,
    secrets: [],
    isLong: true,
    here: (job) => doJob(shared.kernel, words, parameters, job),
  });
  const length = columns / SLICES;
  const [sum, key] = [new Bytes(BLOCK_BYTES), new Bytes(dkLen)];
  /** The jobs of each lane. */
  const numbers: number[] = [];
  /** All but the first two of each lane, which are there. */
  const blocks = p * (t * columns - 2);
  let done = 0;
  const run = async (job: Omit<Job, 'number'>): Promise<void> => {
    if (!(await session.run({ ...job, number: numbers[job.lane]++ }).catch(() => false))) throw LOST;
  };
  const fillLane = async (segment: Segment, ends: AbortSignal): Promise<void> => {
    for (let from = firstOf(segment); from < length && !ends.aborted; from += JOB_BLOCKS) {
      const to = min(length, from + JOB_BLOCKS);
      await run({ ...segment, from, to });
      if (!ends.aborted) onProgress?.((done += to - from) / blocks);
    }
  };
  const onLanes = (work: (lane: number) => Promise<void>): Promise<unknown> => {
    const all: Promise<void>[] = [];
    for (let lane = 0; lane < p; lane++) all[lane] = work(lane);
    return Promise.all(all);
  };
  let kept: Shared | undefined;
  try {
    for (let lane = 0; lane < p; lane++) {
      numbers[lane] = 0;
      beginLane(memory, parameters, seed, lane);
    }
    await abortable([signal, session.signal], async (ends) => {
      for (let pass = 0; pass < t; pass++)
        for (let slice = 0; slice < SLICES && !ends.aborted; slice++)
          await onLanes((lane) => fillLane({ pass, slice, lane }, ends));
      if (ends.aborted) return;
      for (let lane = 0; lane < p; lane++) addLast(memory, parameters, sum, lane);
      finish(sum, key);
      await onLanes((lane) => run({ pass: 0, slice: 0, lane, from: 0, to: 0, wipes: true }));
      kept = shared;
    });
    return key;
  } catch (error) {
    fillBytes(key, 0);
    if (error !== LOST) throw error;
    return undefined;
  } finally {
    end(words);
    session.close();
    fillBytes(sum, 0);
    await areIdle(words);
    // After a loss a thread may still have a job, so the words of such memory stay as they are.
    if (!kept) await wipeInSlices(memory, SCRATCH, parameters.memory);
    // Workers have wiped the blocks.
    if (kept) await wipeInSlices(memory, 0, BLOCKS);
    if (kept) giveBackShared(kept);
  }
}

/**
 * Lets the workers of a pool fill the lanes of Argon2, up to 20 at the same time, in memory that they share: in Node, Deno and Bun, and in
 * pages that are isolated from other origins. Elsewhere the lanes are filled one after the other. The key is the same.
 *
 * A worker does parts of some milliseconds, and hears of an abort after each. The memory is wiped before the promise of the key settles.
 *
 * @param pool - A pool of `createPool` of `lanewise/pool.js`. It stays the caller's.
 * @returns The value of the option `lanes`, for any number of calls.
 * @throws TypeError if it isn't a pool, Error if it is closed.
 * @example
 * ```ts
 * import { argon2id, lanesOn, randomBytes, RFC_9106 } from 'lanewise/argon2.js';
 * import { createPool } from 'lanewise/pool.js';
 * const pool = createPool();
 * const password = new TextEncoder().encode('correct horse battery staple');
 * const key = await argon2id(password, randomBytes(16), { ...RFC_9106, lanes: lanesOn(pool) });
 * await pool.close();
 * ```
 */
export function lanesOn(pool: PoolHandle): LanesOnPool {
  refuseSurplus(arguments, 1);
  const threads = threadsOf(pool);
  const lanes = freeze({ pool });
  keepLanes(lanes, (call, seed) => onThreads(threads, call, seed));
  return lanes;
}
