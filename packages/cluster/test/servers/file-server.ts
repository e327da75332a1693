/** A plain server of HTTP, as RFC 9110 wants it: ranges, entity tags, If-Match; and other ways of other servers. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface FileServer {
  /** Ends in a slash; objects are below it. */
  readonly url: string;
  /** By names without a leading slash. */
  readonly objects: Map<string, Uint8Array>;
  /** Its deviations; may be changed at any time. */
  readonly habits: Habits;
  /** Requests since the start: `GET /name`. */
  readonly requests: string[];
  stop(): Promise<void>;
}

export interface Habits {
  /** Ranges are sent, announced or not, or ignored; `sent` unless given. */
  ranges?: 'sent' | 'unannounced' | 'ignored' | 'refused';
  /** `strong` unless given. */
  etags?: 'strong' | 'weak' | 'none';
  /** Whether If-Match is ignored, as Python's servers and many others do. */
  ignoresIfMatch?: boolean;
  /** A redirect, instead of everything. */
  redirect?: string;
  /** Headers beside the usual ones. */
  headers?: Readonly<Record<string, string>>;
}

const tagOf = (content: Uint8Array): string => `"${createHash('sha256').update(content).digest('hex').slice(0, 32)}"`;

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  content: Uint8Array | undefined,
  habits: Habits,
): void {
  const end = (status: number, headers: Record<string, string | number> = {}, body?: Uint8Array): void => {
    response.writeHead(status, { ...habits.headers, ...headers });
    response.end(request.method === 'HEAD' ? undefined : body);
  };
  if (habits.redirect !== undefined) {
    end(302, { location: habits.redirect });
    return;
  }
  if (content === undefined) {
    end(404);
    return;
  }
  const etag = tagOf(content);
  const tags = habits.etags ?? 'strong';
  const headers: Record<string, string | number> = {};
  if (tags !== 'none') headers['etag'] = tags === 'weak' ? `W/${etag}` : etag;
  if (habits.ranges === 'refused') headers['accept-ranges'] = 'none';
  if ((habits.ranges ?? 'sent') === 'sent') headers['accept-ranges'] = 'bytes';
  const match = request.headers['if-match'];
  if (match !== undefined && match !== etag && habits.ignoresIfMatch !== true) {
    end(412, headers);
    return;
  }
  const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
  if (range === null || habits.ranges === 'ignored' || habits.ranges === 'refused') {
    end(200, { ...headers, 'content-length': content.length }, content);
    return;
  }
  const [first, last] = [Number(range[1]), Math.min(Number(range[2]), content.length - 1)];
  if (first >= content.length) {
    end(416, { 'content-range': `bytes */${content.length}` });
    return;
  }
  const part = content.subarray(first, last + 1);
  const contentRange = `bytes ${first}-${last}/${content.length}`;
  end(206, { ...headers, 'content-length': part.length, 'content-range': contentRange }, part);
}

/** @param tls The key and the certificate of a server of HTTPS, at `localhost`. */
export async function startFileServer(tls?: { readonly key: Buffer; readonly cert: Buffer }): Promise<FileServer> {
  const objects = new Map<string, Uint8Array>();
  const habits: Habits = {};
  const requests: string[] = [];
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    const { pathname } = new URL(request.url!, 'http://loopback');
    requests.push(`${request.method} ${pathname}`);
    answer(request, response, objects.get(decodeURIComponent(pathname.slice(1))), habits);
  };
  const server = tls === undefined ? createServer(listener) : createSecureServer(tls, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `${tls === undefined ? 'http://127.0.0.1' : 'https://localhost'}:${(server.address() as AddressInfo).port}/`,
    objects,
    habits,
    requests,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
