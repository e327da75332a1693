/** An object of 4 GiB, whose offsets do not fit into 32 bits, by two workers; b3sum is the judge. Its file takes no space. */
import { bytesToHex } from 'lanewise/utils.js';
import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { cluster } from '../src/index.ts';
import { hasServer } from './servers/available.ts';
import { temporaryFolder } from './servers/process.ts';
import { startRedis } from './servers/redis.ts';
import { startWorker } from './workers/start.ts';

const hasJudge = spawnSync('b3sum', ['--version']).status === 0;
if (!hasJudge) console.log('SKIPPED: an object of 4 GiB: b3sum is missing here: apt-get install b3sum');

test.skipIf(!hasJudge || !hasServer('redis-server'))('4 GiB and a byte', async () => {
  const folder = temporaryFolder();
  const redis = await startRedis();
  const path = join(folder.path, 'object');
  const file = openSync(path, 'w');
  ftruncateSync(file, 2 ** 32 + 1);
  // Something that is not zero, on both sides of 2^31 and of 2^32.
  for (const at of [0, 2 ** 31 - 3, 2 ** 32 - 7]) writeSync(file, 'lanewise', at);
  closeSync(file);
  const allow = [pathToFileURL(`${folder.path}/`).href];
  const workers = await Promise.all([1, 2].map(() => startWorker(redis.url, { allow, threads: 1 })));
  const queue = cluster(redis.url);
  try {
    const { hash, size } = await queue.blake3(pathToFileURL(path).href);
    const [judged] = execFileSync('b3sum', ['--num-threads', '2', path]).toString().split(' ');
    expect(bytesToHex(hash)).toBe(judged);
    expect(size).toBe(2 ** 32 + 1);
    // They log a moment after the queue knows.
    await Promise.all(workers.map((worker) => worker.end('SIGTERM')));
    // 64 leaves of 64 MiB, and one of a byte.
    const leaves = workers.flatMap(({ lines }) => lines).filter(({ kind }) => kind === 'blake3-leaf');
    expect(leaves.filter(({ event }) => event === 'completed')).toHaveLength(65);
  } finally {
    await queue.close();
    await Promise.all(workers.map((worker) => worker.end('SIGTERM')));
    await redis.stop();
    folder.remove();
  }
});
