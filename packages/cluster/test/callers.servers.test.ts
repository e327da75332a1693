/** Several callers who ask for the same at once, also for a task that has just failed: each of them gets the answer. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { blake3 } from 'lanewise/blake3.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cluster, createWorker, type Cluster } from '../src/index.ts';
import { thrown } from './bytes.ts';
import { bytesFor } from './objects-on-disk.ts';
import { hasServer, type ServerName } from './servers/available.ts';
import { startPostgres } from './servers/postgres.ts';
import { startRedis } from './servers/redis.ts';

const CALLERS = 6;
const ROUNDS = 20;
const content = bytesFor('callers', 300_000);

const queues = [
  ['redis-server', startRedis],
  ['postgres', startPostgres],
] as const satisfies readonly (readonly [ServerName, () => Promise<{ url: string; stop(): Promise<void> }>])[];

describe('callers at once', () => {
  let web: Server;
  let base: string;
  /** Whether ranges are refused; a look-up reads the last byte. */
  let denies = false;

  beforeAll(async () => {
    web = createServer((request, response) => {
      const etag = `"${createHash('sha256').update(request.url!).digest('hex')}"`;
      const [, first, last] = (/^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []).map(Number);
      if (request.method === 'HEAD') response.writeHead(200, { etag, 'content-length': content.length }).end();
      else if (denies && first !== content.length - 1) response.writeHead(403).end();
      else {
        response.writeHead(206, { etag, 'content-range': `bytes ${first}-${last}/${content.length}` });
        response.end(content.subarray(first, last + 1));
      }
    }).listen(0, '127.0.0.1');
    await once(web, 'listening');
    base = `http://127.0.0.1:${(web.address() as AddressInfo).port}/`;
  });
  afterAll(() => {
    web.close();
    web.closeAllConnections();
  });

  test.each(queues.filter(([name]) => hasServer(name)))('%s: all get the hash', async (_name, startQueue) => {
    const server = await startQueue();
    const worker = await createWorker(server.url, { allow: [base], threads: 2 });
    const callers = Array.from({ length: CALLERS }, () => cluster(server.url));
    const hash = async (caller: Cluster, url: string) => (await caller.blake3(url, { leafBytes: 65_536 })).hash;
    const expected = Array.from({ length: CALLERS }, () => blake3(content));
    for (let round = 0; round < ROUNDS; round++) {
      const url = `${base}${round}`;
      if (round % 4 > 0) {
        denies = true;
        expect(String(await thrown(hash(callers[0], url)))).toContain('denies access');
        denies = false;
      }
      expect(await Promise.all(callers.map((caller) => hash(caller, url)))).toEqual(expected);
    }
    // Earlier failures are listed, too, and each question is answered once.
    const ended = (await callers[0].jobs()).filter(({ state }) => state !== 'failed');
    expect(ended.map(({ state }) => state)).toEqual(Array.from({ length: ROUNDS }, () => 'completed'));
    expect(new Set(ended.map(({ source }) => source)).size).toBe(ROUNDS);
    await Promise.all(callers.map((caller) => caller.close()));
    await worker.stop();
    await server.stop();
  });
});
