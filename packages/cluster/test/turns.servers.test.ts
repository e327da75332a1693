/** A few leaves of a task wait at a time: tasks take turns, each leaf is done once, and the queue can say how much waits. */
import type { FlowJob } from 'bullmq';
import { blake3 } from 'lanewise/blake3.js';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { enqueue } from '../src/client/enqueue.ts';
import { hashPlan } from '../src/client/plan-hash.ts';
import { cluster, type Cluster, type Work } from '../src/index.ts';
import { hashLeaf } from '../src/jobs/hash-leaf.ts';
import { WINDOW } from '../src/jobs/window.ts';
import { addressOf } from '../src/queue/address.ts';
import { Connection } from '../src/queue/connection.ts';
import { fileObject } from './objects-on-disk.ts';
import { hasServer, type ServerName } from './servers/available.ts';
import { startPostgres } from './servers/postgres.ts';
import { temporaryFolder } from './servers/process.ts';
import { startRedis } from './servers/redis.ts';
import { startWorker, type WorkerProcess } from './workers/start.ts';

interface Server {
  readonly url: string;
  stop(): Promise<void>;
}

const servers = [
  ['redis-server', startRedis],
  ['postgres', startPostgres],
] as const satisfies readonly (readonly [ServerName, () => Promise<Server>])[];

