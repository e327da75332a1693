/** A server that only this machine reaches, for the pages and the bundles of one session. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';

export interface Site {
  /** That come with every answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** The content at a path; undefined, or a rejection, if there is none. */
  get(path: string): Promise<string | Uint8Array | undefined>;
  /** Receives the messages of a page; what it gives is the answer. */
  // eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- most give nothing
  post(path: string, text: string): string | void;
}

export interface Server {
  readonly url: string;
  close(): Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};
const HTML = 'text/html; charset=utf-8';

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part as string;
  return text;
}

/** The paths of a page without a script, and of the script of a page, for a browser whose driver begins it. */
export const EMPTY_PAGE = '/empty';
export const PAGE_SCRIPT = '/page.js';

/** A page that does nothing. */
export const emptyPage =
  '<!doctype html><meta charset="utf-8"><title>Lanewise</title><link rel="icon" href="data:,"><body>';

/** A page that is a program. */
export const pageOf = (script: string): string =>
  '<!doctype html><meta charset="utf-8"><title>Lanewise</title><link rel="icon" href="data:,">' +
  `<body><script type="module" src="${script}"></script>`;

export async function serveLocally(site: Site): Promise<Server> {
  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(site.headers)) response.setHeader(name, value);
    const { pathname } = new URL(request.url!, 'http://localhost');
    if (request.method === 'POST') {
      bodyOf(request).then(
        (text) => response.end(site.post(pathname, text) ?? ''),
        () => response.destroy(),
      );
      return;
    }
    const missing = (): unknown => response.writeHead(404).end();
    site.get(pathname).then((found) => {
      if (found === undefined) missing();
      else response.setHeader('content-type', TYPES[extname(pathname)] ?? HTML).end(found);
    }, missing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
