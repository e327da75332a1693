/** After a session, whether it ended well or not, its worker holds neither its key nor a byte of its plaintext in any memory. */
// Runs in Node only: workers of Node that search their memory.
import { Worker } from 'node:worker_threads';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createPool } from '../../src/pool.ts';
import { bundled } from '../support/pool/bundled.ts';
import { operations, secrets, warmUp } from '../support/pool/operations.ts';

const MiB = 1_048_576;
/** Above the threshold. */
const SIZE = 8 * MiB + 4096;
const url = bundled('searching-worker.ts');

const workers = new Set<Worker>();
const pool = createPool({
  threads: 2,
  threshold: 4 * MiB,
  spawn() {
    const worker = new Worker(url);
    workers.add(worker);
    worker.on('exit', () => workers.delete(worker));
    return worker;
  },
});
beforeEach(() => warmUp(pool));
afterAll(() => pool.close());

interface Answer {
  readonly found?: readonly boolean[];
  readonly places: number;
}
/** Which secrets are in the memory of some worker. */
async function found(): Promise<string[]> {
  const names = Object.keys(secrets);
  const search = Object.values(secrets);
  const all = await Promise.all(
    [...workers].map(
      (worker) =>
        new Promise<Required<Answer>>((resolve) => {
          const listen = ({ found, places }: Answer): void => {
            if (!found) return;
            worker.off('message', listen);
            resolve({ found, places });
          };
          worker.on('message', listen);
          worker.postMessage({ search });
        }),
    ),
  );
  // A worker that has just started has nothing yet in which anything could be found.
  expect(Math.max(...all.map(({ places }) => places)), 'places that were searched').toBeGreaterThan(1);
  return names.filter((_, i) => all.some((its) => its.found[i]));
}
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

describe.each(operations)('$name', ({ run, expected, keeps }) => {
  it('all done', async () => {
    let during: Promise<string[]> | undefined;
    const onProgress = (done: number): void => {
      if (done >= 6 * MiB) during ??= found();
    };
    const result = await run(pool, { onProgress }, SIZE);
    expect(result).toEqual(expected(SIZE));
    // Otherwise the search would miss some bytes.
    expect(await during).toContain('key');
    if (keeps) expect(await during).toContain('plaintext');
    expect(await found()).toEqual([]);
  });

  it('aborted', async () => {
    const controller = new AbortController();
    const onProgress = (done: number): void => {
      if (done >= 3 * MiB) controller.abort(new Error('enough'));
    };
    await expect(run(pool, { signal: controller.signal, onProgress }, SIZE)).rejects.toThrow('enough');
    await turn();
    expect(await found()).toEqual([]);
  });

  it('ended by an error', async () => {
    const onProgress = (done: number): void => {
      if (done >= 3 * MiB) throw new Error('no more');
    };
    await expect(run(pool, { onProgress }, SIZE)).rejects.toThrow('no more');
    await turn();
    expect(await found()).toEqual([]);
  });

  it('whose worker has ended', async () => {
    let isOver = false;
    const onProgress = (): void => {
      if (isOver) return;
      const [worker] = workers;
      workers.delete(worker);
      void worker.terminate();
      isOver = true;
    };
    expect(await run(pool, { onProgress }, SIZE)).toEqual(expected(SIZE));
    await warmUp(pool);
    expect(await found()).toEqual([]);
  });
});
