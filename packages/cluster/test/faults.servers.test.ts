/** Workers that die or hang, a queue that restarts, and jobs that an enemy wrote: the result is right, or there is one clear error. */
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { blake3 } from 'lanewise/blake3.js';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { cluster, createWorker, type Cluster, type WorkerOptions } from '../src/index.ts';
import { fileObject } from './objects-on-disk.ts';
import { hasServer } from './servers/available.ts';
import { temporaryFolder } from './servers/process.ts';
import { startRedis, type RedisServer } from './servers/redis.ts';
import { startWorker, type WorkerProcess } from './workers/start.ts';

const folder = temporaryFolder();
const data = join(folder.path, 'data');
mkdirSync(data);
const allow = [pathToFileURL(`${data}/`).href];

/** A store of objects of 4096 bytes that never sends the leaf of one that begins at `silent`. */
async function startSilentStore(silent: number): Promise<{ readonly base: string; readonly close: () => void }> {
  const store = createServer((request, response) => {
    const { range, 'if-match': etag = '"e"' } = request.headers;
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
    if (request.method === 'HEAD') response.writeHead(200, { etag, 'content-length': 4096 }).end();
    else if (Number(first) !== silent)
      response
        .writeHead(206, { etag, 'content-range': `bytes ${first}-${last}/4096` })
        .end('x'.repeat(Number(last) - Number(first) + 1));
  }).listen(0, '127.0.0.1');
  await once(store, 'listening');
  return {
    base: `http://127.0.0.1:${(store.address() as AddressInfo).port}/`,
    close: () => {
      store.closeAllConnections();
      store.close();
    },
  };
}

