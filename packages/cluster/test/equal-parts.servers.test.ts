/** Works on a store that, as Cloudflare R2, refuses an upload unless its parts have one length, the last of them that or less. */
import { generateIdentity, identityToRecipient } from '@lanewise/age';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findAge } from '../../cli/test/find-age.ts';
import { cluster, createWorker, type Cluster, type ClusterWorker } from '../src/index.ts';
import { bytesFor } from './objects-on-disk.ts';
import { hasServer } from './servers/available.ts';
import { s3Error, startFaultProxy, type FaultProxy } from './servers/fault-proxy.ts';
import { temporaryFolder } from './servers/process.ts';
import { startRedis, type RedisServer } from './servers/redis.ts';
import { startS3, type S3Server } from './servers/s3.ts';

const CHUNK = 65_536;
const SEALED = CHUNK + 16;
/** Header and salt of a file to one recipient. */
const HEADER = 184;
const PART_CHUNKS = 80;
const age = findAge();

/** Whether parts, by their numbers, have one length, and the last one that or less. */
function areEqual(lengths: ReadonlyMap<number, number>): boolean {
  const inOrder = [...lengths].sort(([a], [b]) => a - b).map(([, length]) => length);
  const last = inOrder.pop()!;
  return inOrder.every((length) => length === inOrder[0]) && last > 0 && last <= (inOrder[0] ?? last);
}

describe.skipIf(age === undefined || !hasServer('redis-server') || !hasServer('versitygw'))(
  'age files on a store that wants parts of one length',
  () => {
    const folder = temporaryFolder();
    const path = (name: string): string => join(folder.path, name);
    /** Of each upload, the lengths of its parts. */
    const uploads = new Map<string, Map<number, number>>();
    const workers: ClusterWorker[] = [];
    let redis: RedisServer;
    let s3: S3Server;
    let proxy: FaultProxy;
    let queue: Cluster;
    let identity: string;
    let sealing: { recipients: string[]; workers: string[]; partChunks: number };
    const url = (key: string): string => `s3://${s3.bucket}/${key}`;

    beforeAll(async () => {
      const worker = await generateIdentity();
      identity = await generateIdentity();
      sealing = {
        recipients: [await identityToRecipient(identity)],
        workers: [await identityToRecipient(worker)],
        partChunks: PART_CHUNKS,
      };
      writeFileSync(path('worker.txt'), `${worker}\n`);
      writeFileSync(path('reader.txt'), `${identity}\n`);
      [redis, s3] = await Promise.all([startRedis(), startS3()]);
      proxy = await startFaultProxy(s3.endpoint);
      proxy.inject(({ method, query, length }) => {
        const id = query.get('uploadId');
        if (id === null) return undefined;
        if (method === 'PUT') {
          const lengths = uploads.get(id) ?? new Map<number, number>();
          uploads.set(id, lengths.set(Number(query.get('partNumber')), length));
        } else if (method === 'POST' && !areEqual(uploads.get(id)!)) return s3Error(400, 'InvalidPart');
        return undefined;
      });
      const objects = { ...s3.options, endpoint: proxy.url };
      const prefixes = [`s3://${s3.bucket}/`];
      for (let i = 0; i < 2; i++)
        workers.push(
          await createWorker(redis.url, {
            threads: 1,
            allow: prefixes,
            allowWrite: prefixes,
            identityFile: path('worker.txt'),
            objects,
          }),
        );
      queue = cluster(redis.url, { objects });
    });
    beforeEach(() => uploads.clear());
    afterAll(async () => {
      await queue.close();
      await Promise.all(workers.map((worker) => worker.close()));
      await proxy.stop();
      await Promise.all([redis.stop(), s3.stop()]);
      folder.remove();
    });

    /** Lengths of the parts of the only upload. */
    const lengths = (): number[] => {
      expect(uploads.size).toBe(1);
      return [...[...uploads.values()][0].values()].sort((a, b) => b - a);
    };

    it.each<[string, number, number[]]>([
      ['is a part and ends in it', 79 * CHUNK, [HEADER + 79 * SEALED]],
      ['has as many chunks as a part', 80 * CHUNK, [80 * SEALED, HEADER]],
      ['ends with a part', 160 * CHUNK - HEADER, [80 * SEALED, 80 * SEALED]],
      ['has one byte behind a part', 160 * CHUNK - HEADER + 1, [80 * SEALED, 80 * SEALED, 1]],
      ['has a part with a piece of a tag', 160 * CHUNK - HEADER + 15, [80 * SEALED, 80 * SEALED, 15]],
      ['has three parts and more', 250 * CHUNK + 7, [80 * SEALED, 80 * SEALED, 80 * SEALED, HEADER + 10 * SEALED + 23]],
    ])('a file that %s is encrypted and decrypted', async (name, size, expected) => {
      const plaintext = bytesFor(name, size);
      await s3.put('in', plaintext);
      await queue.encrypt(url('in'), url('in.age'), sealing);
      expect(lengths()).toEqual(expected);
      writeFileSync(path('in.age'), (await s3.get('in.age'))!);
      execFileSync(join(age!, 'age'), ['-d', '-i', path('reader.txt'), '-o', path('out'), path('in.age')]);
      expect(readFileSync(path('out')).equals(plaintext)).toBe(true);

      uploads.clear();
      const { workers: to, partChunks } = sealing;
      await queue.decrypt(url('in.age'), url('out'), { identities: [identity], workers: to, partChunks });
      expect(lengths()[0]).toBe(Math.min(size, 80 * CHUNK));
      expect(Buffer.compare((await s3.get('out'))!, plaintext)).toBe(0);
      expect(await s3.uploads()).toEqual([]);
    });

    it.each<[boolean, number[]]>([
      [true, [5]],
      [true, [5, 5, 5]],
      [true, [5, 5, 1]],
      [false, [6, 5, 1]],
      [false, [5, 6]],
      [false, [5, 5, 0]],
    ])('which says %s to parts of lengths like %j', (taken, some) => {
      expect(areEqual(new Map(some.map((length, index) => [index + 1, length])))).toBe(taken);
    });
  },
);
