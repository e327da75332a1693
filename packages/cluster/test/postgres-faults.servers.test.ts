/** A queue in PostgreSQL whose workers die, that restarts, and whose works are cancelled: the result is right, and nothing is left. */
import { Decrypter, generateIdentity, identityToRecipient } from '@lanewise/age';
import { blake3 } from 'lanewise/blake3.js';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cluster, createWorker, type Cluster, type WorkerOptions } from '../src/index.ts';
import { fileObject } from './objects-on-disk.ts';
import { hasServer } from './servers/available.ts';
import { startPostgres, type PostgresServer } from './servers/postgres.ts';
import { temporaryFolder } from './servers/process.ts';
import { startWorker, type WorkerProcess } from './workers/start.ts';

const MiB = 2 ** 20;

describe.skipIf(!hasServer('postgres'))('a queue in postgres', () => {
  const folder = temporaryFolder();
  const data = join(folder.path, 'data');
  const identityFile = join(folder.path, 'identity.txt');
  const allow = [pathToFileURL(`${data}/`).href];
  let identity: string;
  let recipients: string[];
  let workers: string[];
  let server: PostgresServer;
  let count = 0;
  let name: string;
  let queue: Cluster;
  let running: WorkerProcess[] = [];

  beforeAll(async () => {
    mkdirSync(data);
    identity = await generateIdentity();
    const own = await generateIdentity();
    [recipients, workers] = [[await identityToRecipient(identity)], [await identityToRecipient(own)]];
    writeFileSync(identityFile, `${own}\n`);
    server = await startPostgres();
  });
  afterAll(async () => {
    await server.stop();
    folder.remove();
  });
  beforeEach(() => {
    name = `postgres-${count++}`;
    queue = cluster(server.url, { name });
  });
  afterEach(async () => {
    await queue.close();
    await Promise.all(running.map((worker) => worker.end('SIGKILL')));
    running = [];
  });
  const options = (): WorkerOptions => ({ name, allow, allowWrite: allow, identityFile, threads: 1, lease: 3000 });
  const start = async (): Promise<WorkerProcess> => {
    const worker = await startWorker(server.url, options());
    running.push(worker);
    return worker;
  };
  /** Does something once, when a part of the work is done. */
  const when = (disturb: () => Promise<unknown>) => {
    let disturbance: Promise<unknown> | undefined;
    return {
      onProgress: ({ done }: { readonly done: number }): void => {
        if (done > 0) disturbance ??= disturb();
      },
      happened: async (): Promise<void> => {
        expect(disturbance).toBeDefined();
        await disturbance;
      },
    };
  };
  /** Drafts of uploads. */
  const drafts = (): string[] => readdirSync(data).filter((file) => file.startsWith('.'));
  const decrypted = async (path: string): Promise<Uint8Array> => {
    const decrypter = new Decrypter();
    decrypter.addIdentity(identity);
    return await decrypter.decrypt(new Uint8Array(readFileSync(path)));
  };
  /** Jobs that have not ended. */
  const unfinished = async (): Promise<string[]> => {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    const { rows } = await client.query<{ job: string }>(
      `select id || ' ' || state as job from bullmq.job where queue = $1 and state not in ('completed', 'failed')`,
      [name],
    );
    await client.end();
    return rows.map(({ job }) => job);
  };

  test('goes on when a worker is killed', async () => {
    const object = fileObject(data, name, 40 * MiB);
    const killed = await start();
    const other = await start();
    const { onProgress, happened } = when(() => killed.end('SIGKILL'));
    const { hash } = await queue.blake3(object.url, { leafBytes: 2 ** 16, onProgress });
    await happened();
    expect(hash).toEqual(blake3(object.bytes));
    await other.end('SIGTERM');
    expect(other.child.exitCode).toBe(0);
  });

  test.each([
    ['stopped', false],
    ['killed', true],
  ])('goes on when it is %s and comes back', async (_how, kill) => {
    const object = fileObject(data, name, 40 * MiB);
    const target = `${object.url}.age`;
    await start();
    await start();
    const hashing = when(() => server.restart({ kill, down: 300 }));
    const { hash } = await queue.blake3(object.url, { leafBytes: 2 ** 16, onProgress: hashing.onProgress });
    await hashing.happened();
    expect(hash).toEqual(blake3(object.bytes));
    const sealing = when(() => server.restart({ kill, down: 300 }));
    await queue.encrypt(object.url, target, { recipients, workers, partChunks: 4, onProgress: sealing.onProgress });
    await sealing.happened();
    expect(Buffer.compare(await decrypted(`${object.path}.age`), object.bytes)).toBe(0);
    expect(drafts()).toEqual([]);
    expect(await unfinished()).toEqual([]);
    for (const worker of running) expect(worker.child.exitCode).toBeNull();
  });

  test('encrypts and decrypts while workers are killed', async () => {
    const object = fileObject(data, name, 20 * MiB + 77);
    const [target, back] = [`${object.url}.age`, `${object.url}.back`];
    const [first, second] = [await start(), await start()];
    await start();
    const sealing = when(() => first.end('SIGKILL'));
    const sealed = { recipients, workers, partChunks: 4, onProgress: sealing.onProgress };
    const { size } = await queue.encrypt(object.url, target, sealed);
    await sealing.happened();
    expect(readFileSync(`${object.path}.age`)).toHaveLength(size);
    expect(Buffer.compare(await decrypted(`${object.path}.age`), object.bytes)).toBe(0);
    const opening = when(() => second.end('SIGKILL'));
    const opened = { identities: [identity], workers, partChunks: 4, onProgress: opening.onProgress };
    await queue.decrypt(target, back, opened);
    await opening.happened();
    expect(Buffer.compare(readFileSync(`${object.path}.back`), object.bytes)).toBe(0);
    expect(drafts()).toEqual([]);
    expect(await unfinished()).toEqual([]);
  });

  test('a work that is cancelled before it has begun ends when a worker comes', async () => {
    const object = fileObject(data, name, 2 * MiB);
    const options = { recipients, workers, partChunks: 1 };
    const id = await queue.submit({ kind: 'encrypt', source: object.url, target: `${object.url}.age`, options });
    await queue.cancel(id);
    expect(await queue.job(id)).toMatchObject({ state: 'failed', error: 'the work was cancelled' });
    expect(await unfinished()).toEqual([`${id} waiting`]);
    await start();
    await expect.poll(unfinished).toEqual([]);
    expect(await queue.job(id)).toMatchObject({ state: 'failed', error: 'the work was cancelled' });
    expect(drafts()).toEqual([]);
  });

  // Workers take leaves while they are removed, at other moments in each round.
  test('works that are cancelled while leaves are taken end, each with that reason', async () => {
    const object = fileObject(data, name, 20 * MiB);
    await start();
    await start();
    for (let round = 0; round < 12; round++) {
      const target = `${object.url}.${round}.age`;
      const work = { recipients, workers, partChunks: 1 };
      const id = await queue.submit({ kind: 'encrypt', source: object.url, target, options: work });
      await sleep(round * 40);
      await queue.cancel(id);
      await expect(queue.wait(id)).rejects.toThrow('the work was cancelled');
      await expect.poll(unfinished, { timeout: 60_000 }).toEqual([]);
      expect((await queue.job(id))!.error).toBe('the work was cancelled');
    }
    expect(drafts()).toEqual([]);
    expect(readdirSync(data).filter((file) => file.startsWith(`${name}.`))).toEqual([]);
  });

  test('is told in the health of a worker when it is gone', async () => {
    const worker = await createWorker(server.url, options());
    expect(worker.health().state).toBe('ready');
    const restarted = server.restart({ down: 4000 });
    await expect.poll(() => worker.health().state, { timeout: 60_000 }).toBe('disconnected');
    await restarted;
    await expect.poll(() => worker.health().state, { timeout: 60_000 }).toBe('ready');
    await worker.stop();
  });
});
