/**
 * Age files while workers are killed (SIGKILL) and the queue is killed and started again: the file is right, and nothing else is left.
 * Runs twice unless `LANEWISE_RUNS` says how often.
 */
import { Decrypter, generateIdentity, identityToRecipient } from '@lanewise/age';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cluster, type Cluster } from '../src/index.ts';
import { bytesFor } from './objects-on-disk.ts';
import { hasServer } from './servers/available.ts';
import { temporaryFolder } from './servers/process.ts';
import { startRedis, type RedisServer } from './servers/redis.ts';
import { startS3, type S3Server } from './servers/s3.ts';
import { startWorker, type WorkerProcess } from './workers/start.ts';

const RUNS = Number(process.env['LANEWISE_RUNS'] ?? 2);
/** Twelve parts of 5 MiB and a short one. */
const SIZE = 60 * 2 ** 20 + 1000;

describe.skipIf(!hasServer('redis-server') || !hasServer('versitygw'))('age files while workers are killed', () => {
  const folder = temporaryFolder();
  const plaintext = bytesFor('plaintext', SIZE);
  let redis: RedisServer;
  let s3: S3Server;
  let queue: Cluster;
  let identity: string;
  let recipients: string[];
  let workers: string[];
  let running: WorkerProcess[] = [];

  const url = (key: string): string => `s3://${s3.bucket}/${key}`;
  const start = async (): Promise<void> => {
    running.push(
      await startWorker(redis.url, {
        threads: 1,
        lease: 3000,
        allow: [url('')],
        allowWrite: [url('out/')],
        identityFile: join(folder.path, 'worker.txt'),
        objects: s3.options,
      }),
    );
  };
  const kill = async (): Promise<void> => {
    await Promise.all(running.map((worker) => worker.end('SIGKILL')));
    running = [];
  };

  beforeAll(async () => {
    identity = await generateIdentity();
    const worker = await generateIdentity();
    [recipients, workers] = [[await identityToRecipient(identity)], [await identityToRecipient(worker)]];
    writeFileSync(join(folder.path, 'worker.txt'), `${worker}\n`);
    [redis, s3] = await Promise.all([startRedis(), startS3()]);
    queue = cluster(redis.url, { objects: s3.options });
    await s3.put('in', plaintext);
  });
  afterAll(async () => {
    await kill();
    await queue.close();
    await Promise.all([redis.stop(), s3.stop()]);
    folder.remove();
  });

  /** Kills now and then while a task runs; one worker is always left, or comes. */
  async function troubled<Result>(work: Promise<Result>): Promise<Result> {
    let done = false;
    const ended = work.finally(() => (done = true));
    ended.catch(() => undefined);
    await sleep(300 + 500 * Math.random());
    for (let i = 0; i < 3 && !done; i++) {
      const [victim] = running.splice(Math.floor(Math.random() * running.length), 1);
      await victim.end('SIGKILL');
      await start();
      if (Math.random() < 0.4) await redis.restart({ kill: true, down: 200 });
      await sleep(200 + 800 * Math.random());
    }
    return await ended;
  }

  it.each(Array.from({ length: RUNS }, (_, run) => run + 1))('run %i: are right', async () => {
    while (running.length < 2) await start();
    await troubled(queue.encrypt(url('in'), url('out/in.age'), { recipients, workers, partChunks: 80 }));
    const decrypter = new Decrypter();
    decrypter.addIdentity(identity);
    const file = (await s3.get('out/in.age'))!;
    expect(Buffer.compare(await decrypter.decrypt(new Uint8Array(file)), plaintext)).toBe(0);
    await troubled(
      queue.decrypt(url('out/in.age'), url('out/back'), { identities: [identity], workers, partChunks: 80 }),
    );
    expect(Buffer.compare((await s3.get('out/back'))!, plaintext)).toBe(0);
    expect(await s3.uploads()).toEqual([]);
    expect((await s3.keys()).sort()).toEqual(['in', 'out/back', 'out/in.age']);
  });

  it('are given up by their caller when all workers are dead', async () => {
    const aborter = new AbortController();
    const work = queue.encrypt(url('in'), url('out/never'), {
      recipients,
      workers,
      partChunks: 80,
      signal: aborter.signal,
    });
    work.catch(() => undefined);
    await expect.poll(() => s3.uploads()).toEqual(['out/never']);
    await sleep(200);
    await kill();
    aborter.abort(new Error('nobody works'));
    await expect(work).rejects.toThrow('nobody works');
    expect(await s3.uploads()).toEqual([]);
    expect(await s3.get('out/never')).toBeUndefined();
  });
});
