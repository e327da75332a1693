/** Hashes by workers on a queue in Redis and in PostgreSQL are those of one machine, for all sizes around the edges of leaves. */
import { blake3 } from 'lanewise/blake3.js';
import { bytesToHex } from 'lanewise/utils.js';
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cluster, createWorker, type Cluster, type ClusterWorker, type LogLine, type Progress } from '../src/index.ts';
import { bytesFor, fileObject } from './objects-on-disk.ts';
import { hasServer } from './servers/available.ts';
import { startPostgres } from './servers/postgres.ts';
import { temporaryFolder } from './servers/process.ts';
import { startRedis } from './servers/redis.ts';

const LEAF = 4096;
/** Around the edges of chunks, of leaves, and of the tree where it grows. */
const SIZES = [
  0,
  1,
  1023,
  1024,
  1025,
  ...[1, 2, 3, 4, 5, 8, 9].flatMap((leaves) => [-1, 0, 1].map((more) => leaves * LEAF + more)),
  100_001,
];

const queues = [
  ['redis-server', startRedis],
  ['postgres', startPostgres],
] as const;

const hasB3sum = spawnSync('b3sum', ['--version']).status === 0;
if (!hasB3sum) console.log('SKIPPED: hashes by b3sum, which is missing here: apt-get install b3sum');

const folder = temporaryFolder();
const data = join(folder.path, 'data');
mkdirSync(data);
const key = bytesFor('key', 32);
writeFileSync(join(folder.path, 'key'), key);
writeFileSync(join(folder.path, 'other-key'), bytesFor('other key', 32));
const allow = [pathToFileURL(`${data}/`).href];
const keyFiles = { backup: join(folder.path, 'key') };

afterAll(() => folder.remove());

