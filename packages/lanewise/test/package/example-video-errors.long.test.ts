/** The page of examples/video with a wrong key, in Chromium: it says why it shows no film. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, it, expect } from 'vitest';
import { browse, findBrowser } from '../../../runtimes/src/browsers.ts';
import { chromium } from '../../../runtimes/src/chromium.ts';
import { inWords } from '../../../runtimes/src/processes.ts';
import { chunked } from '../../src/stream.ts';
import { bytesToHex } from '../../src/utils.ts';
import { concat, sample } from '../support/bytes.ts';
import { through } from '../support/stream.ts';

const example = join(import.meta.dirname, '../../../../examples/video');
const source = (name: string): string => join(import.meta.dirname, `../../src/${name}.ts`);
const alias = { 'lanewise/stream.js': source('stream'), 'lanewise/utils.js': source('utils') };

interface ServeModule {
  readonly bundle: (alias: object) => Promise<Record<string, string>>;
  readonly serveFile: (path: string, request: IncomingMessage, response: ServerResponse) => Promise<unknown>;
}

/** Sends the page's message to this test. */
const REPORT = `
  const alert = document.querySelector('[role=alert]');
  const post = () => alert.textContent && fetch('/said', { method: 'POST', body: alert.textContent });
  new MutationObserver(post).observe(alert, { childList: true });
  post();`;

const folder = mkdtempSync(join(tmpdir(), 'lanewise-video-'));
afterAll(() => rmSync(folder, { recursive: true }));
const found = await findBrowser(chromium);

it.for([
  ['another key', bytesToHex(sample(32, 64)), "The film can't be played. Error: wrong key or context"],
  ['half a key', 'a1b', "The film can't be played. RangeError: "],
])('the page says why it shows no film: %s', async ([, key, expected], { skip }) => {
  if (found.missing !== undefined) return skip(`there is no ${found.missing}: ${found.howToGet}`);
  const { bundle, serveFile } = (await import(join(example, 'serve.js'))) as ServeModule;
  const sealer = await chunked(sample(32, 63)).sealer();
  const encrypted = join(folder, `${key}.encrypted`);
  writeFileSync(encrypted, concat(sealer.header, through(sealer, [sample(100_000, 65)])));
  const scripts: Record<string, string> = { ...(await bundle(alias)), '/report.js': REPORT };
  const page = readFileSync(join(example, 'index.html'), 'utf8');
  let said = '';
  let finish!: () => void;
  const done = new Promise<void>((resolve) => (finish = resolve));
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://localhost');
    if (pathname === '/film.encrypted') void serveFile(encrypted, request, response);
    else if (pathname === '/said')
      void text(request).then((body) => {
        response.end();
        said = body;
        finish();
      });
    else if (pathname === '/')
      response.setHeader('content-type', 'text/html').end(`${page}<script src="/report.js"></script>`);
    else if (pathname in scripts) response.setHeader('content-type', 'text/javascript').end(scripts[pathname]);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/#${key},audio%2Fwav`;
    const ending = await browse(chromium, found.path, url, done);
    if (ending) expect.fail(`the browser ${inWords(ending)}`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
  expect(said).toContain(expected);
});
