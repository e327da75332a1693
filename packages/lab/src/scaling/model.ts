/**
 * A pool with more threads than this machine has: jobs of a MiB pass through the caller's thread, a worker and the caller's
 * thread again, and all share the memory of the machine or the reader of the source.
 */
import { bendOf, makespan } from './makespan.ts';
import type { Costs, WorkCost } from './programs/costs.ts';

/** Where the bytes of a message are. */
export const SOURCES = ['memory', 'SharedArrayBuffer', 'Blob', 'file'] as const;
export type Source = (typeof SOURCES)[number];

/** The time of one job, in milliseconds. */
export interface Job {
  /** The caller's thread, before a worker has the job and after its answer has come. */
  readonly send: number;
  readonly receive: number;
  /** The worker. */
  readonly work: number;
  /** Shared by all threads: they cannot do more than one job in this time together. */
  readonly shared: number;
  readonly wake: number;
  /** The most jobs that are under way for a number of threads. */
  readonly underWay: (threads: number) => number;
}

/** The caller's thread has no processor of its own: all threads together have as many as there are threads. */
export function timeOf({ send, receive, work, shared, wake, underWay }: Job, threads: number, jobs: number): number {
  const clock = makespan({
    jobs,
    threads,
    underWay: underWay(threads),
    send,
    receive,
    delay: wake / 2,
    delayBack: wake / 2,
    done: (begin, busy) => begin + Math.max(work, shared * busy()),
  });
  return Math.max(clock, (jobs * (send + receive + work)) / threads, jobs * shared);
}

/** How many times a byte of a job goes to or from memory, beyond the caches. */
interface Traffic {
  readonly copies: number;
  readonly passes: number;
}

/** Whether the output is as long as the input, or a few bytes. */
const isLongOutput = (name: string): boolean => !name.startsWith('BLAKE3');

/** The answer is written into the caller's memory by the caller's thread, if the work is in place. */
const isInPlace = (name: string): boolean => name.includes('pages');

/** The parts of a job; undefined if the work has no such source, or the host has not. */
export function jobOf(costs: Costs, { name, one }: WorkCost, source: Source): Job | undefined {
  const { copy, trip, wake, copyByTwo, blobByOne, blobByTwo, fileByOne, fileByTwo } = costs;
  if (isInPlace(name) && (source === 'Blob' || source === 'file')) return undefined;
  const isRead = source === 'Blob' || source === 'file';
  const [byOne, byTwo] = source === 'Blob' ? [blobByOne, blobByTwo] : [fileByOne, fileByTwo];
  if (isRead && (byOne === undefined || byTwo === undefined)) return undefined;
  const traffic: Traffic = {
    copies: Number(source === 'memory') + Number(isInPlace(name)),
    passes: 1 + Number(isLongOutput(name)),
  };
  // A copy is two passes: two workers that copy have measured how many the memory allows.
  const passing = (2 * traffic.copies + traffic.passes) * (copyByTwo / 2);
  return {
    send: trip / 2 + (source === 'memory' ? copy : 0),
    receive: trip / 2 + (isInPlace(name) ? copy : 0),
    work: one + (isRead ? byOne! : 0),
    shared: isRead && byTwo! > 0.75 * byOne! ? byTwo! : passing,
    wake,
    // A hash has no output that must wait for its turn, so its workers may have two jobs each.
    underWay: (threads) => (isLongOutput(name) ? threads + 1 : 2 * threads),
  };
}

/** Milliseconds of one thread for a job: it reads and works in turns, and sends nothing. */
const aloneOf = (costs: Costs, { one }: WorkCost, source: Source): number =>
  one + (source === 'Blob' ? costs.blobByOne : source === 'file' ? costs.fileByOne! : 0);

export const THREADS: readonly number[] = [1, 2, 4, 8, 16, 32, 64];
const JOBS = 1024;
const MOST_THREADS = THREADS.at(-1)!;

export interface Curve {
  readonly work: string;
  readonly source: Source;
  readonly job: Job;
  /** How many times as fast as one thread, for each of THREADS. */
  readonly speedups: readonly number[];
  /** The least number of threads that are used too little; undefined if there is none. */
  readonly bend: number | undefined;
  readonly limit: 'caller' | 'memory' | 'reader' | undefined;
  /** The most that the caller's thread allows, with any number of threads. */
  readonly callerAllows: number;
}

function curveOf(costs: Costs, work: WorkCost, source: Source): Curve | undefined {
  const job = jobOf(costs, work, source);
  if (!job) return undefined;
  const alone = aloneOf(costs, work, source);
  const speedup = (threads: number): number => (alone * JOBS) / timeOf(job, threads, JOBS);
  const first = speedup(1);
  const bend = bendOf(
    (threads) => speedup(threads) / first,
    Array.from({ length: MOST_THREADS - 1 }, (_, i) => i + 2),
  );
  const byCaller = alone / (job.send + job.receive);
  const byShared = alone / job.shared;
  const isReader = source === 'Blob' || source === 'file';
  return {
    work: work.name,
    source,
    job,
    speedups: THREADS.map(speedup),
    bend,
    limit: bend === undefined ? undefined : byCaller <= byShared ? 'caller' : isReader ? 'reader' : 'memory',
    callerAllows: byCaller,
  };
}

/** All curves of an engine. */
export const curvesOf = (costs: Costs): readonly Curve[] =>
  costs.works.flatMap((work) => SOURCES.flatMap((source) => curveOf(costs, work, source) ?? []));

/** The model and the measurement, for two threads on two processors: how many times as fast as one. */
export const checkOf = (costs: Costs): readonly { work: string; model: number; measured: number }[] =>
  costs.works.map((work) => ({
    work: work.name,
    model: (work.one * JOBS) / timeOf(jobOf(costs, work, 'memory')!, 2, JOBS),
    measured: work.one / work.pools[1],
  }));
