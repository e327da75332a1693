/** Encryption and decryption by workers on a queue: age and @lanewise/age are the judges, in both directions. */
import { Decrypter, Encrypter, generateIdentity, HeaderReader, identityToRecipient } from '@lanewise/age';
import { bytesToHex, randomBytes } from 'lanewise/utils.js';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAge } from '../../cli/test/find-age.ts';
import { cluster, createWorker, type Cluster, type ClusterWorker, type LogLine } from '../src/index.ts';
import { hasServer } from './servers/available.ts';
import { temporaryFolder } from './servers/process.ts';
import { startRedis, type RedisServer } from './servers/redis.ts';
import { startS3, type S3Server } from './servers/s3.ts';

const CHUNK = 65_536;
const age = findAge();
if (age === undefined) console.log('SKIPPED: age 1.3.1 as a judge of the cluster, which Go can install and did not');

describe.skipIf(!hasServer('redis-server') || !hasServer('versitygw'))('age files by workers', () => {
  const folder = temporaryFolder();
  const path = (name: string): string => join(folder.path, name);
  const lines: LogLine[] = [];
  let redis: RedisServer;
  let s3: S3Server;
  let queue: Cluster;
  const workers: ClusterWorker[] = [];
  let identity: string;
  let recipient: string;
  let workerIdentity: string;
  let workerRecipient: string;

  beforeAll(async () => {
    mkdirSync(path('data'));
    [identity, workerIdentity] = [await generateIdentity(), await generateIdentity()];
    [recipient, workerRecipient] = [await identityToRecipient(identity), await identityToRecipient(workerIdentity)];
    writeFileSync(path('worker.txt'), `# of the workers\n${workerIdentity}\n`);
    writeFileSync(path('reader.txt'), `${identity}\n`);
    [redis, s3] = await Promise.all([startRedis(), startS3()]);
    queue = cluster(redis.url, { objects: s3.options });
    for (let i = 0; i < 2; i++)
      workers.push(
        await createWorker(redis.url, {
          threads: 1,
          allow: [`s3://${s3.bucket}/`, `${pathToFileURL(path('data')).href}/`],
          allowWrite: [`s3://${s3.bucket}/out/`, `${pathToFileURL(path('data')).href}/`],
          identityFile: path('worker.txt'),
          objects: s3.options,
          log: (line) => lines.push(line),
        }),
      );
  });

  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.close()));
    await queue.close();
    await Promise.all([redis.stop(), s3.stop()]);
    folder.remove();
  });

  const url = (key: string): string => `s3://${s3.bucket}/${key}`;
  const fileUrl = (name: string): string => pathToFileURL(path(`data/${name}`)).href;
  const toReader = () => ({ recipients: [recipient], workers: [workerRecipient] });
  const byReader = () => ({ identities: [identity], workers: [workerRecipient] });

  /** The results of age and @lanewise/age for a file. */
  async function judged(file: Uint8Array): Promise<Uint8Array> {
    const decrypter = new Decrypter();
    decrypter.addIdentity(identity);
    const ours = await decrypter.decrypt(new Uint8Array(file));
    if (age === undefined) return ours;
    writeFileSync(path('judged.age'), file);
    execFileSync(join(age, 'age'), ['-d', '-i', path('reader.txt'), '-o', path('judged'), path('judged.age')]);
    expect(readFileSync(path('judged')).equals(ours)).toBe(true);
    return ours;
  }

  /** A file of age. */
  async function fileOfAge(plaintext: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
    const encrypter = new Encrypter();
    encrypter.addRecipient(recipient);
    if (age === undefined) return await encrypter.encrypt(plaintext);
    writeFileSync(path('plain'), plaintext);
    execFileSync(join(age, 'age'), ['-r', recipient, '-o', path('plain.age'), path('plain')]);
    return new Uint8Array(readFileSync(path('plain.age')));
  }

  const same = (a: Uint8Array | undefined, b: Uint8Array): boolean => a !== undefined && Buffer.compare(a, b) === 0;

  describe.each([0, 1, CHUNK, CHUNK + 1, 80 * CHUNK - 1, 80 * CHUNK, 80 * CHUNK + 1, 240 * CHUNK, 64 * 2 ** 20])(
    'of %i bytes in S3',
    (size) => {
      const plaintext = randomBytes(size);

      it('are encrypted', async () => {
        await s3.put('in', plaintext);
        const seen: number[] = [];
        const result = await queue.encrypt(url('in'), url('out/in.age'), {
          ...toReader(),
          partChunks: 80,
          onProgress: ({ done, total }) => {
            expect(total).toBe(size);
            seen.push(done);
          },
        });
        const file = (await s3.get('out/in.age'))!;
        expect(result).toMatchObject({ kind: 'encrypt', target: url('out/in.age'), size: file.length });
        expect(same(await judged(file), plaintext)).toBe(true);
        expect(seen.at(-1)).toBe(size);
        expect(seen).toEqual([...seen].sort((a, b) => a - b));
        expect(await s3.uploads()).toEqual([]);
      });

      it('are decrypted', async () => {
        await s3.put('in.age', await fileOfAge(plaintext));
        const result = await queue.decrypt(url('in.age'), url('out/plain'), { ...byReader(), partChunks: 80 });
        expect(result).toMatchObject({ kind: 'decrypt', target: url('out/plain'), size });
        expect(same(await s3.get('out/plain'), plaintext)).toBe(true);
        expect(await s3.uploads()).toEqual([]);
      });
    },
  );

  it.each([0, 1, 3 * CHUNK, 3 * CHUNK + 1])('of %i bytes in a folder, in parts of any size', async (size) => {
    const plaintext = randomBytes(size);
    writeFileSync(path('data/in'), plaintext);
    await queue.encrypt(fileUrl('in'), fileUrl('in.age'), { ...toReader(), partChunks: 1 });
    expect(same(await judged(readFileSync(path('data/in.age'))), plaintext)).toBe(true);
    await queue.decrypt(fileUrl('in.age'), fileUrl('back'), { ...byReader(), partChunks: 2 });
    expect(same(readFileSync(path('data/back')), plaintext)).toBe(true);
    expect(readdirSync(path('data')).sort()).toEqual(['back', 'in', 'in.age']);
    for (const name of ['back', 'in', 'in.age']) execFileSync('rm', [path(`data/${name}`)]);
  });

  it('to several recipients, and for workers with several identities', async () => {
    const other = await generateIdentity();
    await s3.put('in', new Uint8Array(100_000));
    await queue.encrypt(url('in'), url('out/several'), {
      recipients: [await identityToRecipient(other), recipient],
      workers: [await identityToRecipient(other), workerRecipient],
    });
    expect((await judged((await s3.get('out/several'))!)).length).toBe(100_000);
  });

  describe('that are wrong', () => {
    const plaintext = randomBytes(200 * CHUNK);

    /** Nothing under the target's name, and no parts. */
    const nothing = async (key: string): Promise<void> => {
      expect(await s3.get(key)).toBeUndefined();
      expect(await s3.uploads()).toEqual([]);
    };

    it.each<[string, (file: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>, string]>([
      ['armored', () => Buffer.from('-----BEGIN AGE ENCRYPTED FILE-----\nYWdl\n'), 'is an armored age file'],
      ['empty', () => new Uint8Array(0), 'is no age file: empty'],
      ['no age file', () => new Uint8Array(1000), 'is no age file: not an age file'],
      ['cut off in the header', (file) => file.subarray(0, 100), 'is no age file: truncated after 100 bytes'],
      ['cut off in front of the chunks', (file) => file.subarray(0, 184), 'is truncated after 184 bytes'],
      ['cut off behind a chunk', (file) => file.subarray(0, 184 + 100 * (CHUNK + 16)), 'is not authentic'],
      ['cut off in a chunk', (file) => file.subarray(0, -1), 'is not authentic'],
      ['cut off so that a tag is not whole', (file) => file.subarray(0, 184 + CHUNK + 16 + 15), 'is truncated after'],
      ['longer', (file) => new Uint8Array(Buffer.concat([file, Buffer.from('x')])), 'is truncated after'],
    ])('because they are %s', async (_, change, message) => {
      await s3.put('wrong.age', new Uint8Array(change(await fileOfAge(plaintext))));
      await expect(queue.decrypt(url('wrong.age'), url('out/wrong'), byReader())).rejects.toThrow(message);
      await nothing('out/wrong');
    });

    it('because a chunk was changed: the error names its part', async () => {
      const file = await fileOfAge(plaintext);
      file[184 + 90 * (CHUNK + 16)] ^= 1;
      await s3.put('wrong.age', file);
      const work = queue.decrypt(url('wrong.age'), url('out/wrong'), { ...byReader(), partChunks: 80 });
      await expect(work).rejects.toThrow('part 2: chunk 90 is not authentic');
      await nothing('out/wrong');
    });

    it('because they are for others, or the arguments are', async () => {
      await s3.put('in', plaintext);
      await s3.put('in.age', await fileOfAge(plaintext));
      const other = await generateIdentity();
      const target = url('out/wrong');
      for (const [start, message] of [
        [() => queue.decrypt(url('in.age'), target, { ...byReader(), identities: [other] }), 'no identity matched'],
        [
          () => queue.decrypt(url('in.age'), target, { ...byReader(), identities: [] }),
          '"identities" expected at least one',
        ],
        [() => queue.decrypt(url('in.age'), target, { ...byReader(), identities: [recipient] }), '"identities"'],
        [
          () => queue.decrypt(url('in.age'), url('in.age'), byReader()),
          '"target" expected another object than the source',
        ],
        [() => queue.encrypt(url('in'), target, { ...toReader(), recipients: ['age1x'] }), '"recipients"'],
        [() => queue.encrypt(url('in'), target, { ...toReader(), workers: [] }), '"workers" expected at least one'],
        [() => queue.encrypt(url('in'), target, { ...toReader(), workers: ['age1x'] }), '"workers"'],
        [
          () => queue.encrypt(url('in'), target, { ...toReader(), partChunks: 79 }),
          '"partChunks" expected integer from 80',
        ],
        [() => queue.encrypt(url('in'), 'https://127.0.0.1:1/x', toReader()), 'servers of HTTP are only read'],
        [() => queue.encrypt(url('none'), target, toReader()), 'none'],
        // @ts-expect-error: an option that there is not
        [() => queue.encrypt(url('in'), target, { ...toReader(), armor: true }), 'armor'],
      ] as const) {
        const call = start();
        await expect(call).rejects.toThrow(message);
        await call.catch((error: unknown) => {
          for (const secret of [identity, other]) expect((error as Error).message).not.toContain(secret);
        });
      }
      await nothing('out/wrong');
    });

    it('because the worker may not write there', async () => {
      await s3.put('in', plaintext);
      await expect(queue.encrypt(url('in'), url('elsewhere'), toReader())).rejects.toThrow(
        '"target" expected an object that "allowWrite" of its worker names',
      );
      // Only the caller can clear up.
      await nothing('elsewhere');
    });

    it('because the workers have another identity', async () => {
      await s3.put('in', new Uint8Array(10));
      const stranger = await identityToRecipient(await generateIdentity());
      const work = queue.encrypt(url('in'), url('out/wrong'), { ...toReader(), workers: [stranger] });
      await expect(work).rejects.toThrow('"sheet" is for none of the identities');
      await nothing('out/wrong');
    });

    it('because the source changes while it is encrypted', async () => {
      await s3.put('in', plaintext);
      const id = await queue.submit({
        kind: 'encrypt',
        source: url('in'),
        target: url('out/wrong'),
        options: { ...toReader(), partChunks: 80 },
      });
      await s3.put('in', randomBytes(200 * CHUNK));
      // The parts were perhaps quicker than the change; then the file is whole.
      const outcome = await queue.wait(id).then(
        () => 'done',
        (error: unknown) => (error as Error).message,
      );
      if (outcome === 'done') expect(same(await judged((await s3.get('out/wrong'))!), plaintext)).toBe(true);
      else {
        expect(outcome).toContain('has changed');
        await nothing('out/wrong');
      }
    });

    it('because they are cancelled', async () => {
      await s3.put('in', randomBytes(64 * 2 ** 20));
      const aborter = new AbortController();
      const work = queue.encrypt(url('in'), url('out/cancelled'), {
        ...toReader(),
        partChunks: 80,
        signal: aborter.signal,
        onProgress: ({ done }) => done > 0 && aborter.abort(new Error('changed my mind')),
      });
      await expect(work).rejects.toThrow('changed my mind');
      await expect.poll(() => s3.uploads(), { timeout: 120_000 }).toEqual([]);
      expect(await s3.get('out/cancelled')).toBeUndefined();
    });
  });

  it('go on when their caller goes away', async () => {
    const plaintext = randomBytes(100 * CHUNK);
    writeFileSync(path('data/long'), plaintext);
    const name = 'nobody-yet';
    const caller = cluster(redis.url, { name });
    const later = cluster(redis.url, { name });
    const work = caller.encrypt(fileUrl('long'), fileUrl('long.age'), toReader());
    work.catch(() => undefined);
    await expect.poll(async () => (await later.jobs()).length, { timeout: 120_000 }).toBe(1);
    await caller.close();
    await expect(work).rejects.toThrow('the connection to the queue is closed');
    const inData = [`${pathToFileURL(path('data')).href}/`];
    const settings = { name, threads: 1, allow: inData, allowWrite: inData, identityFile: path('worker.txt') };
    const worker = await createWorker(redis.url, settings);
    try {
      await later.wait((await later.jobs())[0].id);
      expect(same(await judged(readFileSync(path('data/long.age'))), plaintext)).toBe(true);
    } finally {
      await worker.close();
      await later.close();
    }
  });

  it('of workers whose keys lie among objects are refused when they start', async () => {
    writeFileSync(path('data/key'), randomBytes(32));
    symlinkSync(path('data/key'), path('link'));
    const allow = [`s3://${s3.bucket}/`];
    const inData = [`${pathToFileURL(path('data')).href}/`];
    const message = 'expected a file outside of "allow" and "allowWrite"';
    for (const options of [
      { allow: inData, keyFiles: { backup: path('data/key') } },
      { allow: inData, keyFiles: { backup: path('link') } },
      { allow: inData, identityFile: path('data/none') },
      { allow, allowWrite: inData, identityFile: path('data/../data/none') },
    ])
      await expect(createWorker(redis.url, options)).rejects.toThrow(message);
    await expect(createWorker(redis.url, { allow, identityFile: path('link') })).rejects.toThrow(
      'the identity file expected lines AGE-SECRET-KEY-',
    );
    execFileSync('rm', [path('data/key'), path('link')]);
  });

  it('leave no key in the queue, in logs and in errors', async () => {
    const plaintext = randomBytes(100_000);
    await s3.put('in', plaintext);
    await queue.encrypt(url('in'), url('out/kept'), toReader());
    await queue.decrypt(url('out/kept'), url('out/open'), byReader());
    const header = new HeaderReader();
    header.push((await s3.get('out/kept'))!);
    const decrypter = new Decrypter();
    decrypter.addIdentity(identity);
    const keys = [await decrypter.payloadKey({ header: header.bytes }), await decrypter.decryptHeader(header.header)];
    const texts = [identity, workerIdentity, s3.options.secretAccessKey];
    for (const key of keys)
      texts.push(bytesToHex(key), Buffer.from(key).toString('base64').replace(/=+$/, ''), key.join(','));
    const places = [redis.log(), s3.log(), JSON.stringify(lines)].map((text) => Buffer.from(text));
    const files = readdirSync(redis.folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    for (const entry of files) places.push(readFileSync(join(entry.parentPath, entry.name)));
    // The sheet is there, so the search is in the right place.
    expect(places.some((place) => place.includes('"sheet":"'))).toBe(true);
    expect(places.some((place) => place.includes(recipient))).toBe(false);
    for (const place of places) {
      for (const text of texts) expect(place.includes(text)).toBe(false);
      for (const key of keys) expect(place.includes(key)).toBe(false);
    }
    expect(existsSync(path('worker.txt'))).toBe(true);
  });
});
