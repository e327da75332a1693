/**
 * The requests that servers on this machine accept from anyone who can send them: any web page can, by an image or a form. A request that is
 * none ends with 400, one of another site with 403, and no exception of a handler ends the server.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** The address of a request: the path decoded, without `..`, and the query. */
export interface Target {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Undefined if it isn't a path: `//`, `/%`, `*`, an address of another host, or one that leads out of its folder. */
export function targetOf({ url = '/' }: Pick<IncomingMessage, 'url'>): Target | undefined {
  if (!url.startsWith('/')) return undefined;
  try {
    const { pathname, searchParams } = new URL(`http://localhost${url}`);
    const path = decodeURIComponent(pathname);
    const isPath = !/^\/\/|[\0\\]/.test(path) && !path.split('/').includes('..');
    return isPath ? { path, query: searchParams } : undefined;
  } catch {
    return undefined;
  }
}

/** Names of this machine. A page whose own name was made to lead here sends that name. */
const HERE = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/** A listener that answers what isn't a request of this site by itself. `handle` gets the others; if it throws, the answer is 500. */
export const onLoopback =
  (handle: (target: Target, request: IncomingMessage, response: ServerResponse) => unknown): RequestListener =>
  (request, response) => {
    const refuse = (status: number): void => {
      if (response.headersSent) response.destroy();
      else response.writeHead(status, { 'content-type': 'text/plain' }).end();
    };
    const target = targetOf(request);
    if (!target) refuse(400);
    else if (!HERE.test(request.headers.host ?? '')) refuse(403);
    else new Promise((resolve) => resolve(handle(target, request, response))).catch(() => refuse(500));
  };

/** Whether a message comes from a page of the server itself, or from no page. */
export const isOwn = ({ headers: { origin, host } }: Pick<IncomingMessage, 'headers'>): boolean =>
  origin === undefined || origin === `http://${host}`;

/** The greatest message of the lab is less than a tenth of it. */
const MOST_BYTES = 16 * 2 ** 20;

/** The text of a message of the server's own page. One of another site, or one that is too long, is answered here, and undefined. */
export async function messageOf(
  request: IncomingMessage,
  response: ServerResponse,
  isForAll = false,
): Promise<string | undefined> {
  // The rest of a message that is refused is not read.
  const refuse = (status: number): void => {
    response.writeHead(status, { connection: 'close' }).end(() => request.socket.destroy());
  };
  if (!isForAll && !isOwn(request)) {
    refuse(403);
    return undefined;
  }
  const parts = request.setEncoding('utf8').iterator({ destroyOnReturn: false }) as AsyncIterableIterator<string>;
  let text = '';
  for await (const part of parts) {
    text += part;
    if (text.length > MOST_BYTES) {
      refuse(413);
      return undefined;
    }
  }
  return text;
}
