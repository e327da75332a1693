/** Queues that refuse, or that would lose jobs, are errors that say so, without the password; closing ends waiting calls. */
import { spawnSync } from 'node:child_process';
import { createConnection, createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cluster, createWorker } from '../src/index.ts';
import { fileObject } from './objects-on-disk.ts';
import { hasServer } from './servers/available.ts';
import { temporaryFolder } from './servers/process.ts';
import { startRedis, type RedisServer } from './servers/redis.ts';

describe.skipIf(!hasServer('redis-server'))('a queue in Redis', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(async () => await redis.stop());

  /** One command, as people type it. */
  async function command(text: string): Promise<void> {
    const socket = createConnection({ host: '127.0.0.1', port: redis.port });
    socket.write(`${text}\r\n`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    expect(answer.toString()).toMatch(/^\+OK/);
  }

  /** The messages to a caller and a worker. */
  async function refusals(url: string): Promise<readonly Error[]> {
    const queue = cluster(url);
    const errors = [queue.jobs(), createWorker(url, { allow: ['file:///'] })].map(
      async (call) =>
        await Promise.resolve(call).then(
          () => expect.unreachable(),
          (error: unknown) => error as Error,
        ),
    );
    const found = await Promise.all(errors);
    await queue.close();
    return found;
  }

  test('a wrong password is an error that does not carry it, in no property', async () => {
    for (const error of await refusals(redis.url.replace('//', '//bob:hunter2@'))) {
      expect(error.message).toMatch(
        /^the queue redis:\/\/127\.0\.0\.1:\d+ refuses: the user or the password is wrong \(WRONGPASS\)$/,
      );
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('hunter2');
    }
  });

  test('a database that is not there is an error, and not the first one', async () => {
    for (const error of await refusals(`${redis.url}/99`))
      expect(error.message).toMatch(/\/99 refuses: ERR DB index is out of range$/);
  });

  test('a server whose memory is used up is an error that says so, and no half of a work is left', async () => {
    const folder = temporaryFolder();
    const object = fileObject(folder.path, 'object', 100_000);
    const queue = cluster(redis.url);
    await queue.jobs();
    await command('CONFIG SET maxmemory 1mb');
    const error = await queue.blake3(object.url, { leafBytes: 1024 }).catch(String);
    await command('CONFIG SET maxmemory 0');
    expect(error).toMatch(/^Error: the queue redis:\/\/127\.0\.0\.1:\d+ refuses: OOM command not allowed/);
    expect(await queue.jobs()).toEqual([]);
    await queue.close();
    folder.remove();
  });

  test('a server that may evict any key is an error that says what to set', async () => {
    await command('CONFIG SET maxmemory-policy allkeys-lru');
    const errors = await refusals(redis.url);
    await command('CONFIG SET maxmemory-policy noeviction');
    for (const error of errors) expect(error.message).toMatch(/allkeys-lru: set it to noeviction/);
  });

  test('a server that wants a password is an error that says so', async () => {
    await command('CONFIG SET requirepass secret-41c');
    const errors = await refusals(redis.url);
    await command('AUTH secret-41c\r\nCONFIG SET requirepass ""');
    for (const error of errors) expect(error.message).toMatch(/refuses: it wants a password: .*\(NOAUTH\)$/);
  });

  test('a replica is an error: workers would ask it for jobs without end', async () => {
    await command(`REPLICAOF 127.0.0.1 ${redis.port}`);
    const errors = await refusals(redis.url);
    await command('REPLICAOF NO ONE');
    for (const error of errors) expect(error.message).toMatch(/ is a read-only replica: .* its master$/);
  });

  test('a server that is no Redis is an error that says so', async () => {
    const server = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    for (const error of await refusals(`redis://127.0.0.1:${port}`))
      expect(error.message).toMatch(/ refuses: what answers there is no Redis$/);
    server.close();
  });

  test('what a log throws is an uncaught exception, and the jobs are done', () => {
    const program = `
      import { cluster, createWorker } from ${JSON.stringify(new URL('../src/index.ts', import.meta.url).href)};
      const [logged, thrown] = [[], []];
      process.on('uncaughtException', (error) => thrown.push(error.message));
      const [url, name] = [${JSON.stringify(redis.url)}, 'log'];
      const log = ({ event }) => { logged.push(event); throw new Error(event); };
      const worker = await createWorker(url, { name, log, threads: 1, allow: ['file:///'] });
      const queue = cluster(url, { name });
      await queue.blake3(${JSON.stringify(import.meta.url)});
      await queue.close();
      await worker.stop();
      console.log(logged.join() + '\\n' + thrown.join());`;
    const ended = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect(ended.stderr).toBe('');
    // The caller may have the result, and stop the worker, before the worker has logged that the job is done.
    const [logged, thrown] = ended.stdout.trim().split('\n');
    expect(thrown).toBe(logged);
    expect(logged).toMatch(/^ready,started\b.*,stopped$/);
    expect(logged.split(',')).toEqual(expect.arrayContaining(['completed', 'stopping']));
  });

  test('keys of the queue that are no jobs are not found as jobs', async () => {
    const queue = cluster(redis.url);
    await queue.submit({ kind: 'blake3', source: import.meta.url });
    await expect(queue.job('events')).resolves.toBeUndefined();
    await queue.close();
  });

  test('after close() whatever was asked ends at once, and so does the program', () => {
    const program = `
      import { cluster } from ${JSON.stringify(new URL('../src/index.ts', import.meta.url).href)};
      for (const wait of [0, 500]) {
        const queue = cluster(${JSON.stringify(redis.url)});
        const asked = Array.from({ length: 20 }, () => queue.jobs().then(() => 'done', (error) => error.message));
        await new Promise((resolve) => setTimeout(resolve, wait));
        asked.push(queue.jobs().then(() => 'done', (error) => error.message));
        await queue.close();
        for (const each of await Promise.all(asked)) if (!/^done$|closed$/.test(each)) throw new Error(each);
      }`;
    const ended = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      encoding: 'utf8',
      timeout: 20_000,
    });
    expect(ended.stderr).toBe('');
    expect(ended.status).toBe(0);
  }, 30_000);
});
