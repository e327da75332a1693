/** The example of examples/video: a service worker that decrypts ranges of a film, in Chromium. */
// Runs in Node only: starts a server and a browser.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { build } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import { browse, findBrowser } from '../../../runtimes/src/browsers.ts';
import { chromium } from '../../../runtimes/src/chromium.ts';
import { inWords } from '../../../runtimes/src/processes.ts';
import { chunked, type Reader } from '../../src/stream.ts';
import { bytesToHex } from '../../src/utils.ts';
import { concat, expectBytes, sample } from '../support/bytes.ts';
import { through } from '../support/stream.ts';
import { wave } from '../support/wave.ts';

const example = join(import.meta.dirname, '../../../../examples/video');
const source = (name: string): string => join(import.meta.dirname, `../../src/${name}.ts`);
const alias = { 'lanewise/stream.js': source('stream'), 'lanewise/utils.js': source('utils') };

interface RangeModule {
  readonly rangeOf: (header: string | null, size: number) => [number, number] | 'all' | 'none';
  readonly answer: (
    request: Request,
    file: Pick<Reader, 'read' | 'size'>,
    type: string,
    onError: (error: unknown) => void,
  ) => Response;
}
const { rangeOf, answer } = (await import(join(example, 'range.js'))) as RangeModule;

interface ServeModule {
  readonly bundle: (alias: object) => Promise<Record<string, string>>;
  readonly serveFile: (path: string, request: IncomingMessage, response: ServerResponse) => Promise<unknown>;
}
const serving = async (): Promise<ServeModule> => (await import(join(example, 'serve.js'))) as ServeModule;

describe('Range headers', () => {
  const cases: readonly [header: string | null, size: number, expected: [number, number] | 'all' | 'none'][] = [
    [null, 1000, 'all'],
    ['bytes=0-', 1000, [0, 1000]],
    ['bytes=0-0', 1000, [0, 1]],
    ['bytes=999-999', 1000, [999, 1000]],
    ['bytes=500-', 1000, [500, 1000]],
    ['bytes=500-2000', 1000, [500, 1000]],
    ['bytes=1000-', 1000, 'none'],
    ['bytes=1000-1001', 1000, 'none'],
    ['bytes=-1', 1000, [999, 1000]],
    ['bytes=-1000', 1000, [0, 1000]],
    ['bytes=-5000', 1000, [0, 1000]],
    ['bytes=-0', 1000, 'none'],
    ['BYTES=1-2', 1000, [1, 3]],
    // Malformed, of another unit, or of several ranges: to be ignored.
    ['bytes=5-4', 1000, 'all'],
    ['bytes=-', 1000, 'all'],
    ['bytes=', 1000, 'all'],
    ['bytes=a-b', 1000, 'all'],
    ['bytes=1-2,5-6', 1000, 'all'],
    ['bytes=1.5-2', 1000, 'all'],
    ['bytes 1-2', 1000, 'all'],
    ['lines=1-2', 1000, 'all'],
    // A file of no bytes has no range.
    ['bytes=0-', 0, 'none'],
    ['bytes=-5', 0, 'none'],
    [null, 0, 'all'],
    ['bytes=99999999999999999999-', 1000, 'none'],
  ];
  it.each(cases)('%s of %i bytes', (header, size, expected) => expect(rangeOf(header, size)).toEqual(expected));
});

