/** Serves the page on this machine only, with the headers that give browsers a finer clock. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { extname } from 'node:path';
import type { AddressInfo } from 'node:net';
import { messageOf, onLoopback, type Target } from '../../../runtimes/src/requests.ts';
import { UsageError } from '../terminal.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.png': 'image/png',
};

/** https://html.spec.whatwg.org/multipage/document-sequences.html#cross-origin-isolation */
export const ISOLATION = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
};

/**
 * For the page and, which a policy in the page does not do, for its workers: the code of the libraries that they compare cannot send
 * anything elsewhere.
 */
export const LAB_POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; worker-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The headers of the page that measures a browser. */
export const LAB_HEADERS = {
  ...ISOLATION,
  'content-security-policy': LAB_POLICY,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

export interface ServeOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** Without it, the files are served as by a static host. */
  readonly isolated: boolean;
  /** More headers of a file, or others in place of these. */
  readonly headersOf?: (name: string) => Readonly<Record<string, string>>;
  /** Receives the bodies that the page posts. */
  readonly onPost?: (body: string) => void;
}

export interface Serving {
  readonly url: string;
  close(): Promise<void>;
}

/** Where it is among the files, it is sent for those that are not, as hosts of static files do. */
const MISSING = '404.html';

/** Rejects with a UsageError if the port is taken. */
export async function serveFiles(files: ReadonlyMap<string, Uint8Array>, options: ServeOptions): Promise<Serving> {
  const server = createServer(
    onLoopback((target, request, response) => answer(files, options, target, request, response)),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const known = error.code === 'EADDRINUSE' || error.code === 'EACCES';
      reject(known ? new UsageError(`port ${options.port} cannot be had (${error.code}); try another --port`) : error);
    });
    server.listen(options.port, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  files: ReadonlyMap<string, Uint8Array>,
  { isolated, headersOf, onPost }: ServeOptions,
  { path }: Target,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method === 'POST' && onPost) {
    const body = await messageOf(request, response);
    if (body === undefined) return;
    response.writeHead(204).end();
    onPost(body);
    return;
  }
  const name = path.slice(1).replace(/(?<=^|\/)$/, 'index.html');
  const content = files.get(name);
  const reads = request.method === 'GET' || request.method === 'HEAD';
  const shown = reads && !content && files.has(MISSING) ? MISSING : name;
  const sent = files.get(shown);
  const headers = { 'x-content-type-options': 'nosniff', ...(isolated && LAB_HEADERS), ...headersOf?.(shown) };
  if (!sent || !reads) {
    response.writeHead(sent ? 405 : 404, { 'Content-Type': 'text/plain', ...headers }).end();
    return;
  }
  response.writeHead(content ? 200 : 404, {
    'Content-Type': TYPES[extname(shown)] ?? 'application/octet-stream',
    'Content-Length': sent.length,
    'Cache-Control': 'no-store',
    ...headers,
  });
  response.end(request.method === 'HEAD' ? undefined : sent);
}
