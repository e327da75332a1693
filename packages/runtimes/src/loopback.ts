/** A server that only this machine reaches, for the pages and the bundles of one session. */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import { messageOf, onLoopback } from './requests.ts';

export interface Site {
  /**
   * Everything is below a path that only the address tells, so that no other program can guess where messages go. An application that
   * bundlers built, or a page with addresses from the root, needs the root.
   */
  readonly isAtRoot?: boolean;
  /** Pages of other servers send messages, too. */
  readonly isForAll?: boolean;
  /** That come with every answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** The content at a path; undefined, or a rejection, if there is none. */
  get(path: string): Promise<string | Uint8Array | undefined>;
  /** Receives the messages of a page; its result is the answer. */
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

/** The names of a page without a script, and of the script of a page, for a browser whose driver begins it. */
export const EMPTY_PAGE = 'empty';
export const PAGE_SCRIPT = 'page.js';

/** A page that does nothing. */
export const emptyPage =
  '<!doctype html><meta charset="utf-8"><title>Lanewise</title><link rel="icon" href="data:,"><body>';

/** A page that is a program. */
export const pageOf = (script: string): string =>
  '<!doctype html><meta charset="utf-8"><title>Lanewise</title><link rel="icon" href="data:,">' +
  `<body><script type="module" src="${script}"></script>`;

export async function serveLocally(site: Site): Promise<Server> {
  const folder = site.isAtRoot ? '/' : `/${randomBytes(16).toString('hex')}/`;
  const server = createServer(
    onLoopback(async ({ path: asked }, request, response) => {
      for (const [name, value] of Object.entries(site.headers)) response.setHeader(name, value);
      if (!asked.startsWith(folder)) return response.writeHead(404).end();
      const path = asked.slice(folder.length - 1);
      if (request.method === 'POST') {
        const text = await messageOf(request, response, site.isForAll);
        return text === undefined ? undefined : response.end(site.post(path, text) ?? '');
      }
      const found = await site.get(path).catch(() => undefined);
      if (found === undefined) return response.writeHead(404).end();
      return response.setHeader('content-type', TYPES[extname(path)] ?? HTML).end(found);
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${folder}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