describe('answers', () => {
  const plaintext = sample(700_000, 61);
  const reads: [number, number][] = [];
  const file = {
    size: plaintext.length,
    read(from: number, to: number) {
      reads.push([from, to]);
      return Promise.resolve(plaintext.slice(from, to));
    },
  };
  const get = (headers: Record<string, string>, method = 'GET'): Response =>
    answer(new Request('http://localhost/', { headers, method }), file, 'video/mp4', () => undefined);
  const bodyOf = async (response: Response): Promise<Uint8Array> => new Uint8Array(await response.arrayBuffer());

  it('a range, in pieces at the edges of chunks', async () => {
    reads.length = 0;
    const response = get({ range: 'bytes=100000-600000' });
    expect([response.status, ...response.headers].map(String)).toEqual([
      '206',
      'accept-ranges,bytes',
      'cache-control,no-store',
      'content-length,500001',
      'content-range,bytes 100000-600000/700000',
      'content-type,video/mp4',
    ]);
    expectBytes(await bodyOf(response), plaintext.subarray(100_000, 600_001), 'body');
    expect(reads).toEqual([
      [100_000, 262_144],
      [262_144, 524_288],
      [524_288, 600_001],
    ]);
  });

  it('all of it', async () => {
    for (const headers of [{}, { range: 'bytes=5-1' }, { range: 'bytes=0-5', 'if-range': '"one"' }]) {
      const response = get(headers);
      expect([response.status, response.headers.get('content-range')]).toEqual([200, null]);
      expectBytes(await bodyOf(response), plaintext, 'body');
    }
  });

  it('no such range', async () => {
    const response = get({ range: 'bytes=700000-' });
    expect([response.status, response.headers.get('content-range')]).toEqual([416, 'bytes */700000']);
    expect(await bodyOf(response)).toHaveLength(0);
  });

  it('HEAD', async () => {
    reads.length = 0;
    const response = get({ range: 'bytes=5-9' }, 'HEAD');
    expect([response.status, response.headers.get('content-length')]).toEqual([206, '5']);
    expect(await bodyOf(response)).toHaveLength(0);
    expect(reads).toEqual([]);
  });

  it('reads no further when nobody reads the answer', async () => {
    let aborted = false;
    const slow = {
      size: 1e6,
      read: (_from: number, _to: number, options?: { signal?: AbortSignal }) =>
        new Promise<never>((_, reject) =>
          options!.signal!.addEventListener('abort', () => {
            aborted = true;
            reject(new Error('aborted'));
          }),
        ),
    };
    const errors: unknown[] = [];
    const response = answer(new Request('http://localhost/'), slow, 'video/mp4', (error) => errors.push(error));
    const reader = response.body!.getReader();
    const read = reader.read();
    await new Promise((resolve) => setTimeout(resolve));
    await reader.cancel();
    await read;
    expect(aborted).toBe(true);
    expect(errors).toEqual([]);
  });

  it('tells of errors in the midst of a body', async () => {
    const mine = new Error('mine');
    const broken = { size: 5, read: () => Promise.reject(mine) };
    const errors: unknown[] = [];
    const response = answer(new Request('http://localhost/'), broken, 'video/mp4', (error) => errors.push(error));
    await expect(response.arrayBuffer()).rejects.toThrow();
    expect(errors).toEqual([mine]);
  });
});

interface Reply {
  readonly range: string | null;
  readonly status: number;
  readonly contentRange: string | null;
}

const folder = mkdtempSync(join(tmpdir(), 'lanewise-video-'));
afterAll(() => rmSync(folder, { recursive: true }));

