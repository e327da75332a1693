/** A pool whose workers are objects of the test's, under a clock of the test's. */
import { afterEach, beforeEach, vi } from 'vitest';
import { threadsOf, type Session } from '../../src/work/threads.ts';
import { createPool, type Pool, type PoolOptions } from '../../src/pool.ts';
import { FakeWorker } from './fake-worker.ts';

/** The workers that were started, the jobs that were done on the caller's thread, and the pool. */
export const crew = { workers: [] as FakeWorker[], here: [] as unknown[], pool: undefined as unknown as Pool };

/** Starts each test with nothing. The hooks are those of the file that calls this. */
export function resetCrew(): void {
  beforeEach(() => {
    crew.workers = [];
    crew.here = [];
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  });
  afterEach(() => vi.useRealTimers());
}

/** Makes a pool of one thread. */
export function make(options: PoolOptions = {}, worker: () => FakeWorker = () => new FakeWorker()): void {
  const spawn = (): FakeWorker => {
    const its = worker();
    crew.workers.push(its);
    return its;
  };
  crew.pool = createPool({ threads: 1, spawn, ...options });
}

export const open = (secret: Uint8Array = Uint8Array.of(7)): Session<unknown, unknown> =>
  threadsOf(crew.pool).session<unknown, unknown>({
    kind: 'echo',
    parameters: undefined,
    secrets: [secret],
    here(job) {
      crew.here.push(job);
      return { job };
    },
  });

/** A pool with one worker that is ready, and a session in which no job waits. */
export async function started(options: PoolOptions = {}): Promise<Session<unknown, unknown>> {
  make(options);
  const session = open();
  const first = session.run('first');
  crew.workers[0].hello();
  await first;
  crew.here = [];
  return session;
}

/** The result of a promise, or the message of its error. */
export const ended = (promise: Promise<unknown>): Promise<unknown> =>
  promise.catch((error: unknown) => (error as Error).message);
