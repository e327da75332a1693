/**
 * Checks a pool in a runtime of servers, and prints one line. The first argument: `default`, or `spawn` for a worker of one's own. The
 * second: a part of the reason for having no workers; without it, there must be some.
 *
 * Nothing waits for the work but the pool itself, and it is not closed: a process that prints nothing ended while it worked, and one
 * that does not end was kept by workers without work.
 */
import { createPool } from 'lanewise/pool.js';
import { check } from './check.js';

const [way, expected] = process.argv.slice(2);
const threads = 2;
/** Workers of Deno keep it running: it is left to the library to end them soon. */
const idle = globalThis.Deno ? undefined : 3_600_000;

const threadsOfNode = await import('node:worker_threads');
const spawn = () => {
  const url = new URL('./own-worker.js', import.meta.url);
  return globalThis.Worker ? new Worker(url, { type: 'module' }) : new threadsOfNode.Worker(url);
};

const pool = createPool({ threads, idle, threshold: 4_000_000, ...(way === 'spawn' && { spawn }) });
check(pool).then(({ failed, running, parallel, reason }) => {
  const isRight = expected === undefined ? parallel && running > 0 : !parallel && reason?.includes(expected);
  if (failed.length > 0 || !isRight) throw new Error(`${failed.join('; ')} ${running} workers, ${reason}`);
  console.log(`pool, ${way}: ok, ${parallel ? `${running} workers` : reason}`);
});