describe.skipIf(!hasServer('redis-server'))('a queue in redis-server', () => {
  let redis: RedisServer;
  let count = 0;
  let name: string;
  let queue: Cluster;
  let workers: WorkerProcess[] = [];

  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(async () => {
    await redis.stop();
    folder.remove();
  });
  const open = (): void => {
    name = `faults-${count++}`;
    queue = cluster(redis.url, { name });
  };
  const start = async (options: Partial<WorkerOptions> = {}): Promise<WorkerProcess> => {
    const worker = await startWorker(redis.url, { allow, threads: 1, lease: 3000, name, ...options });
    workers.push(worker);
    return worker;
  };
  afterEach(async () => {
    await queue.close();
    await Promise.all(workers.map((worker) => worker.end('SIGKILL')));
    workers = [];
  });

  /** Hashes an object of many leaves, and does something when half of them are done. */
  const disturbed = async (size: number, disturb: () => unknown): Promise<void> => {
    const object = fileObject(data, name, size);
    let disturbance: Promise<unknown> | undefined;
    const { hash } = await queue.blake3(object.url, {
      leafBytes: 2 ** 16,
      onProgress: ({ done, total }) => {
        if (done > total / 3) disturbance ??= Promise.resolve(disturb());
      },
    });
    expect(disturbance).toBeDefined();
    await disturbance;
    expect(hash).toEqual(blake3(object.bytes));
  };

  test('goes on when a worker is killed', async () => {
    open();
    const [killed, other] = [await start(), await start()];
    await disturbed(40 * 2 ** 20, () => killed.end('SIGKILL'));
    expect(other.lines.at(-1)).toMatchObject({ event: 'completed', kind: 'blake3-root' });
  });

  test('goes on when a worker hangs, whose late results are ignored', async () => {
    open();
    const [hung] = [await start(), await start()];
    await disturbed(40 * 2 ** 20, () => hung.child.kill('SIGSTOP'));
    hung.child.kill('SIGCONT');
    await hung.end('SIGTERM');
    expect(hung.child.exitCode).toBe(0);
    expect((await queue.jobs()).map(({ state }) => state)).toEqual(['completed']);
  });

  test('goes on when redis-server is killed and comes back', async () => {
    open();
    await start();
    await disturbed(40 * 2 ** 20, () => redis.restart({ kill: true, down: 300 }));
  });

  test('loses no time when a worker is told to stop: it finishes what it has', async () => {
    open();
    const stopped = await start();
    await disturbed(40 * 2 ** 20, async () => {
      await stopped.end('SIGTERM');
      await start();
    });
    expect(stopped.child.exitCode).toBe(0);
    expect(stopped.lines.at(-1)).toMatchObject({ event: 'stopped' });
    const started = stopped.lines.filter(({ event }) => event === 'started').length;
    expect(stopped.lines.filter(({ event }) => event === 'completed')).toHaveLength(started);
    // No worker had to wait for its lease.
    expect(workers.flatMap(({ lines }) => lines).filter(({ event }) => event === 'stalled')).toEqual([]);
  });

  test('hands back what it has when it is closed', async () => {
    open();
    const object = fileObject(data, name, 40 * 2 ** 20);
    const first = await createWorker(redis.url, { allow, name, threads: 2 });
    const id = await queue.submit({ kind: 'blake3', source: object.url, options: { leafBytes: 2 ** 20 } });
    while (first.health().active === 0) await sleep(1);
    await first.close();
    expect(first.health()).toMatchObject({ state: 'stopped', active: 0 });
    const worker = await start();
    expect(await queue.wait(id)).toMatchObject({ hash: blake3(object.bytes) });
    expect(worker.lines.filter(({ event }) => event === 'stalled')).toEqual([]);
  });

  test('hands back a job that the queue gave it for one that ended when it was closed', async () => {
    open();
    const store = await startSilentStore(2048);
    await queue.submit({ kind: 'blake3', source: `${store.base}x`, options: { leafBytes: 2048 } });
    const closed = Promise.withResolvers<unknown>();
    const worker = await createWorker(redis.url, {
      allow: [store.base],
      name,
      threads: 1,
      log: ({ event }) => {
        if (event === 'completed') closed.resolve(worker.close());
      },
    });
    await closed.promise;
    expect(await queue.status()).toMatchObject({ active: 0, waiting: 1 });
    store.close();
  });

  test('takes 10,000 leaves, and not one more', async () => {
    open();
    const object = fileObject(data, name, 10_000 * 1024);
    await start({ threads: 2 });
    const { hash } = await queue.blake3(object.url, { leafBytes: 1024 });
    expect(hash).toEqual(blake3(object.bytes));
    const larger = fileObject(data, `${name}-larger`, 10_000 * 1024 + 1);
    await expect(queue.blake3(larger.url, { leafBytes: 1024 })).rejects.toThrow('"leafBytes" expected at least 2048');
  });

  test('refuses jobs that an enemy wrote, and does the others', async () => {
    open();
    const worker = await start({ threads: 2 });
    const enemy = new Queue(name, { connection: { url: redis.url } });
    const object = { url: `${allow[0]}x`, size: 5000, etag: 'e' };
    const leaf = { object, mode: { name: 'hash' }, leafBytes: 1024, offset: 0, length: 1024 };
    const jobs: readonly (readonly [string, unknown, string])[] = [
      ['nobody knows this', leaf, '"name" expected a kind of job'],
      ['__proto__', leaf, '"name" expected a kind of job'],
      ['blake3-leaf', null, '"data" expected'],
      ['blake3-leaf', [], '"data" expected object, got type=Array'],
      ['blake3-leaf', { ...leaf, key: '00'.repeat(32) }, '"data" expected no fields but'],
      ['blake3-leaf', { ...leaf, offset: 1 }, '"offset" expected a multiple of 1024'],
      ['blake3-leaf', { ...leaf, length: 2 ** 50 }, '"length" expected 1024'],
      [
        'blake3-leaf',
        { ...leaf, object: { ...object, url: 'file:///etc/hostname' } },
        '"source" expected an object that',
      ],
      ['blake3-leaf', { ...leaf, object: { ...object, url: `${allow[0]}../x` } }, '"source" expected an object that'],
      ['blake3-leaf', { ...leaf, object: { ...object, url: 's3://bucket/key' } }, '"source" expected an object that'],
      [
        'blake3-leaf',
        { ...leaf, mode: { name: 'keyed', keyId: '__proto__' } },
        '"keyId" expected the id of a key in "keyFiles" of its worker',
      ],
      [
        'blake3-root',
        { object, mode: { name: 'hash' }, leafBytes: 1024, seek: 0, dkLen: 32 },
        'leaves expected 5, got 0',
      ],
      [
        'blake3-root',
        { object, mode: { name: 'hash' }, leafBytes: 2 ** 41, seek: 0, dkLen: 32 },
        '"leafBytes" expected',
      ],
    ];
    for (const [index, [kind, sent, message]] of jobs.entries()) {
      const job = await enemy.add(kind, sent, { attempts: 3, jobId: `enemy-${index}` });
      while (!['failed', 'unknown'].includes(await enemy.getJobState(job.id!))) await sleep(5);
      const { failedReason, attemptsMade } = (await enemy.getJob(job.id!)) as {
        failedReason: string;
        attemptsMade: number;
      };
      expect(failedReason, `${kind} ${index}`).toContain(message);
      expect(attemptsMade, `attempts of ${kind} ${index}`).toBe(1);
    }
    // Text that isn't JSON, where BullMQ itself expects some.
    const raw = new Redis(redis.url);
    await raw.hset(`bull:${name}:broken`, { name: 'blake3-leaf', data: '{"broken', opts: '{', timestamp: '1' });
    await raw.hset(`bull:${name}:null`, { name: 'blake3-leaf', data: '{}', opts: 'null', timestamp: '1' });
    await raw.lpush(`bull:${name}:wait`, 'broken', 'null', 'none-there');
    await raw.zadd(`bull:${name}:marker`, 0, '0');
    const honest = fileObject(data, name, 100_000);
    expect((await queue.blake3(honest.url, { leafBytes: 2048 })).hash).toEqual(blake3(honest.bytes));
    // Nor are they taken for ever.
    const broken = () => raw.exists(`bull:${name}:broken`, `bull:${name}:null`);
    await expect.poll(broken, { timeout: 120_000 }).toBe(0);
    // A job without the form of one is not listed as a task.
    expect((await queue.jobs()).map(({ source }) => source)).toContain(honest.url);
    expect(worker.child.exitCode).toBeNull();
    expect(JSON.stringify(worker.lines)).not.toContain('at perform');
    expect(worker.lines).toContainEqual(
      expect.objectContaining({ job: 'broken', error: 'the job cannot be read, and is removed' }),
    );
    raw.disconnect();
    await enemy.close();
  });

  test('shows no password of a URL that an enemy wrote', async () => {
    open();
    const enemy = new Queue(name, { connection: { url: redis.url } });
    const object = { url: 'https://user:secret@127.0.0.1:1/x', size: 1, etag: '"e"' };
    const sent = { object, mode: { name: 'hash' }, leafBytes: 1024, seek: 0, dkLen: 32 };
    await enemy.add('blake3-root', sent, { jobId: 'enemy' });
    const worker = await start();
    await expect.poll(async () => (await queue.job('enemy'))?.state, { timeout: 60_000 }).toBe('failed');
    expect(await queue.jobs()).toMatchObject([{ source: 'https://***@127.0.0.1:1/x' }]);
    expect(JSON.stringify([await queue.jobs(), worker.lines])).not.toContain('secret');
    await enemy.close();
  });

  test('gives a work up whose workers die again and again, and says so', async () => {
    open();
    const store = await startSilentStore(0);
    const id = await queue.submit({ kind: 'blake3', source: `${store.base}x`, options: { leafBytes: 2048 } });
    // It has lost five workers before.
    const raw = new Redis(redis.url);
    await raw.hset(`bull:${name}:${id}.0`, 'stc', 5);
    const worker = await start({ allow: [store.base] });
    await expect.poll(() => worker.lines.map(({ job }) => job)).toContain(`${id}.0`);
    await worker.end('SIGKILL');
    await start({ allow: [store.base] });
    const reason = 'the workers of one of its jobs died or hung 6 times, and the job may be the cause';
    await expect(queue.wait(id)).rejects.toThrow(reason);
    expect(await queue.job(id)).toMatchObject({ state: 'failed', error: reason });
    raw.disconnect();
    store.close();
  });

  test('says so when there is no queue', async () => {
    open();
    const nobody = cluster('redis://user:secret@127.0.0.1:1');
    const object = fileObject(data, name, 10);
    const failure = await nobody.blake3(object.url).catch((error: unknown) => String(error));
    expect(failure).toBe('Error: cannot reach the queue redis://127.0.0.1:1 in 10 s: ECONNREFUSED');
    await nobody.close();
  });
});