describe.each(queues)('a queue in %s', (name, start) => {
  describe.skipIf(!hasServer(name))('with a worker', () => {
    let url: string;
    let stop: (this: void) => Promise<void>;
    let worker: ClusterWorker;
    let queue: Cluster;
    const lines: LogLine[] = [];

    beforeAll(async () => {
      const server = await start();
      url = server.url;
      stop = () => server.stop();
      worker = await createWorker(url, { allow, keyFiles, threads: 2, log: (line) => lines.push(line) });
      queue = cluster(url);
    });
    afterAll(async () => {
      await queue.close();
      await worker.stop();
      expect(worker.health()).toMatchObject({ state: 'stopped', active: 0 });
      await stop();
    });

    test('gives the hash of every size', async () => {
      for (const size of SIZES) {
        const object = fileObject(data, `${name}-${size}`, size);
        const { hash, size: itsSize } = await queue.blake3(object.url, { leafBytes: LEAF });
        expect(bytesToHex(hash), `${size} bytes`).toBe(bytesToHex(blake3(object.bytes)));
        expect(itsSize).toBe(size);
      }
    });

    test.skipIf(!hasB3sum)('gives what b3sum gives, with leaves of all lengths', async () => {
      const object = fileObject(data, `${name}-b3sum`, 3_000_001);
      const [judged] = execFileSync('b3sum', [object.path]).toString().split(' ');
      for (const leafBytes of [8192, 2 ** 16, 2 ** 20, 2 ** 21, undefined]) {
        const { hash } = await queue.blake3(object.url, leafBytes === undefined ? {} : { leafBytes });
        expect(bytesToHex(hash), `leaves of ${leafBytes}`).toBe(judged);
      }
    });

    test('gives keyed hashes and derived keys, and any part of the output', async () => {
      const object = fileObject(data, `${name}-modes`, 5 * LEAF + 1);
      const small = fileObject(data, `${name}-modes-small`, 100);
      for (const { url: source, bytes } of [object, small]) {
        const keyed = await queue.blake3(source, { keyId: 'backup', leafBytes: LEAF });
        expect(keyed.hash).toEqual(blake3(bytes, { key }));
        const context = 'example.org 2026-11-23 tests';
        const derived = await queue.blake3(source, { context, leafBytes: LEAF, dkLen: 100, seek: 1000 });
        expect(derived.hash).toEqual(blake3(bytes, { context, dkLen: 1100 }).subarray(1000));
      }
    });

    test('is told how far it is, in bytes that only grow', async () => {
      const object = fileObject(data, `${name}-progress`, 200 * 1024);
      const seen: Progress[] = [];
      await queue.blake3(object.url, { leafBytes: 1024, onProgress: (progress) => seen.push(progress) });
      expect(seen.at(-1)).toEqual({ done: object.bytes.length, total: object.bytes.length });
      expect(seen.length).toBeGreaterThan(1);
      expect(seen.every(({ done }, index) => index === 0 || done > seen[index - 1].done)).toBe(true);
    });

    test('answers at once when it is asked for the same version again', async () => {
      const object = fileObject(data, `${name}-again`, 3 * LEAF);
      const first = await queue.blake3(object.url, { leafBytes: LEAF });
      const count = lines.filter(({ event }) => event === 'started').length;
      expect(await queue.blake3(object.url, { leafBytes: LEAF })).toEqual(first);
      expect(lines.filter(({ event }) => event === 'started')).toHaveLength(count);
      appendFileSync(object.path, 'more');
      expect(await queue.blake3(object.url, { leafBytes: LEAF })).not.toEqual(first);
    });

    test('keeps works that are submitted, and lists them', async () => {
      const object = fileObject(data, `${name}-submitted`, 3 * LEAF);
      const id = await queue.submit({ kind: 'blake3', source: object.url, options: { leafBytes: LEAF } });
      const result = await queue.wait(id);
      expect(result).toMatchObject({ kind: 'blake3', hash: blake3(object.bytes) });
      const state = { id, kind: 'blake3', source: object.url, state: 'completed', result };
      expect(await queue.job(id)).toMatchObject(state);
      expect((await queue.jobs())[0]).toMatchObject(state);
      expect(await queue.job('blake3-none')).toBeUndefined();
      await expect(queue.wait('blake3-none')).rejects.toThrow('"id" expected a job of the queue, got another');
    });

    test('fails with one clear error when an object has changed', async () => {
      const object = fileObject(data, `${name}-changed`, 50 * LEAF);
      const slow = cluster(url, { name: 'nobody-works-here' });
      // The work waits in a queue without workers while the object changes; then there is a worker.
      const id = await slow.submit({ kind: 'blake3', source: object.url, options: { leafBytes: LEAF } });
      appendFileSync(object.path, 'more');
      const late = await createWorker(url, { allow, threads: 2, name: 'nobody-works-here' });
      await expect(slow.wait(id)).rejects.toThrow(`${object.url}: the object has changed since it was looked up`);
      expect(await slow.job(id)).toMatchObject({ state: 'failed' });
      // Leaves that had not begun are gone.
      expect(await slow.jobs()).toHaveLength(1);
      await late.stop();
      await slow.close();
    });

    test('reads nothing but what the worker is started for', async () => {
      writeFileSync(join(folder.path, 'secret'), 'secret');
      symlinkSync(join(folder.path, 'secret'), join(data, `${name}-link`));
      for (const path of [join(folder.path, 'secret'), join(data, `${name}-link`)])
        await expect(queue.blake3(pathToFileURL(path).href), path).rejects.toThrow('"source" expected an object that');
      await expect(queue.blake3(pathToFileURL(data).href + '/../secret')).rejects.toThrow();
      await expect(queue.blake3(fileObject(data, 'k', 10).url, { keyId: 'none' })).rejects.toThrow('"keyId" expected');
    });

    test('notices that workers have different keys under one id', async () => {
      const object = fileObject(data, `${name}-keys`, 40 * LEAF);
      const options = { allow, threads: 1, name: 'two-keys' };
      const other = cluster(url, { name: 'two-keys' });
      const id = await other.submit({
        kind: 'blake3',
        source: object.url,
        options: { keyId: 'backup', leafBytes: LEAF },
      });
      const workers = await Promise.all(
        ['key', 'other-key'].map((file) =>
          createWorker(url, { ...options, keyFiles: { backup: join(folder.path, file) } }),
        ),
      );
      await expect(other.wait(id)).rejects.toThrow('"keyId" expected the same key on all workers');
      for (const each of workers) await each.stop();
      await other.close();
    });

    test('is cancelled by a signal or by its id, and can be asked for again', async () => {
      const object = fileObject(data, `${name}-cancelled`, 1000 * 1024);
      const aborter = new AbortController();
      const work = queue.blake3(object.url, {
        leafBytes: 1024,
        signal: aborter.signal,
        onProgress: ({ done }) => done > 0 && aborter.abort(),
      });
      await expect(work).rejects.toThrow('aborted');
      const [{ id, state, error }] = await queue.jobs();
      expect([state, error]).toEqual(['failed', 'the work was cancelled']);
      await queue.cancel(id); // again: nothing happens
      await expect(queue.wait(id)).rejects.toThrow('the work was cancelled');
      await expect(queue.cancel('blake3-none')).rejects.toThrow('"id" expected a job of the queue');
      while (worker.health().active > 0) await sleep(10);
      const { hash } = await queue.blake3(object.url, { leafBytes: 1024 });
      expect(hash).toEqual(blake3(object.bytes));
    });

    test('says so when what it is asked for is not there', async () => {
      await expect(queue.blake3(`${allow[0]}none`)).rejects.toThrow('none');
    });

    test('logs one line when a job starts and one when it ends, and no key', async () => {
      // Ends its jobs: a job is done in the queue a moment before it is logged.
      await worker.stop();
      const started = lines.filter(({ event }) => event === 'started');
      const ended = lines.filter(({ event }) => /completed|failed|waiting|dropped/.test(event));
      expect(started.length).toBeGreaterThan(100);
      // Over PostgreSQL, a leaf that is taken at the moment in which its work is cancelled may be removed nevertheless.
      const errors = lines.flatMap(({ event, error }) => (event === 'error' ? [error!] : []));
      const gone = /^-1: Missing key for job (blake3-\w+\.\d+)/;
      expect(errors.filter((error) => !gone.test(error))).toEqual([]);
      const removed = new Set(errors.map((error) => gone.exec(error)?.[1]));
      expect(ended).toHaveLength(started.length - removed.size);
      expect(JSON.stringify(lines)).not.toContain(bytesToHex(key).slice(0, 16));
      expect(ended).toContainEqual(expect.objectContaining({ kind: 'blake3-root', offset: 0, length: 0, attempt: 1 }));
    });
  });
});
