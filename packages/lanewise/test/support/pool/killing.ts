/** Work on pools whose workers are killed at random: a right result or an error, no hang, and nothing is left over. */
import { readdirSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect } from 'vitest';
import { createPool } from '../../../src/pool.ts';
import { bundled } from './bundled.ts';
import { operations, warmUp } from './operations.ts';

const MiB = 1_048_576;
const SIZE = 8 * MiB + 4096;
const url = bundled('../../../src/worker.ts');

/** Numbers that one seed determines. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}
/** The threads of this process, where the system tells. */
const threads = (): number => (process.platform === 'linux' ? readdirSync('/proc/self/task').length : 0);

/** The outcomes of some runs. */
export interface Seen {
  readonly right: number;
  readonly failed: number;
  readonly killed: number;
}

/** @param seed - Printed when something goes wrong. */
export async function killAtRandom(runs: number, seed: number): Promise<Seen> {
  const random = randomFrom(seed);
  const expected = operations.map((operation) => operation.expected(SIZE));
  const workers = new Set<Worker>();
  const spawn = (): Worker => {
    const worker = new Worker(url);
    workers.add(worker);
    worker.on('exit', () => workers.delete(worker));
    return worker;
  };
  // The first worker of a process, and the first file that is read, start threads that stay.
  await stat(url);
  const first = createPool({ threads: 2, threshold: 4 * MiB, spawn });
  await warmUp(first);
  await first.close();
  const threadsBefore = threads();

  const pool = createPool({ threads: 2, threshold: 4 * MiB, spawn });
  // A pool whose very first worker ends before it has started, starts no other.
  await warmUp(pool);
  const seen = { right: 0, failed: 0, killed: 0 };
  let before = 0;
  for (let run = 0; run < runs; run++) {
    const at = run % operations.length;
    const { name, run: operate } = operations[at];
    if (random() < 0.7) await warmUp(pool);
    let isOver = false;
    const kills = (async () => {
      for (let left = 1 + Math.floor(random() * 3); left > 0; left--) {
        await wait(random() * 6);
        const its = [...workers];
        if (isOver || !its.length) continue;
        seen.killed++;
        await its[Math.floor(random() * its.length)].terminate();
      }
    })();
    try {
      const result = await operate(pool, {}, SIZE);
      expect(Buffer.compare(result, expected[at]), `${name}, run ${run}, seed ${seed}`).toBe(0);
      seen.right++;
    } catch (error) {
      expect((error as Error).message, `${name}, run ${run}, seed ${seed}`).toMatch(
        /^a worker ended while it worked \(it ended with exit code 1\), as did the one before it/,
      );
      seen.failed++;
    }
    isOver = true;
    await kills;
    if (run === Math.floor(runs / 4)) before = process.memoryUsage().rss;
  }
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * MiB);
  await pool.close();
  expect(workers.size).toBe(0);
  // A thread is gone a little after its end was told.
  for (let i = 0; i < 200 && threads() > threadsBefore; i++) await wait(10);
  expect(threads()).toBeLessThanOrEqual(threadsBefore);
  expect(process.getActiveResourcesInfo().filter((name) => name.includes('Worker') || name === 'MessagePort')).toEqual(
    [],
  );
  return seen;
}
