/** The server of the tests: the app, the page that drives it, test files, and judges for the app's results. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as after } from 'node:timers/promises';
import { onLoopback, type Target } from '../../../packages/runtimes/src/requests.ts';
import { headersOfApp } from '../serve.ts';

/** The page's questions to the test: a name, and arguments in JSON. */
export type Answers = Readonly<Record<string, (argument: never) => unknown>>;

export interface TestServer {
  readonly url: string;
  /** While it is false, the app's files are not served, as if there were no network. */
  up: boolean;
  /** Makes other files of the app's, as a new version has them. */
  change(name: string, content: Buffer): Buffer | string;
  close(): Promise<void>;
}

const PLAIN = {
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};
const HTML = '<!doctype html><meta charset="utf-8"><title>Test</title><script type="module" src="/driver.js"></script>';

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const some of request.setEncoding('utf8')) text += some as string;
  return text;
}

/**
 * @param app - The folder of the built app.
 * @param driver - The script of the page that drives it.
 * @param folder - Where test files are, at `/files/NAME`; bytes that are sent there are written.
 * @param answers - By their name: `/ask/NAME`.
 */
export async function serveTest(app: string, driver: string, folder: string, answers: Answers): Promise<TestServer> {
  const headersOf = await headersOfApp(app);
  const answer = async ({ path, query }: Target, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, kind, name = ''] = path.split('/');
    if (kind === 'ask') {
      const found = answers[name];
      const argument = JSON.parse(await bodyOf(request)) as never;
      const result: unknown = await found(argument);
      response.writeHead(200, PLAIN).end(JSON.stringify(result ?? null));
    } else if (kind === 'files' && request.method === 'PUT') {
      await pipeline(request, createWriteStream(join(folder, name)));
      response.writeHead(200, PLAIN).end();
    } else if (kind === 'files') {
      response.writeHead(200, PLAIN);
      const [start, length] = ['from', 'length'].map((one) => Number(query.get(one) ?? NaN));
      const range = Number.isNaN(start) ? {} : { start, end: start + length - 1 };
      await pipeline(createReadStream(join(folder, name), range), response);
    } else if (kind === 'driver.js')
      response.writeHead(200, { ...PLAIN, 'content-type': 'text/javascript' }).end(driver);
    else if (kind === 'driver.html') response.writeHead(200, { ...PLAIN, 'content-type': 'text/html' }).end(HTML);
    else {
      // The app: at the root, as it is served, and in a folder, where it must not store anything that can be read.
      const file = (kind === 'folder' ? name : kind) || 'index.html';
      const content = await readFile(join(app, file)).catch(() => undefined);
      if (!self.up) request.socket.destroy();
      else if (content) response.writeHead(200, headersOf(file)).end(self.change(file, content));
      else response.writeHead(404, PLAIN).end();
    }
  };
  const server = createServer(
    onLoopback((target, request, response) =>
      answer(target, request, response).catch((error: unknown) => {
        if (!response.headersSent) response.writeHead(500, PLAIN);
        response.end((error as Error).message);
      }),
    ),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const self: TestServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    up: true,
    change: (_: string, content: Buffer): Buffer | string => content,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return self;
}

/** Waits until a browser has downloaded a file of this name wholly. */
export async function downloaded(folder: string, name: string, milliseconds: number): Promise<string> {
  const end = performance.now() + milliseconds;
  let before = -1;
  while (performance.now() < end) {
    const names = await readdir(folder);
    const busy = names.some((one) => /\.(part|crdownload|wkdownload)$/.test(one) || one.startsWith('.'));
    const size = names.includes(name) ? (await stat(join(folder, name))).size : -1;
    // Some browsers write under the last name; then it grows.
    if (!busy && size >= 0 && size === before) return join(folder, name);
    before = size;
    await after(100);
  }
  throw new Error(
    `no download ${name} after ${milliseconds / 1000} s; there are: ${(await readdir(folder)).join(', ')}`,
  );
}
