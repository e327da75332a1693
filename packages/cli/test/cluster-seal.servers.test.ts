/** `lanewise encrypt` and `decrypt` of objects by workers, with `lanewise` on one machine and age as judges. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasServer } from '../../cluster/test/servers/available.ts';
import { startRedis, type RedisServer } from '../../cluster/test/servers/redis.ts';
import { startS3, type S3Server } from '../../cluster/test/servers/s3.ts';
import {
  age,
  get,
  hasAge,
  hasPseudoTerminal,
  IDENTITY,
  makeFolder,
  OTHER_IDENTITY,
  put,
  RECIPIENT,
} from './age-programs.ts';
import { start, startAtTerminal, startWorker, stopAll, type Running, type Variables } from './cluster-programs.ts';
import { bytes, folder, lanewise, type Result } from './programs.ts';

const has = hasServer('redis-server') && hasServer('versitygw');
/** Of two parts of 80 chunks, and some bytes. */
const SIZE = 2 * 80 * 65_536 + 12_345;

describe.skipIf(!has)('with servers', { concurrent: false }, () => {
  let redis: RedisServer;
  let s3: S3Server;
  let variables: Variables;
  let worker: Running;
  const content = bytes(SIZE);
  const plain = 's3://objects/plain';
  const sealed = 's3://objects/sealed.age';
  /** The recipient of the workers. */
  let workers: string;

  beforeAll(async () => {
    [redis, s3] = await Promise.all([startRedis(), startS3()]);
    variables = {
      LANEWISE_QUEUE: redis.url,
      AWS_ENDPOINT_URL_S3: s3.options.endpoint,
      AWS_REGION: s3.options.region,
      AWS_ACCESS_KEY_ID: s3.options.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3.options.secretAccessKey,
    };
    makeFolder('out');
    put('me.txt', `${IDENTITY}\n`);
    put('other.txt', `${OTHER_IDENTITY}\n`);
    lanewise(['keygen', '-o', 'worker.txt']);
    workers = lanewise(['keygen', '-y', 'worker.txt']).stdout.toString().trim();
    await s3.put('plain', Uint8Array.from(content));
    const allowed = ['s3://objects/', `file://${folder}/out/`].flatMap((prefix) => [
      '--allow',
      prefix,
      '--allow-write',
      prefix,
    ]);
    worker = await startWorker(
      [...allowed, '--identity', 'worker.txt', '--threads', '2', '--log-level', 'debug'],
      variables,
    );
  });
  afterAll(async () => {
    stopAll();
    await Promise.all([redis?.stop(), s3?.stop()]);
  });

  const call = (...values: readonly string[]): Result => lanewise(values, '', variables);
  const encrypt = (...values: readonly string[]): Result =>
    call('encrypt', '-r', RECIPIENT, '--worker-recipient', workers, ...values);
  const decrypt = (identity: string, ...values: readonly string[]): Result =>
    call('decrypt', '-i', identity, '--worker-recipient', workers, ...values);

  it('what workers encrypt, one machine and age decrypt, and workers', async () => {
    expect(encrypt('--part-chunks', '80', '-o', sealed, plain)).toMatchObject({
      status: 0,
      stderr: '',
      stdout: Buffer.of(),
    });
    put('sealed.age', (await s3.get('sealed.age'))!);
    expect(lanewise(['decrypt', '-i', 'me.txt', 'sealed.age']).stdout.equals(content)).toBe(true);
    if (hasAge) expect(age(['-d', '-i', 'me.txt', 'sealed.age']).equals(content)).toBe(true);
    expect(decrypt('me.txt', '--part-chunks', '80', '-o', 's3://objects/again', sealed)).toMatchObject({
      status: 0,
      stderr: '',
    });
    expect(Buffer.from((await s3.get('again'))!).equals(content)).toBe(true);
    expect(worker.stdout().match(/ completed age-\S+, s3/g)!.length).toBeGreaterThan(5);
  });

  it('from a store into a file', () => {
    expect(encrypt('-o', `file://${folder}/out/in-file.age`, plain).status).toBe(0);
    expect(lanewise(['decrypt', '-i', 'me.txt', 'out/in-file.age']).stdout.equals(content)).toBe(true);
  });

  it('--detach prints an id, and jobs wait for it', () => {
    const id = encrypt('--detach', '-o', `file://${folder}/out/later.age`, plain).stdout.toString();
    expect(id).toMatch(/^\S+\n$/);
    expect(call('jobs', 'wait', id.trim())).toMatchObject({ status: 0, stdout: Buffer.of() });
    expect(call('jobs').stdout.toString()).toContain(`encrypt ${plain} -> file://${folder}/out/later.age\n`);
    expect(get('out/later.age').length).toBeGreaterThan(SIZE);
  });

  it('another identity, workers that are not these, and a place that is not allowed: an error, and no object', async () => {
    const before = await s3.keys();
    expect(decrypt('other.txt', '-o', 's3://objects/none', sealed)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /^lanewise decrypt: s3:\/\/objects\/sealed\.age: .*no identity matched.*\n$/,
      ) as string,
    });
    const strangers = call(
      'encrypt',
      '-r',
      RECIPIENT,
      '--worker-recipient',
      RECIPIENT,
      '-o',
      's3://objects/none',
      plain,
    );
    expect(strangers.status).toBe(1);
    expect(strangers.stderr).toMatch(/^lanewise encrypt: s3:\/\/objects\/plain: [^\n]+\n$/);
    expect(encrypt('-o', 'file:///etc/lanewise-none', plain).status).toBe(1);
    expect(await s3.keys()).toEqual(before);
    expect(await s3.uploads()).toEqual([]);
  });

  it('an interrupt aborts the upload', async () => {
    // No worker has this queue: the upload is begun, and waits.
    const values = [
      'encrypt',
      '-r',
      RECIPIENT,
      '--worker-recipient',
      workers,
      '--name',
      'nobody',
      '-o',
      's3://objects/cut',
      plain,
    ];
    const running = hasPseudoTerminal ? startAtTerminal(values, variables) : start(values, variables);
    while ((await s3.uploads()).length === 0) expect(running.child.exitCode).toBeNull();
    while (call('jobs', '--name', 'nobody').stdout.length === 0) expect(running.child.exitCode).toBeNull();
    if (hasPseudoTerminal) running.child.stdin!.write('\x03');
    else running.child.kill('SIGINT');
    await running.ended();
    expect(running.stdout() + running.stderr()).toMatch(/cancelled; s3:\/\/objects\/cut is as it was\r?\n$/);
    expect(await s3.uploads()).toEqual([]);
    expect(await s3.keys()).not.toContain('cut');
  });

  it('no key is in the log, or in the queue', () => {
    // The queue's file: all that was ever written to it.
    const files = readdirSync(redis.folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    const kept = files.map((file) => readFileSync(join(file.parentPath, file.name), 'latin1')).join('');
    expect(kept).toContain('s3://objects/plain');
    expect(kept).not.toContain(s3.options.secretAccessKey);
    for (const name of ['worker.txt', 'me.txt']) {
      const identity = get(name)
        .toString()
        .match(/AGE-SECRET-KEY-\S+/)![0];
      expect(worker.stdout() + worker.stderr() + kept).not.toContain(identity);
    }
  });
});
