/** The example of examples/verified-video: a film from a server that tampers when it is told to, in Chromium and Firefox. */
// Runs in Node only: starts a server and browsers.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { build } from 'esbuild';
import { afterAll, expect, it } from 'vitest';
import { browse, findBrowser } from '../../../runtimes/src/browsers.ts';
import { chromium } from '../../../runtimes/src/chromium.ts';
import { firefox } from '../../../runtimes/src/firefox.ts';
import { inWords } from '../../../runtimes/src/processes.ts';
import { outboard } from '../../src/bao.ts';
import { bytesToHex } from '../../src/utils.ts';
import { expectBytes } from '../support/bytes.ts';
import { wave } from '../support/wave.ts';

const example = join(import.meta.dirname, '../../../../examples/verified-video');
const source = (name: string): string => join(import.meta.dirname, `../../src/${name}.ts`);
const alias = Object.fromEntries(['bao', 'stream', 'utils'].map((name) => [`lanewise/${name}.js`, source(name)]));

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
interface ServeModule {
  readonly answers: (film: string, tree: string, alias: object) => Promise<Answer>;
}
const { answers } = (await import(join(example, 'serve.js'))) as ServeModule;

const folder = mkdtempSync(join(tmpdir(), 'lanewise-verified-video-'));
afterAll(() => rmSync(folder, { recursive: true }));
const SECONDS = 60;
const film = wave(SECONDS);
const path = join(folder, 'film.wav');
const tree = join(folder, 'film.obao');
const { hash, outboard: made } = await outboard(film, { groupLength: 16_384 });
writeFileSync(path, film);
writeFileSync(tree, made);

/** What both pages of the test do: send bytes here, and read an address as far as it goes. */
const SHARED = `
  export const post = (path, body) => fetch('/test' + path, { method: 'POST', body });
  export async function readTo(address, range) {
    const response = await fetch(address, { headers: { range: 'bytes=' + range } });
    const parts = [];
    let error = '';
    try {
      if (response.ok) for (const reader = response.body.getReader(); ; ) {
        const { done, value } = await reader.read();
        if (done) break;
        parts.push(value);
      } else error = await response.text();
    } catch (thrown) {
      error = String(thrown);
    }
    await post('/body?' + range + (error ? ' error' : ''), new Blob(parts));
  }`;

/** In the page itself: ranges, a seek, then with the button pressed, and again without. */
const IN_PAGE = `
  import { post, readTo } from 'shared';
  const find = (selector) => document.querySelector(selector);
  const [video, button, status, alert] = ['video', 'button', '[role=status]', '[role=alert]'].map(find);
  const until = async (condition) => {
    while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  const seek = async (to) => {
    video.currentTime = to;
    await until(() => !video.seeking && video.currentTime === to);
  };
  const press = async (expected) => {
    button.click();
    await until(() => button.getAttribute('aria-pressed') === expected);
  };
  try {
    await until(() => video.readyState >= 1);
    const honest = { duration: video.duration, alert: alert.textContent };
    await readTo(video.src, '0-99');
    await readTo(video.src, '1000000-1999999');
    await seek(50);
    await press('true');
    await readTo(video.src, '1000000-1999999');
    await readTo(video.src, '16384-32767');
    video.currentTime = 20;
    // A player asks again for some time before it gives up.
    await until(() => /bytes 17[^]* match/.test(alert.textContent));
    const tampered = { pressed: button.getAttribute('aria-pressed'), alert: alert.textContent };
    await press('false');
    await until(() => !video.error && video.readyState >= 1 && !video.seeking);
    await seek(30);
    // It tells of a refusal from before until the player goes on.
    await until(() => alert.textContent === '');
    const again = { alert: alert.textContent, status: status.textContent };
    await post('/said', JSON.stringify({ honest, tampered, again }));
    location = '/test/mirrors';
  } catch (error) {
    await post('/done', String(error?.stack ?? error));
  }`;