const found = await findBrowser(chromium);
describe('the server', () => {
  /** The descriptors of this process that are open on a file. */
  const openOn = (path: string): number =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`) === path;
      } catch {
        return false; // closed meanwhile
      }
    }).length;

  it.runIf(existsSync('/proc/self/fd'))('closes the file when a request is aborted, as each seek is', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lanewise-film-')));
    const path = join(folder, 'film.encrypted');
    writeFileSync(path, new Uint8Array(32 * 2 ** 20));
    const { serveFile } = await serving();
    const server = createServer((request, response) => void serveFile(path, request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      for (let i = 0; i < 20; i++)
        await new Promise<void>((resolve) => {
          const asked = get({ host: '127.0.0.1', port }, (response) => response.once('data', () => asked.destroy()));
          asked.once('close', resolve).on('error', () => undefined);
        });
      await expect.poll(() => openOn(path), { timeout: 5000 }).toBe(0);
    } finally {
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true });
    }
  });

  it('answers what is no path or no longer there, and removes its folder at the end', { timeout: 30_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lanewise-film-'));
    const temporary = join(folder, 'temporary');
    mkdirSync(temporary);
    writeFileSync(join(folder, 'film.mp4'), 'a film');
    const program = join(import.meta.dirname, '../../../../examples/video/serve.js');
    const running = spawn(process.execPath, [program, join(folder, 'film.mp4')], {
      env: { ...process.env, TMPDIR: temporary, TEMP: temporary },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(running, 'exit');
    try {
      const [line] = (await once(running.stdout.setEncoding('utf8'), 'data')) as [string];
      const { port } = new URL(line);
      const statusOf = (path: string): Promise<number> =>
        new Promise((resolve, reject) => {
          get({ host: '127.0.0.1', port, path }, (response) => {
            response.resume().once('end', () => resolve(response.statusCode!));
          }).once('error', reject);
        });
      expect(await statusOf('//')).toBe(400);
      expect(await statusOf('/constructor')).toBe(404);
      expect(await statusOf('/film.encrypted')).toBe(200);
      const [made] = readdirSync(temporary);
      rmSync(join(temporary, made, 'film.encrypted'));
      expect(await statusOf('/film.encrypted')).toBe(500);
      expect(await statusOf('/')).toBe(200);
    } finally {
      running.kill('SIGTERM');
      await ended;
    }
    expect(readdirSync(temporary)).toEqual([]);
    rmSync(folder, { recursive: true });
  });
});

describe('in Chromium', () => {
  it('a page fetches ranges through the worker, and a media element seeks', async ({ skip }) => {
    if (found.missing !== undefined) return skip(`there is no ${found.missing}: ${found.howToGet}`);
    const { bundle, serveFile } = await serving();
    const film = wave(60);
    const key = sample(32, 63);
    const sealer = await chunked(key).sealer();
    const encrypted = join(folder, 'film.encrypted');
    writeFileSync(encrypted, concat(sealer.header, through(sealer, [film])));
    const ranges = ['bytes=0-0', 'bytes=16383-16385', 'bytes=1000000-1999999', 'bytes=-100', 'bytes=5000000-', null];
    const bodies: Uint8Array[] = [];
    const replies: Reply[] = [];
    const fetched: string[] = [];
    let said: unknown;
    let finish!: () => void;
    const done = new Promise<void>((resolve) => (finish = resolve));

    const page = await build({
      stdin: {
        resolveDir: example,
        contents: `
          import { hexToBytes } from 'lanewise/utils.js';
          import { decrypted } from './page.js';
          const post = (path, body) => fetch(path, { method: 'POST', body });
          try {
            const key = hexToBytes('${bytesToHex(key)}');
            const address = await decrypted({ url: '/film.encrypted', key, type: 'audio/wav' });
            for (const range of ${JSON.stringify(ranges)}) {
              const response = await fetch(address, range ? { headers: { range } } : {});
              const contentRange = response.headers.get('content-range');
              const reply = { range, status: response.status, contentRange };
              await post('/body?' + encodeURIComponent(JSON.stringify(reply)), await response.arrayBuffer());
            }
            const gone = await fetch(address, { headers: { range: 'bytes=${film.length}-' } });
            const unknown = await fetch('/decrypted/7');
            const audio = new Audio();
            const heard = (name) =>
              new Promise((resolve, reject) => {
                audio.addEventListener(name, resolve, { once: true });
                audio.addEventListener('error', () => reject(new Error(audio.error.message)), { once: true });
              });
            audio.preload = 'metadata';
            audio.src = address;
            await heard('loadedmetadata');
            await post('/seeking');
            audio.currentTime = 50;
            await heard('seeked');
            const { duration, currentTime } = audio;
            await post('/done', JSON.stringify({
              duration, currentTime, unsatisfiable: [gone.status, gone.headers.get('content-range')],
              unknown: [unknown.status, await unknown.text()],
            }));
          } catch (error) {
            await post('/done', JSON.stringify(String(error?.stack ?? error)));
          }`,
      },
      bundle: true,
      format: 'esm',
      target: 'es2022',
      write: false,
      alias,
    });
    const scripts: Record<string, string> = { ...(await bundle(alias)), '/test.js': page.outputFiles[0].text };
    const server = createServer((request, response) => {
      const { pathname, search } = new URL(request.url!, 'http://localhost');
      if (pathname === '/film.encrypted') {
        fetched.push(request.headers.range ?? 'all');
        void serveFile(encrypted, request, response);
      } else if (request.method === 'POST')
        void buffer(request).then((body) => {
          response.end();
          if (pathname === '/seeking') fetched.push('seeking');
          else if (pathname === '/body') {
            replies.push(JSON.parse(decodeURIComponent(search.slice(1))) as Reply);
            bodies.push(body);
          } else {
            said = JSON.parse(body.toString());
            finish();
          }
        });
      else if (pathname === '/')
        response
          .setHeader('content-type', 'text/html')
          .end('<!doctype html><script type="module" src="/test.js"></script>');
      else if (pathname in scripts) response.setHeader('content-type', 'text/javascript').end(scripts[pathname]);
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      const ending = await browse(chromium, found.path, url, done);
      if (ending) expect.fail(`the browser ${inWords(ending)}`);
    } finally {
      server.close();
      server.closeAllConnections();
    }
    expect(said).toEqual({
      duration: 60,
      currentTime: 50,
      unsatisfiable: [416, `bytes */${film.length}`],
      unknown: [502, 'Error: no page has a key for it'],
    });
    expect(replies.map(({ range }) => range)).toEqual(ranges);
    replies.forEach(({ range, status, contentRange }, i) => {
      const parts = rangeOf(range, film.length);
      const [from, to] = parts === 'all' ? [0, film.length] : (parts as [number, number]);
      expect(status).toBe(range === null ? 200 : 206);
      expect(contentRange).toBe(range === null ? null : `bytes ${from}-${to - 1}/${film.length}`);
      expectBytes(bodies[i], film.subarray(from, to), `${range}`);
    });
    // The seek has fetched the bytes there, and not those in front of them.
    const after = fetched.slice(fetched.indexOf('seeking') + 1);
    const starts = after.map((range) => Number(/^bytes=(\d+)-/.exec(range)![1]));
    expect(Math.max(...starts)).toBeGreaterThan(44_100 * 2 * 45);
    expect(fetched).not.toContain('all');
  });
});

it('the README names all files', () => {
  const readme = readFileSync(join(example, 'README.md'), 'utf8');
  for (const name of ['service-worker.js', 'range.js', 'page.js', 'main.js', 'serve.js'])
    expect(readme).toContain(`\`${name}\``);
});
