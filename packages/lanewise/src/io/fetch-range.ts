/** Random access to an object of a web server by ranged requests (RFC 9110 §14). */
import { abortable, signalOf } from '../work/abort.ts';
import { Source, type RandomAccess } from './random-access.ts';
import { refuseSurplus, typeOf } from '../calls/checks.ts';
import { optionOf, optionOr, optionsOf } from '../calls/options.ts';
import { Bytes, copyBytes, min, part } from '../engine/intrinsics.ts';

/** How the ranges of an object are fetched. */
export interface FetchRangeOptions {
  /** Called in place of the global `fetch`: to add credentials, to retry, or for tests. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Headers of all requests, such as `Authorization`. `Range` and its conditions are set by the library. */
  readonly headers?: RequestInit['headers'];
  /** Ends all requests when it is aborted. */
  readonly signal?: AbortSignal;
}

const OPTIONS = { __proto__: null, fetch: 1, headers: 1, signal: 1 } as const;
/** The headers that the requests need for themselves. */
const OWN = ['range', 'if-range', 'if-match', 'if-unmodified-since', 'accept-encoding'];

/** How much the first request asks for: enough for the header of most formats, so that reading it costs no second request. */
const FIRST_BYTES = 4096;

/** The object as the first request has found it. */
interface Found {
  readonly size: number;
  /** Its first bytes. */
  readonly head: Uint8Array;
  /** The entity tag, also a weak one; null if there is none. */
  readonly tag: string | null;
  /** The conditions of the other requests. */
  readonly conditions: readonly (readonly [name: string, value: string])[];
  readonly modified: string | null;
}

/**
 * The conditions under which other ranges belong to the same object (RFC 9110 §13.1). A server that knows only one of the two
 * heeds that one; one that knows neither gives its validator, which is compared. Undefined if the response has no strong one.
 */
function conditionsOf(
  tag: string | null,
  modified: string | null,
  date: string | null,
): Found['conditions'] | undefined {
  if (tag?.startsWith('"'))
    return [
      ['if-match', tag],
      ['if-range', tag],
    ];
  // A date is a strong validator if it is at least a second before the response (§8.8.2.2).
  if (modified !== null && date !== null && Date.parse(date) - Date.parse(modified) >= 1000)
    return [
      ['if-unmodified-since', modified],
      ['if-range', modified],
    ];
  return undefined;
}

const CHANGED = 'the object has changed since its first range was fetched: open it again';
const EXPOSED = '(a server of another origin must name it in Access-Control-Expose-Headers)';

/** The numbers of a Content-Range; undefined if it is of another form, or does not tell the size (RFC 9110 §14.4). */
function contentRangeOf(text: string | null): { first: number; last: number; size: number } | undefined {
  const [, first, last, size] = (/^bytes (\d{1,16})-(\d{1,16})\/(\d{1,16})$/i.exec(text ?? '') ?? []).map(Number);
  return size < 2 ** 53 ? { first, last, size } : undefined;
}

/** What is wrong with the response to a request for the bytes from `from` to `to`; undefined if it is theirs. */
function faultOf(
  { status, headers }: Response,
  from: number,
  to: number,
  found: Found | undefined,
): string | undefined {
  const [tag, modified] = [headers.get('etag'), headers.get('last-modified')];
  if (status === 200) {
    if (found && (tag !== found.tag || modified !== found.modified)) return CHANGED;
    return 'the server ignores ranges and sends the whole object (status 200): decrypt that as a stream';
  }
  if (found && (status === 412 || status === 416)) return CHANGED;
  if (status !== 206) return `the server answered with status ${status}`;
  const encoding = headers.get('content-encoding');
  if (encoding !== null && encoding !== 'identity')
    return `the server encodes the object (Content-Encoding ${encoding}), so ranges are not of its own bytes: switch that off`;
  const text = headers.get('content-range');
  if (text === null) return `the response has no Content-Range ${EXPOSED}`;
  const range = contentRangeOf(text);
  if (found && range && range.size !== found.size) return CHANGED;
  const last = min(to, range?.size ?? to) - 1;
  if (!range || range.first !== from || range.last !== last)
    return `the server answered with other bytes: Content-Range expected bytes ${from}-${last}/${found?.size ?? 'SIZE'}, got ${text}`;
  // A response under If-Range need not repeat Last-Modified (§15.3.7).
  if (found && (tag !== found.tag || (modified !== null && modified !== found.modified))) return CHANGED;
  if (!found && !conditionsOf(tag, modified, headers.get('date')))
    return `the response has no strong ETag ${EXPOSED}, and no Last-Modified before its Date, so a change of the object would go unnoticed: make the server send an ETag`;
  return undefined;
}

/** The body of a response, which must have so many bytes. */
async function bodyOf(response: Response, length: number, what: string, signal: AbortSignal): Promise<Uint8Array> {
  const bytes = new Bytes(length);
  const reader = response.body?.getReader();
  let done = 0;
  try {
    for (let step = await reader?.read(); step?.value; step = await reader?.read()) {
      signal.throwIfAborted();
      const got = done + step.value.length;
      if (got > length) throw new Error(`${what}: the body has more than ${length} bytes`);
      copyBytes(bytes, step.value, done);
      done = got;
    }
  } finally {
    // The rest, if there is any, is not wanted.
    reader?.cancel().catch(() => undefined);
  }
  if (done < length) throw new Error(`${what}: the body ended after ${done} bytes of ${length}: try again`);
  return bytes;
}

type Send = (headers: Headers, signal: AbortSignal) => Promise<Response>;