/** Another page, whose film has a mirror: the server goes on tampering, and no one notices. */
const WITH_MIRROR = `
  import { hexToBytes } from 'lanewise/utils.js';
  import { post, readTo } from 'shared';
  import { proven } from './page.js';
  try {
    await fetch('/tamper', { method: 'POST' });
    const film = { url: '/film', outboard: '/film.obao', hash: hexToBytes('${bytesToHex(hash)}'), type: 'audio/wav' };
    await readTo(await proven({ ...film, mirrors: ['/test/mirror'] }), '2000000-2999999');
    await readTo(await proven(film), '2000000-2999999');
    await readTo('/proven/7', '0-0');
    await post('/done', '');
  } catch (error) {
    await post('/done', String(error?.stack ?? error));
  }`;

async function scriptOf(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { resolveDir: example, contents },
    bundle: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    alias: { ...alias, shared: join(folder, 'shared.js') },
  });
  return outputFiles[0].text;
}
writeFileSync(join(folder, 'shared.js'), SHARED);
const scripts: Record<string, string> = {
  '/test/page.js': await scriptOf(IN_PAGE),
  '/test/mirrors.js': await scriptOf(WITH_MIRROR),
};

interface Body {
  /** The range that was asked for, and whether the body ended in an error. */
  readonly what: string;
  readonly bytes: Buffer;
}

it.for([chromium, firefox])('no wrong byte goes to the player: $name', async (browser, { skip }) => {
  const found = await findBrowser(browser);
  if (found.missing !== undefined) return skip(`there is no ${found.missing}: ${found.howToGet}`);
  const bodies: Body[] = [];
  let said: unknown;
  let problem: string | undefined;
  const { promise: done, resolve: finish } = Promise.withResolvers<undefined>();
  const answer = await answers(path, tree, alias);
  const taken = async (pathname: string, search: string, body: Promise<Buffer>): Promise<void> => {
    const bytes = await body;
    if (pathname === '/test/body') bodies.push({ what: decodeURIComponent(search.slice(1)), bytes });
    else if (pathname === '/test/said') said = JSON.parse(bytes.toString());
    else {
      problem = bytes.toString();
      finish(undefined);
    }
  };
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url!, 'http://localhost');
    const html = (text: string): unknown => response.setHeader('content-type', 'text/html').end(text);
    if (pathname === '/')
      html(`${readFileSync(join(example, 'index.html'), 'utf8')}<script type="module" src="/test/page.js"></script>`);
    else if (pathname === '/test/mirrors')
      html('<!doctype html><script type="module" src="/test/mirrors.js"></script>');
    else if (pathname in scripts) response.setHeader('content-type', 'text/javascript').end(scripts[pathname]);
    else if (pathname === '/test/mirror') {
      // As the server when it is honest.
      request.url = '/film';
      honest(request, response);
    } else if (pathname.startsWith('/test/'))
      void taken(pathname, search, buffer(request)).finally(() => response.end());
    else answer(request, response);
  });
  const honest = await answers(path, tree, alias);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/#${bytesToHex(hash)},audio%2Fwav`;
    const ending = await browse(browser, found.path, url, done);
    if (ending) expect.fail(`the browser ${inWords(ending)}`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
  expect(problem).toBe('');
  expect(said).toEqual({
    honest: { duration: SECONDS, alert: '' },
    tampered: {
      pressed: 'true',
      alert: expect.stringMatching(
        /^Refused: bytes \d+ to \d+ do not match the hash\. The player got none of them/,
      ) as unknown,
    },
    again: { alert: '', status: expect.stringMatching(/^[\d.]+ MB proven/) as unknown },
  });
  expect(bodies.map(({ what }) => what)).toEqual([
    '0-99',
    '1000000-1999999',
    '1000000-1999999 error',
    '16384-32767 error',
    '2000000-2999999',
    '2000000-2999999 error',
    '0-0 error',
  ]);
  for (const { what, bytes } of bodies) {
    const [from, to] = /^(\d+)-(\d+)/.exec(what)!.slice(1).map(Number);
    // A bit of each group is wrong, so there is no right piece in front of a wrong one.
    if (what.includes('error')) expect(bytes, what).toHaveLength(0);
    else expectBytes(bytes, film.subarray(from, to + 1), what);
  }
});

it('the README names all files', () => {
  const readme = readFileSync(join(example, 'README.md'), 'utf8');
  for (const name of ['service-worker.js', 'page.js', 'main.js', 'serve.js']) expect(readme).toContain(`\`${name}\``);
});
