/** The servers on this machine: any web page can send them a request, and none of these may end them or be taken for their own page's. */
// Runs in Node only: starts servers.
import { readFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { serveFiles } from '../../lab/src/lab/serve.ts';
import { serveRegistry } from '../../release/src/registry.ts';
import { serveApp } from '../../../site/app/serve.ts';
import { serveTest } from '../../../site/app/test/server.ts';
import { serveLocally } from '../src/loopback.ts';
import { isOwn, targetOf } from '../src/requests.ts';

const folder = mkdtempSync(join(tmpdir(), 'lanewise-servers-'));
writeFileSync(join(folder, '_headers'), '/*\n  x-content-type-options: nosniff\n');
writeFileSync(join(folder, 'index.html'), 'the page');
afterAll(() => rmSync(folder, { recursive: true }));

interface Started {
  /** An address that answers with 200. */
  readonly url: string;
  readonly close: () => unknown;
}

const posted: string[] = [];
const servers: Readonly<Record<string, () => Promise<Started>>> = {
  'sessions of engines': () =>
    serveLocally({
      headers: {},
      get: (path) => Promise.resolve(path === '/' ? 'the page' : undefined),
      post: (_, text) => void posted.push(text),
    }),
  'the lab and the site': () =>
    serveFiles(new Map([['index.html', Buffer.from('the page')]]), {
      port: 0,
      isolated: true,
      onPost: (body) => void posted.push(body),
    }),
  'the app': async () => {
    const { server, url } = await serveApp(folder, 0);
    return { url: url.replace('localhost', '127.0.0.1'), close: () => server.close() };
  },
  'the tests of the app': () => serveTest(folder, '', folder, {}),
  'the registry of a release': async () => {
    const registry = await serveRegistry(folder);
    return { url: `${registry.url}/`, close: () => registry.close() };
  },
};

interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Sends the path as it is. The status, or the error. */
const send = (
  url: string,
  path: string,
  { method = 'GET', headers = {}, body = '' }: Sent = {},
): Promise<number | string> =>
  new Promise((resolve) => {
    const { port } = new URL(url);
    const asked = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode!));
    });
    asked.on('error', ({ message }) => resolve(message)).end(body);
  });

const WRONG = [
  '//',
  '//x',
  '/%',
  '/%ff',
  '/%00',
  '/..%2f..%2fetc%2fpasswd',
  '/%5c..%5cx',
  '*',
  'http://other.example/',
];

describe.each(Object.entries(servers))('%s', (name, start) => {
  test('answers what is no path with 400, a foreign name with 403, and goes on', async () => {
    const { url, close } = await start();
    try {
      for (const path of WRONG) expect(await send(url, path), path).toBe(400);
      const { pathname, port } = new URL(url);
      for (const host of ['other.example', `127.0.0.1.other.example:${port}`])
        expect(await send(url, pathname, { headers: { host } }), host).toBe(403);
      expect(await send(url, '/no/such/file')).toBe(name === 'the registry of a release' ? 302 : 404);
      expect(await send(url, pathname)).toBe(name === 'the registry of a release' ? 302 : 200);
    } finally {
      await close();
    }
  });
});

test.each(['sessions of engines', 'the lab and the site'])(
  '%s: messages of other sites, and endless ones, are refused',
  async (name) => {
    const { url, close } = await servers[name]();
    posted.length = 0;
    try {
      const { origin, pathname } = new URL(url);
      const path = `${pathname}message`;
      const sent = (from: string | undefined, body: string): Promise<number | string> =>
        send(url, path, { method: 'POST', body, headers: from === undefined ? {} : { origin: from } });
      for (const from of [
        'http://evil.example',
        'null',
        'http://127.0.0.1:1',
        origin.replace('127.0.0.1', 'localhost'),
      ])
        expect(await sent(from, 'forged'), from).toBe(403);
      expect(await sent(origin, 'x'.repeat(2 ** 24 + 1))).not.toBe(200);
      expect(posted).toEqual([]);
      expect([200, 204]).toContain(await sent(origin, 'own'));
      expect(posted).toEqual(['own']);
    } finally {
      await close();
    }
  },
);

test('a session is at a path that cannot be guessed, and so are its messages', async () => {
  const paths = new Set<string>();
  for (let i = 0; i < 3; i++) {
    const { url, close } = await servers['sessions of engines']();
    posted.length = 0;
    paths.add(new URL(url).pathname);
    expect(await send(url, '/')).toBe(404);
    expect(await send(url, '/message', { method: 'POST', body: 'forged' })).toBe(404);
    await close();
  }
  expect(posted).toEqual([]);
  expect(paths.size).toBe(3);
  for (const path of paths) expect(path).toMatch(/^\/[0-9a-f]{32}\/$/);
});

test('paths are decoded, and lead down only', () => {
  expect(targetOf({ url: '/a%20b/%C3%A9?x=1' })?.path).toBe('/a b/é');
  expect(targetOf({ url: '/@scope%2fname' })?.path).toBe('/@scope/name');
  expect(targetOf({ url: '/a/../b' })?.path).toBe('/b');
  for (const url of WRONG) expect(targetOf({ url }), url).toBeUndefined();
  expect(isOwn({ headers: { host: 'localhost:1' } })).toBe(true);
});

test('no server of the repository reads a path by itself', () => {
  // The video example is for users to copy, and has its own reading and test.
  for (const file of [
    'lab/src/lab/serve.ts',
    'release/src/registry.ts',
    'runtimes/src/loopback.ts',
    '../site/app/serve.ts',
    '../site/app/test/server.ts',
  ]) {
    const text = readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
    expect(text, file).toMatch(/createServer\(\s*onLoopback\(/);
    expect(text, file).not.toMatch(/new URL\(request\.url!?[,)]/);
  }
});
