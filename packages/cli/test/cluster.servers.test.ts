/** `lanewise worker`, `jobs` and `hash --queue`, with a redis-server and an S3 server of this machine. */
import { blake3 } from 'lanewise/blake3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasServer } from '../../cluster/test/servers/available.ts';
import { freePort } from '../../cluster/test/servers/process.ts';
import { startPostgres } from '../../cluster/test/servers/postgres.ts';
import { startRedis, type RedisServer } from '../../cluster/test/servers/redis.ts';
import { startS3, type S3Server } from '../../cluster/test/servers/s3.ts';
import { hasPseudoTerminal, makeFolder, put } from './age-programs.ts';
import { start, startAtTerminal, startWorker, stopAll, type Running, type Variables } from './cluster-programs.ts';
import { bytes, folder, hash, KEY, lanewise, type Result } from './programs.ts';

const has = hasServer('redis-server') && hasServer('versitygw');
const SIZE = 3_000_000;
/** Of an object that is hashed in many leaves, so that there is time to do something meanwhile. */
const LONG = 200_000_000;

describe.skipIf(!has)('with servers', { concurrent: false }, () => {
  let redis: RedisServer;
  let s3: S3Server;
  let variables: Variables;
  let worker: Running;
  const content = bytes(SIZE);
  /** Where workers may read: keys are elsewhere. */
  const files = `file://${folder}/objects`;

  beforeAll(async () => {
    [redis, s3] = await Promise.all([startRedis(), startS3()]);
    variables = {
      LANEWISE_QUEUE: redis.url,
      AWS_ENDPOINT_URL_S3: s3.options.endpoint,
      AWS_REGION: s3.options.region,
      AWS_ACCESS_KEY_ID: s3.options.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3.options.secretAccessKey,
    };
    put('content', content);
    put('key', KEY);
    makeFolder('objects');
    put('objects/content', content);
    put('objects/long', new Uint8Array(LONG));
    await s3.put('folder/content', Uint8Array.from(content));
    await s3.put('small', 'abc');
    const allowed = ['--allow', `s3://${s3.bucket}/`, '--allow', `${files}/`];
    worker = await startWorker(
      [...allowed, '--threads', '2', '--key-file', 'mine=key', '--health', '0', '--log-level', 'debug'],
      variables,
    );
  });
  afterAll(async () => {
    stopAll();
    await Promise.all([redis?.stop(), s3?.stop()]);
  });

  const call = (...values: readonly string[]): Result => lanewise(values, '', variables);
  const text = ({ stdout }: Result): string => stdout.toString();

  describe('hash', () => {
    const object = 's3://objects/folder/content';
    it.each([
      ['', []],
      ['several leaves', ['--leaf-bytes', '65536']],
      ['--tag', ['--tag']],
      ['--no-names', ['--no-names']],
      ['--derive-key', ['--derive-key', 'example.org 2026-11-23 tests']],
      ['output of another length, from another place', ['--length', '100', '--seek', '1000']],
    ])('prints what one machine does: %s', (_, options) => {
      const [many, one] = [
        call('hash', object, ...options),
        hash(['content', ...options.filter((word) => !/leaf|65536/.test(word))]),
      ];
      expect(many.stderr).toBe('');
      expect(text(many).replace(object, 'content')).toBe(text(one));
      expect(many.status).toBe(0);
    });

    it('raw bytes', () => {
      expect(call('hash', '--raw', object).stdout).toEqual(hash(['--raw', 'content']).stdout);
    });

    it('by a key of the workers', () => {
      expect(text(call('hash', '--key-id', 'mine', object)).replace(object, 'content')).toBe(
        text(hash(['--key-file', 'key', 'content'])),
      );
      const other = call('hash', '--key-id', 'other', object);
      expect(other.stderr).toMatch(/^lanewise hash: s3:\/\/objects\/folder\/content: --key-id expected/);
      expect(other.status).toBe(1);
    });

    it('several, in their order; one that is not there does not keep the others', () => {
      const result = call('hash', `${files}/content`, 's3://objects/none', 's3://objects/small');
      const line = (name: string, of: Uint8Array): string => `${Buffer.from(blake3(of)).toString('hex')}  ${name}\n`;
      expect(text(result)).toBe(line(`${files}/content`, content) + line('s3://objects/small', Buffer.from('abc')));
      expect(result.stderr).toMatch(/^lanewise hash: s3:\/\/objects\/none: [^\n]+\n$/);
      expect(result.stderr.match(/objects\/none/g)).toHaveLength(1);
      expect(result.status).toBe(1);
    });

    it.each([
      ['s3://objects', 'expected s3://bucket/key, got no key'],
      ['s3://Objects/x', 'expected a bucket of 3 to 63 characters'],
      ['file:///a%2fb', 'expected a file: URL without host'],
    ])('%s is a wrong argument', (url, reason) => {
      const { status, stderr } = call('hash', url);
      expect(stderr).toContain(`lanewise hash: ${url}: ${reason}`);
      expect(status).toBe(2);
    });

    it('--check checks what was printed, objects and files', async () => {
      await s3.put('changed', Uint8Array.from(Buffer.from('before')));
      const urls = [`${files}/content`, 's3://objects/changed', 's3://objects/small'];
      const [objects, own] = [call('hash', ...urls), hash(['content', 'key'])];
      const none = `${'0'.repeat(64)}  s3://objects/none\nnot a line\n`;
      put('sums', Buffer.concat([objects.stdout, own.stdout, Buffer.from(none), objects.stdout]));
      const right = [...urls, 'content', 'key'].map((name) => `${name}: OK\n`).join('');
      const first = call('hash', '--check', 'sums');
      expect(text(first).startsWith(right)).toBe(true);
      expect(text(first)).toMatch(/s3:\/\/objects\/none: FAILED \([^\n]+\)\n/);
      expect(first.stderr).toBe(
        'lanewise hash: sums:7: Invalid check line format\nlanewise hash: WARNING: 2 computed checksums did NOT match\n',
      );
      await s3.put('changed', Uint8Array.from(Buffer.from('after')));
      const again = call('hash', '--check', '--quiet', 'sums');
      expect(text(again).match(/objects\/changed: FAILED\n/g)).toHaveLength(2);
      expect(again.status).toBe(1);
      put('sums', objects.stdout);
      await s3.put('changed', Uint8Array.from(Buffer.from('before')));
      expect(call('hash', '--check', '--status', 'sums')).toMatchObject({ status: 0, stdout: Buffer.of(), stderr: '' });
    });

    it('not what workers may not read', () => {
      const { stderr, status } = call('hash', 'file:///etc/passwd');
      expect(stderr).toMatch(
        /^lanewise hash: file:\/\/\/etc\/passwd: expected an object that --allow of its worker names[^\n]*\n$/,
      );
      expect(status).toBe(1);
    });
  });

  describe('jobs', () => {
    const options = ['--leaf-bytes', '1024'];
    it('--detach prints an id; wait prints the checksum; list and show tell of it', () => {
      const object = 's3://objects/small';
      const detached = call('hash', '--detach', object, ...options);
      const [, id] = /^(\S+) {2}s3:\/\/objects\/small\n$/.exec(text(detached))!;
      expect(text(call('jobs', 'wait', id))).toBe(text(call('hash', object)));
      const listed = text(call('jobs'));
      expect(listed).toMatch(new RegExp(`^${id} {2}completed {2,}\\d{4}-\\S+Z {2}hash s3://objects/small$`, 'm'));
      const shown = text(call('jobs', 'show', id));
      expect(shown).toMatch(/^done {4}3 of 3 bytes$/m);
      expect(shown).toContain(Buffer.from(blake3(Buffer.from('abc'))).toString('hex'));
      const json = JSON.parse(text(call('jobs', 'show', id, '--json'))) as { id: string; result: { hash: string } };
      expect(json).toMatchObject({ id, state: 'completed', result: { hash: shown.match(/^hash {4}(.*)$/m)![1] } });
      expect((JSON.parse(text(call('jobs', 'list', '--json'))) as { id: string }[]).map((job) => job.id)).toContain(id);
      // As short as it is unambiguous.
      expect(text(call('jobs', 'show', id.slice(0, -2)))).toBe(shown);
    });

    it('what is not there, or is not the only one', () => {
      expect(call('jobs', 'show', 'none')).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('no such work in the queue lanewise;') as string,
      });
      expect(call('jobs', 'cancel', 'blake3')).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(/\d+ works begin with it\n$/) as string,
      });
    });

    it('a work that has completed is not cancelled, which is said', () => {
      const id = text(call('hash', '--detach', 's3://objects/small')).split(' ')[0];
      expect(call('jobs', 'wait', id).status).toBe(0);
      const { status, stderr } = call('jobs', 'cancel', id);
      expect(stderr).toBe(`lanewise jobs: ${id}: it has completed, and nothing is cancelled\n`);
      expect(status).toBe(1);
    });

    it('cancel ends a work; wait says so', async () => {
      const name = ['--name', 'nobody'];
      const id = text(call('hash', '--detach', ...name, 's3://objects/folder/content', ...options)).split(' ')[0];
      const waiting = start(['jobs', 'wait', id, ...name], variables);
      expect(text(call('jobs', ...name))).toMatch(new RegExp(`^${id} {2}waiting 0 %`, 'm'));
      expect(call('jobs', 'cancel', id, ...name).status).toBe(0);
      expect(await waiting.ended()).toEqual({ status: 1, signal: null });
      expect(waiting.stderr()).toMatch(/cancelled\n$/);
      expect(text(call('jobs', ...name))).toMatch(new RegExp(`^${id} {2}failed`, 'm'));
    });

    it('nothing in a queue is nothing on the output', () => {
      expect(call('jobs', '--name', 'empty')).toMatchObject({ status: 0, stderr: '', stdout: Buffer.of() });
      expect(text(call('jobs', '--json', '--name', 'empty'))).toBe('[]\n');
    });
  });

  describe('a terminal', { skip: !hasPseudoTerminal }, () => {
    const long = (...values: readonly string[]): Running =>
      startAtTerminal(['hash', `${files}/long`, '--leaf-bytes', '65536', ...values], variables);

    it('shows the progress of the whole, and erases it', async () => {
      const running = long();
      await running.shows(/\d+ %.*of 191 MiB.*\/s.* left/);
      expect((await running.ended()).status).toBe(0);
      const shown = running.stdout();
      // eslint-disable-next-line no-control-regex
      expect(shown).toMatch(/\x1b\[2K[0-9a-f]{64} {2}file:\/\/\S+\/long\r\n$/);
    });

    it('Ctrl-C cancels, and the process ends by the signal', async () => {
      const running = long('--length', '33');
      await running.shows(/[1-9]\d* %/);
      running.child.stdin!.write('\x03');
      await running.ended();
      expect(running.stdout()).toMatch(/lanewise hash: cancelling[^\n]*\n[^]*lanewise hash: cancelled/);
      expect(running.stdout()).not.toMatch(/[0-9a-f]{66}/);
      expect(text(call('jobs'))).toMatch(/^\S+ {2}failed \d+ % .*\/long$/m);
    });
  });

  it('SIGTERM to a caller cancels its work', async () => {
    const running = start(['hash', 's3://objects/small', '--name', 'idle'], variables);
    for (; text(call('jobs', '--name', 'idle')) === '';);
    // A caller whose worker is missing gets a message.
    await running.shows(/no worker is connected; start one: .* --queue redis:\/\/\S+ --name idle --allow …/);
    running.child.kill('SIGTERM');
    expect(await running.ended()).toEqual({ status: null, signal: 'SIGTERM' });
    expect(text(call('jobs', '--name', 'idle'))).toMatch(/ {2}failed/);
  });

  describe('worker', () => {
    it('answers for its health on loopback', async () => {
      const [url] = await worker.shows(/http:\/\/127\.0\.0\.1:\d+\/health/);
      const answer = await fetch(url);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({
        state: 'ready',
        threads: 2,
        completed: expect.any(Number) as number,
      });
      expect((await fetch(url, { method: 'POST' })).status).toBe(405);
      expect((await fetch(new URL('/', url))).status).toBe(404);
    });

    it('a port that is taken is an error, and the worker ends', () => {
      const port = new URL(worker.stdout().match(/http:\S+/)![0]).port;
      const { stderr, status } = call('worker', '--allow', 's3://objects/', '--health', port);
      expect(stderr).toBe(`lanewise worker: --health: port ${port}: address already in use (os error 98)\n`);
      expect(status).toBe(1);
    });

    it.each([
      ['--allow', 'ftp://host/', /--allow expected/, 2],
      ['--allow-write', 'https://host/', /--allow-write expected s3:\/\//, 2],
      ['--allow', 'https://host/?signature=secret', /--allow/, 2],
      ['--key-file', 'a=none', /--key-file a expected .*ENOENT of none/, 1],
      ['--key-file', 'a=content', /expected length 32, got length=3000000/, 1],
      ['--identity', 'none', /--identity expected .*ENOENT of none/, 1],
    ])('%s %s is refused at the start', (option, value, message, status) => {
      const result = call('worker', '--allow', 's3://objects/', option, value);
      expect(result.stderr).toMatch(message);
      expect(result.stderr.trimEnd().split('\n')).toHaveLength(1);
      expect(result.status).toBe(status);
    });

    it('writes JSON, two lines for a work, and ends with 0 after SIGTERM', async () => {
      const name = ['--name', 'json'];
      const json = await startWorker(['--allow', 's3://objects/', '--json', ...name], variables);
      expect(call('hash', 's3://objects/small', ...name).status).toBe(0);
      await json.shows(/worked/);
      json.child.kill('SIGTERM');
      expect(await json.ended()).toEqual({ status: 0, signal: null });
      const lines = json
        .stdout()
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { event: string; source?: string })
        // Of variables of this machine.
        .filter(({ event }) => event !== 'notice');
      expect(lines.map(({ event }) => event)).toEqual(['ready', 'begun', 'worked', 'stopping', 'stopped']);
      expect(lines[1].source).toBe('s3://objects/small');
    });

    it('has no secret in its log', () => {
      const log = worker.stdout() + worker.stderr();
      for (const secret of [s3.options.secretAccessKey, KEY.toString(), KEY.toString('hex')])
        expect(log).not.toContain(secret);
      expect(log).toMatch(/ completed blake3-leaf, s3:\/\/objects\/folder\/content, 65536 bytes at /);
    });
  });

  it.skipIf(!hasServer('postgres'))('a queue in PostgreSQL', async () => {
    const postgres = await startPostgres();
    try {
      const its = { ...variables, LANEWISE_QUEUE: postgres.url };
      const other = await startWorker(['--allow', 's3://objects/'], its);
      const result = lanewise(['hash', '--leaf-bytes', '1048576', 's3://objects/folder/content'], '', its);
      expect(result.stderr).toBe('');
      expect(text(result)).toBe(`${Buffer.from(blake3(content)).toString('hex')}  s3://objects/folder/content\n`);
      expect(text(lanewise(['jobs'], '', its))).toMatch(/ {2}completed {2}.*folder\/content\n$/);
      other.child.kill('SIGTERM');
      expect((await other.ended()).status).toBe(0);
    } finally {
      await postgres.stop();
    }
  });

  it('a queue that is not there is an error without its password', async () => {
    const queue = `redis://user:secret-5b2@127.0.0.1:${await freePort()}`;
    const result = lanewise(['jobs', '--queue', queue], '', variables);
    expect(result.stderr).toMatch(/^lanewise jobs: .*redis:\/\/127\.0\.0\.1:\d+.*\n$/);
    expect(result.stderr).not.toContain('secret-5b2');
    expect(result.status).toBe(1);
  });
});
