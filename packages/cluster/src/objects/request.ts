/**
 * HTTP by Node's own client. `fetch` decompresses objects that were stored with `Content-Encoding: gzip`, also their ranges, and
 * follows redirects; an object is its stored bytes, and permission was given for one address.
 */
import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { optionsOf } from '../calls.ts';
import { ObjectError } from './errors.ts';
import { inTime, throwIfAborted } from './retry.ts';

export interface Request {
  /** The object's URL in messages. */
  readonly object: string;
  readonly url: URL;
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds of silence. */
  readonly timeout: number;
}

/** The head of a response; its body is read by {@link bytesOf} or {@link textOf}, or thrown away by {@link discard}. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly request: Request;
  readonly body: IncomingMessage;
}

/** Connections stay open between requests: a leaf is several, and TLS costs a round trip each. */
const http = { request: httpRequest, agent: new HttpAgent({ keepAlive: true }) };
const https = { request: httpsRequest, agent: new HttpsAgent({ keepAlive: true }) };

/** The bytes that are written between two looks at the clock. */
const SLICE = 256 << 10;

/** The least that a body may bring, in bytes a second: a server that sends single bytes is not silent, and holds a worker. */
const SLOWEST = 1024;

/** The longest answer that is a message, and not an object. */
const LONGEST_TEXT = 4 << 20;

const silence = ({ object, timeout }: Request): ObjectError =>
  new ObjectError(object, `no answer for ${timeout / 1000} s`, { temporary: true, code: 'ETIMEDOUT' });

/** Errors of TLS certificates do not pass; all other errors of connections may. */
function connectionError({ object, url }: Request, error: unknown): ObjectError {
  if (error instanceof ObjectError) return error;
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
  const lasting = /CERT|TLS_|SSL|^UNABLE_TO|^HOSTNAME|^ERR_INVALID/.test(code);
  return new ObjectError(object, `the connection to ${url.host} failed (${code})`, { temporary: !lasting, code });
}

/** Sends a request and waits for the head of its response. Every status is an answer; only a lost connection is an error. */
export function send(given: Request): Promise<Answer> {
  const request = optionsOf(given, undefined, 'request');
  const { url, method, body, signal, timeout } = request;
  const { request: open, agent } = url.protocol === 'http:' ? http : https;
  return new Promise<Answer>((resolve, reject) => {
    throwIfAborted(signal);
    const headers: Record<string, string | number> = { 'user-agent': 'lanewise', ...request.headers };
    if (body !== undefined) headers['content-length'] = body.length;
    const message = open(url, { method, headers, agent });
    const timer = setTimeout(() => message.destroy(silence(request)), timeout);
    const abort = (): void => void message.destroy();
    signal?.addEventListener('abort', abort, { once: true });
    let isSettled = false;
    const settled = (): void => {
      isSettled = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
    message.on('error', (error) => {
      settled();
      reject(signal?.aborted === true ? (signal.reason as Error) : connectionError(request, error));
    });
    message.once('response', (response) => {
      settled();
      // Errors reach the reader of the body; between reads there is no one else to tell.
      response.on('error', () => undefined);
      // A connection on which a body was not sent to its end is of no more use.
      response.once('end', () => message.writableFinished || message.destroy());
      resolve({ status: response.statusCode!, headers: response.headers, request, body: response });
    });
    message.once('socket', (socket) => {
      if (!socket.connecting) return;
      socket.once('connect', () => timer.refresh());
      socket.once('secureConnect', () => timer.refresh());
    });
    let sent = 0;
    const write = (): void => {
      const slice = body?.subarray(sent, sent + SLICE);
      if (slice === undefined || slice.length === 0) {
        message.end();
        return;
      }
      sent += slice.length;
      message.write(slice, (error) => {
        // A refusal may come before all is sent; the rest is of no use then.
        if (error || isSettled) return;
        timer.refresh();
        write();
      });
    };
    write();
  });
}

/** A body of at most this is read, though it is of no use, so that its connection can be used again. */
const SHORT = 64 << 10;

/** Throws the body of a response away. */
export function discard({ body, headers, request }: Answer): void {
  const empty = request.method === 'HEAD' || body.statusCode === 204;
  if (!empty && !(Number(headers['content-length']) <= SHORT)) {
    body.destroy();
    return;
  }
  const timer = setTimeout(() => body.destroy(), request.timeout);
  body.once('close', () => clearTimeout(timer));
  body.resume();
}

/** The body as it comes. Throws if it breaks off, or is silent or slow; a reader who stops early ends the connection. */
export async function* bytesOf({ body, request }: Answer, slowest = SLOWEST): AsyncGenerator<Uint8Array> {
  const { signal, timeout } = request;
  const abort = (): void => void body.destroy();
  signal?.addEventListener('abort', abort, { once: true });
  const pieces = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  // Only waiting counts, not the reader's work between.
  let waited = 0;
  let received = 0;
  try {
    throwIfAborted(signal);
    for (;;) {
      const begin = performance.now();
      const piece = await inTime(pieces.next(), timeout, () => body.destroy(silence(request)));
      if (piece.done === true) return;
      waited += performance.now() - begin;
      received += piece.value.length;
      if (waited >= timeout) {
        if (received < (slowest * waited) / 1000)
          throw new ObjectError(request.object, `less than ${slowest} bytes a second came`, { temporary: true });
        waited = received = 0;
      }
      yield piece.value;
    }
  } catch (error) {
    throwIfAborted(signal);
    throw connectionError(request, error);
  } finally {
    signal?.removeEventListener('abort', abort);
    if (!body.readableEnded) body.destroy();
  }
}

/** The body as text, for messages of stores. */
export async function textOf(answer: Answer): Promise<string> {
  const { object, timeout } = answer.request;
  const pieces: Uint8Array[] = [];
  let length = 0;
  // Amazon S3 sends blanks while it puts the parts of an upload together, which takes minutes: silence isn't a measure then.
  const deadline = performance.now() + 20 * timeout;
  for await (const piece of bytesOf(answer, 0)) {
    pieces.push(piece);
    length += piece.length;
    if (length > LONGEST_TEXT || performance.now() > deadline)
      throw new ObjectError(object, 'an answer did not end', { temporary: true });
  }
  return Buffer.concat(pieces).toString();
}
