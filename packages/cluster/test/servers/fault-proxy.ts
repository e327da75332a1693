/** A proxy in front of a store of objects, with the faults of networks and busy stores. */
import { once } from 'node:events';
import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The fault of a request. */
export type Fault =
  /** The store is not asked: this is the answer. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** The store is not asked: this is the answer, before the request's body is read. */
  | { readonly kind: 'early'; readonly status: number }
  /** The store is not asked, and no answer comes. */
  | { readonly kind: 'silence' }
  /** The store is not asked, and the connection is closed. */
  | { readonly kind: 'refused' }
  /** The store obeys the request, and the connection is closed instead of an answer. */
  | { readonly kind: 'lost' }
  /** The connection is closed after so many bytes of the answer's body. */
  | { readonly kind: 'cut'; readonly bytes: number }
  /** The answer's body ends after so many bytes, as if it were whole. */
  | { readonly kind: 'short'; readonly bytes: number }
  /** The answer's body has surplus bytes at its end. */
  | { readonly kind: 'long'; readonly bytes: number }
  /** So many bytes of the body come, and then no more, on a connection that stays. */
  | { readonly kind: 'stuck'; readonly bytes: number }
  /** The body comes in pieces of so many bytes, each after so many milliseconds. */
  | { readonly kind: 'slow'; readonly bytes: number; readonly milliseconds: number }
  /** The answer has other headers. */
  | { readonly kind: 'headers'; readonly headers: Readonly<Record<string, string>> };

/** An answer as S3 gives it when it is busy or broken. */
export const s3Error = (status: number, code: string, headers: Record<string, string> = {}): Fault => ({
  kind: 'answer',
  status,
  headers: { 'content-type': 'application/xml', ...headers },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>Of a test.</Message></Error>`,
});

/** The properties of a request that a fault may depend on. */
export interface ProxiedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly range: string | undefined;
  /** Of its body, in bytes. */
  readonly length: number;
  /** From 0. */
  readonly number: number;
}

export interface FaultProxy {
  /** In place of the store's. */
  readonly url: string;
  /** Requests since the start: `GET /path?query`. */
  readonly requests: string[];
  /** Decides about each request from now on; without an argument, all go through. */
  inject(decide?: (request: ProxiedRequest) => Fault | undefined): void;
  /** The network is gone: connections are closed, and new ones are refused. */
  down(): Promise<void>;
  up(): Promise<void>;
  stop(): Promise<void>;
}

const bodyOf = async (message: IncomingMessage): Promise<Buffer> => Buffer.concat(await message.toArray());

/** Sends a body with its fault. */
async function sendBody(response: ServerResponse, body: Buffer, fault: Fault | undefined): Promise<void> {
  if (fault?.kind === 'slow') {
    for (let sent = 0; sent < body.length && !response.destroyed; sent += fault.bytes) {
      await sleep(fault.milliseconds);
      response.write(body.subarray(sent, sent + fault.bytes));
    }
    response.end();
  } else if (fault?.kind === 'cut' || fault?.kind === 'stuck') {
    response.write(body.subarray(0, fault.bytes), () => fault.kind === 'cut' && response.destroy());
  } else if (fault?.kind === 'short') response.end(body.subarray(0, fault.bytes));
  else if (fault?.kind === 'long') response.end(Buffer.concat([body, Buffer.alloc(fault.bytes)]));
  else response.end(body);
}

/** @param target The store: `http://127.0.0.1:7070`. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const requests: string[] = [];
  const agent = new Agent({ keepAlive: true });
  let decide: (request: ProxiedRequest) => Fault | undefined = () => undefined;

  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url!, target);
    const fault = decide({
      method: request.method!,
      path: url.pathname,
      query: url.searchParams,
      range: request.headers.range,
      length: Number(request.headers['content-length'] ?? 0),
      number: requests.push(`${request.method} ${request.url}`) - 1,
    });
    if (fault?.kind === 'early') {
      response.writeHead(fault.status, { 'content-length': 0 }).end();
      return;
    }
    const body = await bodyOf(request);
    if (fault?.kind === 'silence') return;
    if (fault?.kind === 'refused') return void response.destroy();
    if (fault?.kind === 'answer') {
      response.writeHead(fault.status, fault.headers);
      response.end(request.method === 'HEAD' ? undefined : fault.body);
      return;
    }
    // The host stays that of the proxy, because it is signed.
    const { method, headers } = request;
    const forwarded = httpRequest(target, { agent, method, path: request.url, headers });
    // A store that refuses a body answers before it has read all of it, and closes the connection.
    forwarded.on('error', () => undefined);
    forwarded.end(body);
    const [answer] = (await once(forwarded, 'response')) as [IncomingMessage];
    const content = await bodyOf(answer);
    if (fault?.kind === 'lost') return void response.destroy();
    const changed = { ...answer.headers, ...(fault?.kind === 'headers' ? fault.headers : {}) };
    // A body of another length than was promised is sent in chunks.
    const otherLength = (fault?.kind === 'short' || fault?.kind === 'long') && request.method !== 'HEAD';
    if (otherLength) delete changed['content-length'];
    response.writeHead(answer.statusCode!, changed);
    if (request.method === 'HEAD') response.end();
    else await sendBody(response, content, fault);
  };

  let server: Server;
  const listen = async (port: number): Promise<number> => {
    server = createServer((request, response) => {
      pass(request, response).catch(() => response.destroy());
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  const port = await listen(0);
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    inject(next = () => undefined) {
      decide = next;
    },
    down: close,
    async up() {
      await listen(port);
    },
    async stop() {
      agent.destroy();
      await close();
    },
  };
}
