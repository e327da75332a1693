/** A hash while workers are killed at random and redis-server is restarted: what comes back is right, and nothing is left over. */
import { blake3 } from 'lanewise/blake3.js';
import { bytesToHex } from 'lanewise/utils.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { cluster } from '../src/index.ts';
import { bytesFor, fileObject } from './objects-on-disk.ts';
import type { RedisServer } from './servers/redis.ts';
import { startWorker, type WorkerProcess } from './workers/start.ts';

/** The shortest lease: the tests wait for it. */
const LEASE_MS = 3000;
const WORKERS = 3;
const LEAF_BYTES = 2 ** 16;
const LEAVES = 600;

/** Numbers from 0 up to 1 that a seed gives. */
function randoms(seed: string): () => number {
  const words = new Uint32Array(bytesFor(seed, 4096).buffer);
  let next = 0;
  return () => words[next++ % words.length] / 2 ** 32;
}

export interface Storm {
  /** What was done to the workers and the server. */
  readonly faults: readonly string[];
  /** The hash that came back, or the error. */
  readonly answer: string;
  readonly expected: string;
  /** What is left in the queue. */
  readonly left: number;
}

export async function storm(redis: RedisServer, folder: string, seed: string): Promise<Storm> {
  const random = randoms(seed);
  const size = (LEAVES - 1) * LEAF_BYTES + Math.floor(random() * LEAF_BYTES);
  const object = fileObject(folder, 'storm', size);
  const allow = [pathToFileURL(`${folder}/`).href];
  const start = (): Promise<WorkerProcess> =>
    startWorker(redis.url, { allow, threads: 2, lease: LEASE_MS, name: seed });
  const workers = await Promise.all(Array.from({ length: WORKERS }, start));
  const queue = cluster(redis.url, { name: seed });
  // Connects: a caller who finds no queue in 10 seconds is told so at once, and does not wait for one.
  await queue.jobs();
  const faults: string[] = [];
  let over = false;
  let answer = '';
  const work = queue
    .blake3(object.url, { leafBytes: LEAF_BYTES })
    .then(
      ({ hash }) => (answer = bytesToHex(hash)),
      (error: unknown) => (answer = String(error)),
    )
    .finally(() => (over = true));
  let restarted = false;
  // Faults are random in time and in kind; there are as many as the work lasts, up to what a job may survive.
  for (let fault = 0; fault < 4; fault++) {
    await sleep(random() * 150);
    if (over) break;
    const index = Math.floor(random() * WORKERS);
    const kind = random();
    if (kind < 0.3 && !restarted) {
      restarted = true;
      faults.push('redis-server is restarted');
      await redis.restart({ kill: random() < 0.5, down: random() * 500 });
    } else if (kind < 0.85) {
      faults.push(`worker ${index} is killed`);
      await workers[index].end('SIGKILL');
      workers[index] = await start();
    } else {
      faults.push(`worker ${index} is told to stop`);
      await workers[index].end('SIGTERM');
      workers[index] = await start();
    }
  }
  await work;
  await Promise.all(workers.map((worker) => worker.end('SIGTERM')));
  const left = (await queue.jobs()).filter(({ state }) => state !== 'completed').length;
  await queue.close();
  return { faults, answer, expected: bytesToHex(blake3(object.bytes)), left };
}
