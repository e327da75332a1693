/** Workers that die in every way, at any time: the work is done by another one, or fails with an error that says so. */
// Runs in Node only: workers of Node, and the system's account of threads.
import { Worker } from 'node:worker_threads';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createPool } from '../../src/pool.ts';
import { ended } from '../support/crew.ts';
import { bundled } from '../support/pool/bundled.ts';
import { killAtRandom } from '../support/pool/killing.ts';
import { operations, warmUp } from '../support/pool/operations.ts';

const MiB = 1_048_576;
const SIZE = 8 * MiB + 4096;
const url = bundled('faulty-worker.ts');
const faults = ['throw', 'reject', 'exit', 'memory', 'lost'] as const;

const workers = new Set<Worker>();
/** The fault of workers that start. */
let fault: string | undefined;
const pool = createPool({
  threads: 2,
  threshold: 4 * MiB,
  spawn() {
    const worker = new Worker(url, { resourceLimits: { maxOldGenerationSizeMb: 24 } });
    if (fault !== undefined) worker.postMessage({ fault });
    workers.add(worker);
    worker.on('exit', () => workers.delete(worker));
    return worker;
  },
});
beforeEach(() => warmUp(pool));
afterAll(() => pool.close());

describe.each(operations)('$name', ({ run, expected }) => {
  it.each(faults)('a worker that ends once: %s', async (its) => {
    let isOver = false;
    const onProgress = (): void => {
      if (!isOver) [...workers][0].postMessage({ fault: its });
      isOver = true;
    };
    expect(Buffer.compare(await run(pool, { onProgress }, SIZE), expected(SIZE))).toBe(0);
    expect(isOver).toBe(true);
    expect(pool.describe().reason).toBeUndefined();
  });

  it('workers that always end: an error that says so, or the caller does the work', async () => {
    fault = 'doom';
    for (const worker of workers) worker.postMessage({ fault });
    const result = await ended(run(pool, {}, SIZE));
    fault = undefined;
    await Promise.all([...workers].map((worker) => worker.terminate()));
    if (result instanceof Uint8Array) expect(Buffer.compare(result, expected(SIZE))).toBe(0);
    else expect(result).toMatch(/^a worker ended while it worked \(a bug\), as did the one before it/);
  });
});

it('workers that are killed at random', async () => {
  const seen = await killAtRandom(operations.length, Date.now() % 2 ** 31);
  expect(seen.right).toBeGreaterThan(0);
  expect(seen.killed).toBeGreaterThan(0);
});
