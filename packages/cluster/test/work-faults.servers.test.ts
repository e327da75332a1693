/**
 * Whole works on a queue while the store, the network and the queue fail: the result is right, or there is one clear error, and
 * then nothing under the object's name and no parts of uploads.
 */
import { Decrypter, generateIdentity, identityToRecipient } from '@lanewise/age';
import { blake3 } from 'lanewise/blake3.js';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cluster, createWorker, type Cluster, type ClusterWorker, type LogLine } from '../src/index.ts';
import { thrown } from './bytes.ts';
import { bytesFor } from './objects-on-disk.ts';
import { hasServer } from './servers/available.ts';
import { s3Error, startFaultProxy, type Fault, type FaultProxy, type ProxiedRequest } from './servers/fault-proxy.ts';
import { temporaryFolder } from './servers/process.ts';
import { startRedis, type RedisServer } from './servers/redis.ts';
import { startS3, type S3Server } from './servers/s3.ts';
import { stormOf } from './storm.ts';

const MiB = 2 ** 20;
const LEAF = 64 * 1024;

describe.skipIf(!hasServer('redis-server') || !hasServer('versitygw'))('works with faults', () => {
  const folder = temporaryFolder();
  const lines: LogLine[] = [];
  const workers: ClusterWorker[] = [];
  const content = bytesFor('works with faults', 2 * MiB + 12_345);
  const large = bytesFor('large', 17 * MiB);
  let redis: RedisServer;
  let s3: S3Server;
  let proxy: FaultProxy;
  let queue: Cluster;
  let identity: string;
  let recipient: string;
  let workerRecipient: string;

  const url = (key: string): string => `s3://${s3.bucket}/${key}`;
  const objects = () => ({ ...s3.options, endpoint: proxy.url, timeout: 2000, attempts: 4 });

  beforeAll(async () => {
    const workerIdentity = await generateIdentity();
    identity = await generateIdentity();
    [recipient, workerRecipient] = [await identityToRecipient(identity), await identityToRecipient(workerIdentity)];
    const identityFile = join(folder.path, 'identity.txt');
    writeFileSync(identityFile, `${workerIdentity}\n`);
    [redis, s3] = await Promise.all([startRedis(), startS3()]);
    proxy = await startFaultProxy(s3.endpoint);
    const prefixes = [`s3://${s3.bucket}/`];
    for (let i = 0; i < 2; i++)
      workers.push(
        await createWorker(redis.url, {
          threads: 1,
          allow: prefixes,
          allowWrite: prefixes,
          identityFile,
          objects: objects(),
          log: (line) => lines.push(line),
        }),
      );
    queue = cluster(redis.url, { objects: { ...objects(), attempts: 12 } });
    await s3.put('large', large);
  });
  beforeEach(() => s3.put('object', content));
  afterEach(async () => {
    proxy.inject();
    // In every case: no worker is busy any more, and no upload is left.
    await expect.poll(() => workers.map((worker) => worker.health().active), { timeout: 120_000 }).toEqual([0, 0]);
    await expect.poll(() => s3.uploads(), { timeout: 120_000 }).toEqual([]);
  }, 300_000);
  afterAll(async () => {
    await queue.close();
    await Promise.all(workers.map((worker) => worker.close()));
    await proxy.stop();
    await Promise.all([redis.stop(), s3.stop()]);
    folder.remove();
    expect(JSON.stringify(lines)).not.toContain(s3.options.secretAccessKey);
  });

  const storm = (seed: number): void => proxy.inject(stormOf(seed));
  /** Requests of a kind fail for good. */
  const always = (fault: Fault, isMeant: (request: ProxiedRequest) => boolean): void =>
    proxy.inject((request) => (isMeant(request) ? fault : undefined));
  const hash = (leafBytes = LEAF) => queue.blake3(url('object'), { leafBytes });
  const failures = async () => (await queue.jobs()).filter(({ state }) => state === 'failed');

  test.each([1, 2, 3])('a hash in storm %i is right', async (seed) => {
    // The object of each storm is a version of its own: answers of before do not count.
    const own = bytesFor(`storm ${seed}`, 2 * MiB + seed);
    await s3.put('object', own);
    storm(seed);
    expect((await hash()).hash).toEqual(blake3(own));
  });

  test.each([
    ['another ETag in one range', { kind: 'headers', headers: { etag: '"other"' } }],
    ['412 in one range', s3Error(412, 'PreconditionFailed')],
  ] as const)('%s: one error at once', async (name, fault) => {
    await s3.put('object', bytesFor(name, 2 * MiB));
    always(fault, ({ range }) => range?.startsWith(`bytes=${7 * LEAF}-`) === true);
    const error = await thrown(hash());
    expect((error as Error).message).toBe(`${url('object')}: the object has changed since it was looked up`);
    expect((await failures()).filter((job) => job.error === (error as Error).message).length).toBeGreaterThan(0);
  });

  test('a network that is lost in the middle of a work, and comes back', async () => {
    const own = bytesFor('lost network', 4 * MiB);
    await s3.put('object', own);
    let answered = 0;
    let lost: Promise<void> | undefined;
    proxy.inject(() => {
      if (++answered === 20)
        lost = proxy
          .down()
          .then(() => sleep(1500))
          .then(() => proxy.up());
      return undefined;
    });
    expect((await hash()).hash).toEqual(blake3(own));
    expect(lost).toBeDefined();
    await lost;
  });

  test('redis-server is killed and started again in the middle of a work in a storm', async () => {
    const own = bytesFor('restarted queue', 4 * MiB);
    await s3.put('object', own);
    storm(4);
    const work = hash();
    await sleep(300);
    await redis.restart({ kill: true, down: 200 });
    expect((await work).hash).toEqual(blake3(own));
  });

  const decrypted = async (file: Uint8Array | undefined): Promise<Uint8Array> => {
    const decrypter = new Decrypter();
    decrypter.addIdentity(identity);
    return await decrypter.decrypt(new Uint8Array(file!));
  };
  const encrypt = (by = queue, signal?: AbortSignal) =>
    by.encrypt(url('large'), url('large.age'), {
      recipients: [recipient],
      workers: [workerRecipient],
      partChunks: 80,
      ...(signal === undefined ? {} : { signal }),
    });
  const decrypt = () =>
    queue.decrypt(url('large.age'), url('large.plain'), {
      identities: [identity],
      workers: [workerRecipient],
      partChunks: 80,
    });

  test('encryption and decryption in a storm are right', async () => {
    storm(5);
    await encrypt();
    expect(Buffer.compare(await decrypted(await s3.get('large.age')), large)).toBe(0);
    storm(6);
    await decrypt();
    expect(Buffer.compare((await s3.get('large.plain'))!, large)).toBe(0);
    await s3.remove('large.plain');
  });

  const isPart = ({ method, query }: ProxiedRequest): boolean => method === 'PUT' && query.get('partNumber') === '2';
  const isCompletion = ({ method, query }: ProxiedRequest): boolean => method === 'POST' && query.has('uploadId');
  test.each([
    ['a part is refused', s3Error(403, 'AccessDenied'), isPart, 'the store denies access (403 AccessDenied)'],
    [
      'the completion answers 200 with an error',
      { ...(s3Error(200, 'InvalidPart') as Fault & { kind: 'answer' }) },
      isCompletion,
      'the store refuses (200 InvalidPart)',
    ],
  ] as const)('%s: one error, no object, no parts', async (_name, fault, isMeant, message) => {
    await s3.remove('large.age');
    always(fault, isMeant);
    const error = await thrown(encrypt());
    expect((error as Error).message).toContain(`${url('large.age')}: ${message}`);
    await expect.poll(() => s3.uploads(), { timeout: 120_000 }).toEqual([]);
    expect(await s3.keys()).not.toContain('large.age');
  });

  test('parts are refused, and so is their removal: the error says that an upload is left', async () => {
    await s3.remove('large.age');
    always(s3Error(403, 'AccessDenied'), (request) => isPart(request) || request.method === 'DELETE');
    const error = (await thrown(encrypt())) as Error;
    expect(error.message).toBe(
      `${url('large.age')}: the store denies access (403 AccessDenied); and clearing up failed for the same reason`,
    );
    expect(await s3.uploads()).toEqual(['large.age']);
    const list = await (await s3.request('GET', `/${s3.bucket}?uploads`)).text();
    const [, uploadId] = /<UploadId>([^<]*)</.exec(list)!;
    await s3.request('DELETE', `/${s3.bucket}/large.age?uploadId=${encodeURIComponent(uploadId)}`);
  });

  // Both at once, because jobs wait for seconds between their attempts.
  test('a range, and a part, that fail for good: one error each with its attempts, no object, no parts', async () => {
    const own = bytesFor('failing', 2 * MiB);
    await s3.put('object', own);
    await s3.remove('large.age');
    const isRange = ({ range }: ProxiedRequest): boolean => range?.startsWith(`bytes=${5 * LEAF}-`) === true;
    always(s3Error(500, 'InternalError'), (request) => isPart(request) || isRange(request));
    const [hashing, encrypting] = (await Promise.all([thrown(hash()), thrown(encrypt())])) as Error[];
    expect(hashing.message).toBe(`${url('object')}: the store answered 500 InternalError, 4 times in a row`);
    expect(encrypting.message).toBe(`${url('large.age')}: the store answered 500 InternalError, 4 times in a row`);
    const kept = (await failures()).map((job) => job.error);
    expect(kept).toEqual(expect.arrayContaining([hashing.message, encrypting.message]));
    await expect.poll(() => s3.uploads(), { timeout: 120_000 }).toEqual([]);
    expect(await s3.keys()).not.toContain('large.age');
    // The same can be asked for again when the store is well.
    proxy.inject();
    expect((await hash()).hash).toEqual(blake3(own));
  });

  test('a cancelled encryption while parts are slow: no object, no parts', async () => {
    await s3.remove('large.age');
    const controller = new AbortController();
    proxy.inject((request) => {
      if (!isPart(request)) return undefined;
      controller.abort(new Error('enough'));
      return { kind: 'silence' };
    });
    expect(await thrown(encrypt(queue, controller.signal))).toBeInstanceOf(Error);
    expect(controller.signal.aborted).toBe(true);
    await expect.poll(() => s3.uploads(), { timeout: 120_000 }).toEqual([]);
    expect(await s3.keys()).not.toContain('large.age');
  });
});