/** An object of a web server. */
function rangedObject(send: Send, own: Headers, ends: AbortSignal | undefined): RandomAccess {
  let known: Found | undefined;

  const bytesOf = (
    from: number,
    to: number,
    signal: AbortSignal,
    found?: Found,
  ): Promise<{ readonly headers: Headers; readonly size: number; readonly bytes: Uint8Array }> =>
    abortable([ends, signal], async (its) => {
      const headers = new Headers(own);
      headers.set('range', `bytes=${from}-${to - 1}`);
      // Hosts that would decompress a body ask for none that is compressed; browsers do so for every range.
      headers.set('accept-encoding', 'identity');
      for (const [name, value] of found?.conditions ?? []) headers.set(name, value);
      const response = await send(headers, its);
      if (typeof (response as Partial<Response> | undefined)?.headers?.get !== 'function')
        throw new TypeError(`"fetch" expected function that gives a Response, got ${typeOf(response)}`);
      const range = response.headers.get('content-range');
      // The only way to say that there are no bytes (RFC 9110 §15.5.17).
      if (!found && response.status === 416 && range === 'bytes */0') {
        response.body?.cancel().catch(() => undefined);
        return { headers: response.headers, size: 0, bytes: new Bytes(0) };
      }
      const what = `cannot fetch bytes ${from} to ${to}`;
      const fault = faultOf(response, from, to, found);
      if (fault) {
        response.body?.cancel().catch(() => undefined);
        throw new Error(`${what}: ${fault}`);
      }
      const { size } = contentRangeOf(range)!;
      return { headers: response.headers, size, bytes: await bodyOf(response, min(to, size) - from, what, its) };
    });

  const find = async (signal: AbortSignal): Promise<Found> => {
    if (known) return known;
    const { headers, size, bytes } = await bytesOf(0, FIRST_BYTES, signal);
    const [tag, modified] = [headers.get('etag'), headers.get('last-modified')];
    const conditions = conditionsOf(tag, modified, headers.get('date')) ?? [];
    // If there were two first requests, both go on with the object that one of them has found.
    return (known ??= { size, head: bytes, tag, modified, conditions });
  };

  return {
    size: async (signal) => (await find(signal)).size,
    async read(from, to, signal) {
      const found = await find(signal);
      if (to <= found.head.length) return part(found.head, from, to - from);
      return (await bytesOf(from, to, signal, found)).bytes;
    },
  };
}

/** The headers of the caller, copied. */
function headersOf(given: unknown): Headers {
  const headers = new Headers(given as RequestInit['headers']);
  for (const name of OWN)
    if (headers.has(name)) throw new TypeError(`"headers" expected none that fetchRange sets, got ${name}`);
  return headers;
}

/**
 * An object of a web server as a source of random access: each read is a request for a range of bytes (RFC 9110 §14).
 *
 * The first request finds the size and the entity tag of the object, or its date of modification. All others go under the condition
 * that it is still the same object (`If-Match`, `If-Range`), and each response is compared: an object that has changed is an error,
 * and never a mixture of two.
 *
 * The server must know ranges, give a strong `ETag` (or a `Last-Modified` that is older than its `Date`), and not compress the object.
 * The first 4096 bytes are fetched once and kept: if they came damaged, make another source.
 *
 * If it is of another origin, it must allow the request headers `Range`, `If-Match`, `If-Range`, `If-Unmodified-Since`, and expose
 * `Content-Range`, `ETag`, `Content-Encoding`, `Date` (CORS). Where it cannot, decrypt the whole object as a stream.
 *
 * @param url - Of the object; relative where `fetch` takes that. Not part of any message, because it may be secret.
 * @param options - `fetch`, `headers`, `signal`.
 * @returns The source, for `reader` of {@link chunked} and {@link agePayload}. Nothing is fetched before it is used.
 * @throws TypeError if an argument has the wrong type. Reads are rejected with an Error `cannot fetch bytes 0 to 4096: …` if
 * the server does not answer as it must, with the reason of the signal, or with whatever `fetch` throws.
 * @example
 * ```ts
 * import { chunked, fetchRange } from 'lanewise/stream.js';
 * async function poster(url: string, key: Uint8Array): Promise<Uint8Array> {
 *   const film = await chunked(key).reader(fetchRange(url, { headers: { Authorization: 'Bearer …' } }));
 *   try {
 *     return await film.read(0, Math.min(1_000_000, film.size));
 *   } finally {
 *     film.destroy();
 *   }
 * }
 * ```
 */
export function fetchRange(url: string | URL, options?: FetchRangeOptions): Source {
  refuseSurplus(arguments, 2);
  const address = typeof url === 'object' && url !== null ? url.href : url;
  if (typeof address !== 'string') throw new TypeError(`"url" expected string or URL, got ${typeOf(url)}`);
  const given = optionsOf(options, OPTIONS);
  const its = optionOr(given, 'fetch', globalThis.fetch) as NonNullable<FetchRangeOptions['fetch']>;
  if (typeof its !== 'function') throw new TypeError(`"fetch" expected function, got ${typeOf(its)}`);
  const headers = headersOf(optionOf(given, 'headers'));
  const signal = signalOf(optionOf(given, 'signal'));
  // An outdated copy of a browser's cache would differ from what later requests find. Where requests have no such member,
  // workerd refuses it.
  const cache = 'cache' in Request.prototype ? ({ cache: 'no-store' } as const) : {};
  const send: Send = (headers, signal) => its(address, { headers, signal, ...cache });
  return new Source(rangedObject(send, headers, signal));
}
