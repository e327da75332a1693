/** How many files `hash --queue` loads. Those of BullMQ, ioredis and what they use are counted apart. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasServer } from '../../cluster/test/servers/available.ts';
import { startRedis, type RedisServer } from '../../cluster/test/servers/redis.ts';
import { startWorker, stopAll } from './cluster-programs.ts';
import { built, loaded, noted } from './loaded-files.ts';
import { file, folder, main, program } from './programs.ts';

describe.skipIf(!hasServer('redis-server'))('with a queue', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
    file('object', 'hello');
    await startWorker(['--queue', redis.url, '--allow', `file://${folder}/`], {});
  });
  afterAll(async () => {
    stopAll();
    await redis?.stop();
  });

  it.each([
    ['as published', built, 30],
    ['from its sources', main, 38],
  ])('hash --queue, %s', (_, command, expected) => {
    const values = [command, 'hash', '--queue', redis.url, `file://${folder}/object`];
    // b3sum 1.8.3
    expect(program(process.execPath, values, '', noted).stdout.toString()).toMatch(/^ea8f163db38682925e4491c5e58d4bb3/);
    const { own, others } = loaded();
    expect(own.length, own.join('\n')).toBe(expected);
    expect(others.filter((other) => /age-encryption|curves|post-quantum/.test(other))).toEqual([]);
  });
});
