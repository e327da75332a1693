/** Connections to a queue that are dead or refused, and a queue that comes back without its data. */
import { generateIdentity, identityToRecipient } from '@lanewise/age';
import { Redis } from 'ioredis';
import { blake3 } from 'lanewise/blake3.js';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cluster, createWorker, type Cluster, type ClusterWorker } from '../src/index.ts';
import { thrown } from './bytes.ts';
import { fileObject } from './objects-on-disk.ts';
import { hasServer } from './servers/available.ts';
import { temporaryFolder } from './servers/process.ts';
import { startRedisProxy, type RedisProxy } from './servers/redis-proxy.ts';
import { startRedis, type RedisServer } from './servers/redis.ts';

const LEASE_MS = 3000;
const MiB = 2 ** 20;

describe.skipIf(!hasServer('redis-server'))('a queue that does not answer', () => {
  const folder = temporaryFolder();
  const data = join(folder.path, 'data');
  const identityFile = join(folder.path, 'identity.txt');
  const allow = [pathToFileURL(`${data}/`).href];
  let redis: RedisServer;
  let proxy: RedisProxy;
  let count = 0;
  let name: string;
  let worker: ClusterWorker;
  let recipients: string[];
  let queue: Cluster;

  beforeAll(async () => {
    mkdirSync(data);
    const identity = await generateIdentity();
    writeFileSync(identityFile, `${identity}\n`);
    recipients = [await identityToRecipient(identity)];
    redis = await startRedis({ durable: false });
    proxy = await startRedisProxy(redis.port);
  });
  afterAll(async () => {
    await proxy.stop();
    await redis.stop();
    folder.remove();
  });
  beforeEach(async () => {
    name = `connections-${count++}`;
    queue = cluster(proxy.url, { name });
    worker = await createWorker(proxy.url, {
      name,
      allow,
      allowWrite: allow,
      identityFile,
      threads: 1,
      lease: LEASE_MS,
    });
  });
  afterEach(async () => {
    proxy.refuse();
    await queue.close();
    await worker.close();
  });
  const state = () => worker.health().state;

  test('connections whose packets go nowhere are noticed, and others made', async () => {
    const object = fileObject(data, name, 300_000);
    await queue.blake3(object.url);
    expect(worker.health()).toMatchObject({ state: 'ready' });
    proxy.swallow();
    await expect.poll(state, { timeout: LEASE_MS, interval: 10 }).toBe('disconnected');
    await expect.poll(state, { timeout: 20_000 }).toBe('ready');
    expect((await queue.blake3(object.url, { leafBytes: 65_536 })).hash).toEqual(blake3(object.bytes));
  });

  test('a server that stands still is told in the health of a worker', async () => {
    const object = fileObject(data, name, 2 * MiB);
    const id = await queue.submit({ kind: 'blake3', source: object.url, options: { leafBytes: 1024 } });
    process.kill(redis.pid, 'SIGSTOP');
    try {
      await expect.poll(state, { timeout: LEASE_MS, interval: 10 }).toBe('disconnected');
      await expect.poll(() => worker.health().silence, { timeout: 10_000 }).toBeGreaterThan(2);
    } finally {
      process.kill(redis.pid, 'SIGCONT');
    }
    await expect.poll(state, { timeout: 20_000 }).toBe('ready');
    await expect(queue.wait(id)).resolves.toMatchObject({ hash: blake3(object.bytes) });
    expect(worker.health().silence).toBeLessThan(LEASE_MS / 1000);
  });

  test.each([
    'BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.',
    'TRYAGAIN Multiple keys request during rehashing of slot',
    'CLUSTERDOWN The cluster is down',
    'NOREPLICAS Not enough good replicas to write.',
    'LOADING Redis is loading the dataset in memory',
  ])('%s is waited out', async (message) => {
    const object = fileObject(data, name, 4 * MiB);
    proxy.refuse(message);
    const work = queue.blake3(object.url, { leafBytes: 1024 });
    await sleep(700);
    proxy.refuse();
    await sleep(400);
    proxy.refuse(message);
    await sleep(700);
    proxy.refuse();
    expect((await work).hash).toEqual(blake3(object.bytes));
  });

  test('a queue that comes back without its data is an error that says so, and no draft is left', async () => {
    const object = fileObject(data, name, 40 * MiB);
    let lost: Promise<void> | undefined;
    const work = queue.encrypt(object.url, `${object.url}.age`, {
      recipients,
      workers: recipients,
      partChunks: 1,
      onProgress({ done }) {
        if (done > 0) lost ??= redis.restart({ kill: true, down: 300 });
      },
    });
    expect(String(await thrown(work))).toMatch(/^Error: the queue redis:\S+ has lost the work, /);
    await lost;
    await expect.poll(() => readdirSync(data).filter((each) => each.includes('.age'))).toEqual([]);
  });

  test('an encrypted sheet is not kept when its work has ended, and works are not when they are old', async () => {
    const object = fileObject(data, name, MiB);
    const options = { recipients, workers: recipients, partChunks: 1 };
    const submit = async (target: string) =>
      await queue.submit({ kind: 'encrypt', source: object.url, target: `${object.url}.${target}`, options });
    const [done, young] = [await submit('age'), await submit('age2')];
    await queue.wait(done);
    await queue.wait(young);
    const client = new Redis(redis.url);
    const sheetOf = async (id: string) => (await client.hget(`bull:${name}:${id}`, 'data'))?.includes('"sheet"');
    await expect.poll(() => sheetOf(done)).toBe(false);
    await expect(queue.job(done)).resolves.toMatchObject({ state: 'completed', result: { kind: 'encrypt' } });
    const cancelled = await submit('age3');
    await queue.cancel(cancelled);
    await expect.poll(() => sheetOf(cancelled)).toBe(false);
    // A worker that starts, and every hour, removes jobs that ended three days ago.
    const old = Date.now() - 3 * 24 * 3_600_000;
    await client.zadd(`bull:${name}:completed`, old, done);
    await client.hset(`bull:${name}:${done}`, 'finishedOn', old);
    const another = await createWorker(redis.url, { name, allow, threads: 1 });
    await expect.poll(() => client.exists(`bull:${name}:${done}`)).toBe(0);
    expect(await client.exists(`bull:${name}:${young}`)).toBe(1);
    await another.close();
    client.disconnect();
  });
});
