/** The servers of the tests start, keep their data over a restart, and are gone afterwards. */
import { Redis } from 'ioredis';
import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { hasServer } from './servers/available.ts';
import { startPostgres } from './servers/postgres.ts';
import { startRedis } from './servers/redis.ts';
import { startS3 } from './servers/s3.ts';

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe.skipIf(!hasServer('redis-server'))('redis-server', () => {
  test('keeps its data when it is killed and started again', async () => {
    const server = await startRedis();
    stops.push(() => server.stop());
    const redis = new Redis(server.url);
    redis.on('error', () => undefined);
    stops.unshift(() => redis.quit());
    await redis.set('name', 'value');
    const { pid } = server;
    await server.restart({ kill: true });
    expect(server.pid).not.toBe(pid);
    expect(isThere(pid)).toBe(false);
    expect(await redis.get('name')).toBe('value');
    await server.stop();
    expect(isThere(server.pid)).toBe(false);
  });
});

describe.skipIf(!hasServer('postgres'))('PostgreSQL', () => {
  test('answers', async () => {
    const server = await startPostgres();
    stops.push(() => server.stop());
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    expect((await client.query('select 6 * 7 as answer')).rows).toEqual([{ answer: 42 }]);
    await client.end();
    await server.stop();
    expect(isThere(server.pid)).toBe(false);
  });
});

describe.skipIf(!hasServer('versitygw'))('versitygw', () => {
  test('keeps objects and refuses a wrong If-Match', async () => {
    const server = await startS3();
    stops.push(() => server.stop());
    await server.put('folder/name with blanks', 'content');
    expect(await server.get('folder/name with blanks')).toEqual(new TextEncoder().encode('content'));
    expect(await server.get('none')).toBeUndefined();
    expect(await server.keys()).toEqual(['folder/name with blanks']);
    expect(await server.uploads()).toEqual([]);
    expect((await server.request('POST', `/${server.bucket}/draft?uploads`)).status).toBe(200);
    expect(await server.uploads()).toEqual(['draft']);
    await server.stop();
    expect(isThere(server.pid)).toBe(false);
  });
});
