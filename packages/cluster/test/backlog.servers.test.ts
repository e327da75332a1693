/** A hundred thousand leaves wait: cancelling a task, or one that fails, holds up neither Redis nor another queue in it. */
import { FlowProducer } from 'bullmq';
import { Redis } from 'ioredis';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cluster, createWorker, type Cluster, type ClusterWorker } from '../src/index.ts';
import { thrown } from './bytes.ts';
import { fileObject } from './objects-on-disk.ts';
import { hasServer } from './servers/available.ts';
import { temporaryFolder } from './servers/process.ts';
import { startRedis, type RedisServer } from './servers/redis.ts';

const WAITING = 100_000;
/** The longest that one command may keep Redis from others. */
const LONGEST_MS = 50;
const LEAF = 1024;

describe.skipIf(!hasServer('redis-server'))('with 100,000 leaves that wait', () => {
  const folder = temporaryFolder();
  const data = join(folder.path, 'data');
  const other = join(folder.path, 'other');
  let server: RedisServer;
  let redis: Redis;
  let neighbour: { queue: Cluster; worker: ClusterWorker };

  beforeAll(async () => {
    mkdirSync(data);
    mkdirSync(other);
    server = await startRedis({ durable: false });
    redis = new Redis(server.url);
    neighbour = {
      queue: cluster(server.url, { name: 'neighbour' }),
      worker: await createWorker(server.url, {
        name: 'neighbour',
        threads: 1,
        allow: [pathToFileURL(`${other}/`).href],
      }),
    };
  });
  afterAll(async () => {
    await neighbour.queue.close();
    await neighbour.worker.close();
    redis.disconnect();
    await server.stop();
    folder.remove();
  });

  const waiting = async (name: string): Promise<number> =>
    (await redis.llen(`bull:${name}:wait`)) + (await redis.zcard(`bull:${name}:prioritized`));
  const source = (name: string, leaves: number) => fileObject(data, name, leaves * LEAF);

  /** Works as this version's callers make them. */
  async function ofNow(name: string, queue: Cluster): Promise<readonly string[]> {
    const { url } = source(name, 64);
    const ids: string[] = [];
    let seek = 0;
    const submit = async (): Promise<void> => {
      while ((await waiting(name)) < WAITING)
        ids.push(await queue.submit({ kind: 'blake3', source: url, options: { leafBytes: LEAF, seek: seek++ } }));
    };
    await Promise.all(Array.from({ length: 40 }, submit));
    return ids;
  }

  /** Works with all of their leaves in one list, as a caller of an older version leaves them. */
  async function ofOlder(name: string): Promise<readonly string[]> {
    const leaves = 10_000;
    const { url, path } = source(name, leaves);
    const { size } = statSync(path);
    const object = { url, size, etag: '"another"' };
    const mode = { name: 'hash' };
    const flows = new FlowProducer({ connection: { url: server.url } });
    const ids = Array.from({ length: WAITING / leaves }, (_, work) => `blake3-${'0'.repeat(31)}${work}`);
    for (const [seek, id] of ids.entries())
      await flows.add({
        name: 'blake3-root',
        queueName: name,
        data: { object, mode, leafBytes: LEAF, seek, dkLen: 32 },
        opts: { jobId: id, attempts: 5 },
        children: Array.from({ length: leaves }, (_, index) => ({
          name: 'blake3-leaf',
          queueName: name,
          data: { object, mode, leafBytes: LEAF, offset: index * LEAF, length: LEAF },
          opts: {
            jobId: `${id}.${index}`,
            attempts: 5,
            removeOnComplete: true,
            removeOnFail: true,
            continueParentOnFailure: true,
          },
        })),
      });
    await flows.close();
    return ids;
  }

  /**
   * The longest command of Redis while something is done, in milliseconds; hashes of another queue are made meanwhile. Of a script that ran
   * three times or more it's the third-longest: a busy machine may stop Redis once, and a script whose time grows with the leaves is long each time.
   */
  async function longest(act: () => Promise<void>): Promise<{ milliseconds: number; command: string }> {
    await redis.config('SET', 'slowlog-log-slower-than', '200');
    await redis.config('SET', 'slowlog-max-len', '10000');
    await redis.slowlog('RESET');
    let over = false;
    let hashes = 0;
    const hashing = (async () => {
      const { url } = fileObject(other, `object-${Math.random()}`, 5000);
      do await neighbour.queue.blake3(url, { seek: hashes++ });
      while (!over);
    })();
    await act().finally(() => (over = true));
    await hashing;
    const entries = (await redis.slowlog('GET', '10000')) as [number, number, number, string[]][];
    const scripts = Map.groupBy(
      entries.filter(([, , , words]) => words.join().includes('backlog')).sort((a, b) => b[2] - a[2]),
      ([, , , words]) => words.slice(0, 2).join(' '),
    );
    const [first] = [...scripts.values()].map((times) => times[2] ?? times[0]).sort((a, b) => b[2] - a[2]);
    return { milliseconds: (first?.[2] ?? 0) / 1000, command: first?.[3].join(' ').slice(0, 100) ?? '' };
  }

  test.each([
    ['now', ofNow],
    ['older', ofOlder],
  ] as const)(
    'of callers of %s',
    async (kind, fill) => {
      const name = `backlog-${kind}`;
      const queue = cluster(server.url, { name });
      const ids = await fill(name, queue);
      expect(await waiting(name)).toBeGreaterThanOrEqual(WAITING);

      const middle = ids[Math.floor(ids.length / 2)];
      const cancelled = await longest(async () => {
        await queue.cancel(middle);
        await expect(queue.job(middle)).resolves.toMatchObject({ state: 'failed', error: 'the work was cancelled' });
      });
      const listed = await longest(async () => {
        expect((await queue.jobs()).length).toBe(ids.length);
      });
      // The worker that takes the first leaf may not read it: the task fails, and so does each of those that follow.
      let worker: ClusterWorker | undefined;
      const failed = await longest(async () => {
        worker = await createWorker(server.url, { name, threads: 1, allow: [pathToFileURL(`${other}/`).href] });
        expect(String(await thrown(queue.wait(ids[0])))).toContain('"allow" of its worker');
      });
      console.log(`longest commands with ${WAITING} leaves of ${kind}`, { cancelled, listed, failed });
      for (const { milliseconds, command } of [cancelled, listed, failed])
        expect(milliseconds, command).toBeLessThan(LONGEST_MS);
      await worker?.close();
      await queue.close();
      await redis.flushall();
    },
    900_000,
  );
});