describe.each(servers.filter(([name]) => hasServer(name)))('a queue in %s', (_name, startServer) => {
  const folder = temporaryFolder();
  const data = join(folder.path, 'data');
  const allow = [pathToFileURL(`${data}/`).href];
  const LEAF = 1024;
  let server: Server;
  let count = 0;
  let workers: WorkerProcess[] = [];
  const queues: Cluster[] = [];

  beforeAll(async () => {
    mkdirSync(data);
    server = await startServer();
  });
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.end('SIGKILL')));
    workers = [];
  });
  afterAll(async () => {
    await Promise.all(queues.map((queue) => queue.close()));
    await server.stop();
    folder.remove();
  });
  const open = (): { name: string; queue: Cluster } => {
    const name = `turns-${count++}`;
    const queue = cluster(server.url, { name });
    queues.push(queue);
    return { name, queue };
  };
  const start = async (name: string): Promise<WorkerProcess> => {
    const worker = await startWorker(server.url, { name, allow, threads: 1, lease: 3000 });
    workers.push(worker);
    return worker;
  };

  test('has a few leaves of each work, whose turn comes while larger works wait', async () => {
    const { name, queue } = open();
    const large = fileObject(data, 'large', 2000 * LEAF);
    const small = fileObject(data, 'small', 1);
    const submit = async (seek: number) =>
      await queue.submit({ kind: 'blake3', source: large.url, options: { leafBytes: LEAF, seek } });
    const ids = [await submit(0), await submit(1), await submit(2)];
    await expect(queue.status()).resolves.toEqual({ workers: 0, waiting: 3 * WINDOW, active: 0 });
    const worker = await start(name);
    let most = 0;
    let over = false;
    const watched = (async () => {
      while (!over) most = Math.max(most, (await queue.status()).waiting);
    })();
    expect((await queue.blake3(small.url)).hash).toEqual(blake3(small.bytes));
    // When its hash was there, each of the others had had a turn, and no more.
    const its = () => worker.lines.findIndex(({ event, source }) => event === 'completed' && source === small.url);
    // The worker's line may come after the hash, on another way.
    await expect.poll(its, { timeout: 30_000 }).toBeGreaterThan(0);
    const leaves = worker.lines.slice(0, its()).filter(({ event }) => event === 'completed');
    expect(leaves.length).toBeLessThan(600);
    const hashes = await Promise.all(ids.map((id) => queue.wait(id)));
    over = true;
    await watched;
    const whole = blake3(large.bytes, { dkLen: 34 });
    expect(hashes.map((result) => (result as { hash: Uint8Array }).hash)).toEqual(
      [0, 1, 2].map((seek) => whole.subarray(seek, seek + 32)),
    );
    // A job more that is taken before the next is there, and the small one.
    expect(most).toBeLessThanOrEqual(3 * WINDOW + 1);
    await expect(queue.status()).resolves.toEqual({ workers: 1, waiting: 0, active: 0 });
  });

  test('does no leaf again because one that was before it had lost its worker', async () => {
    const { name, queue } = open();
    const leaves = 1000;
    const object = fileObject(data, 'killed', leaves * LEAF);
    const first = await start(name);
    await start(name);
    let killed: Promise<void> | undefined;
    const { hash } = await queue.blake3(object.url, {
      leafBytes: LEAF,
      onProgress({ done, total }) {
        if (done > total / 10) killed ??= first.end('SIGKILL');
      },
    });
    await killed;
    expect(hash).toEqual(blake3(object.bytes));
    const completed = workers.flatMap(({ lines }) => lines).filter(({ event }) => event === 'completed');
    expect(new Set(completed.map(({ job }) => job)).size).toBeGreaterThanOrEqual(leaves - 1);
    // The killed worker may have ended one without a report.
    expect(completed.length).toBeLessThanOrEqual(leaves + 2);
  });

  /** A caller who has looked for a task, found none, and is slow to put it there. */
  async function slowCaller(name: string, work: Extract<Work, { kind: 'blake3' }>) {
    const connection = await Connection.open(addressOf(server.url), name, { onError: () => undefined });
    let flow: FlowJob | undefined;
    const held = vi.spyOn(connection, 'add').mockImplementation((given) => Promise.resolve(void (flow = given)));
    const { id } = await enqueue(connection, await hashPlan.plan(work, {}), new Set());
    held.mockRestore();
    return { id, connection, add: () => connection.add(flow!) };
  }

  test('does no leaf again because a second caller puts the work there while it is done', async () => {
    const { name, queue } = open();
    const leaves = 200;
    const object = fileObject(data, 'twice', leaves * LEAF);
    const work = { kind: 'blake3', source: object.url, options: { leafBytes: LEAF } } as const;
    const slow = await slowCaller(name, work);
    const worker = await start(name);
    let added: Promise<void> | undefined;
    const { hash } = await queue.blake3(object.url, {
      ...work.options,
      onProgress({ done, total }) {
        if (done > total / 10) added ??= slow.add();
      },
    });
    await added;
    await slow.connection.close();
    expect(added).toBeDefined();
    expect(hash).toEqual(blake3(object.bytes));
    const completed = worker.lines.filter(({ event, kind }) => event === 'completed' && kind === 'blake3-leaf');
    // The first ones are taken again, and give the results that are there.
    expect(completed.length).toBeLessThanOrEqual(leaves + WINDOW);
  });

  test('ends no work before leaves that a second caller has put there again', async () => {
    const { name, queue } = open();
    const object = fileObject(data, 'late', 2 * LEAF);
    const work = { kind: 'blake3', source: object.url, options: { leafBytes: LEAF } } as const;
    const { id, connection, add } = await slowCaller(name, work);
    await queue.submit(work);
    // A worker that ends both leaves, and stops.
    const taker = connection.worker(() => Promise.reject(new Error('not run')), {});
    await connection.connect(taker);
    const settings = { objects: {}, allow, allowWrite: [], keyFiles: {}, identityFile: undefined, native: false };
    for (const token of ['first', 'second']) {
      const leaf = await taker.getNextJob(token);
      const context = { settings, children: [], signal: AbortSignal.timeout(60_000) };
      await leaf.moveToCompleted(await hashLeaf.run(hashLeaf.check(leaf.data), context), token, false);
    }
    await taker.close();
    await add();
    await connection.close();
    const worker = await start(name);
    expect(await queue.wait(id)).toMatchObject({ hash: blake3(object.bytes) });
    expect(worker.lines.filter(({ event }) => event === 'failed' || event === 'error')).toEqual([]);
  });
});
