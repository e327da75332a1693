/** An object of a web server, as a source of random access: a silent server is given up, and errors name the server. */
import { fetchRange, type RandomAccess } from 'lanewise/stream.js';
import { Failure } from '../command.ts';
import { isSystemError, systemMessage } from '../system-errors.ts';
import { printable } from '../terminal.ts';

/**
 * The entity tag of an object whose server tells no version of it. Every byte is proven, so a change of the object shows by itself.
 */
const PROVEN = '"proven"';

/** The headers of a response, with that tag where it has neither a strong one nor a date (RFC 9110 §8.8). */
function withTag(given: Headers): Headers {
  const headers = new Headers(given);
  if (!headers.get('etag')?.startsWith('"') && !headers.has('last-modified')) headers.set('etag', PROVEN);
  return headers;
}

/** The headers of a request, without conditions of that tag, which the server has never heard of. */
function withoutTag(given: RequestInit['headers']): Headers {
  const headers = new Headers(given);
  for (const name of ['if-match', 'if-range']) if (headers.get(name) === PROVEN) headers.delete(name);
  return headers;
}

/** An error that may pass: the server was silent. */
class Silent extends Error {}

/** Responses that may be others when they are asked for again (RFC 9110 §15.5.9, §15.6; RFC 6585 §4). */
const MAY_PASS: readonly number[] = [408, 429, 500, 502, 503, 504];

/** Numbers of errors that are not the system's but those of Node, such as for a name of a server that is not known. */
const OWN_ERRORS = -3000;

/** Node puts the reason for a failed request under the error, for a server with several addresses those of all of them. */
function reasonOf(error: unknown): string {
  let its = error instanceof TypeError && error.cause !== undefined ? error.cause : error;
  if (its instanceof AggregateError) its = its.errors[0] as unknown;
  if (isSystemError(its) && its.errno! > OWN_ERRORS) return systemMessage(its);
  const text = its instanceof Error ? its.message : String(its);
  return text.replace(/: decrypt that as a stream$/, '');
}

/** All of an object on its way, which many reads may wait for: it is given up when the last of them is. */
interface Whole {
  readonly bytes: Promise<Uint8Array>;
  readonly end: AbortController;
  waiting: number;
}

export class Remote implements RandomAccess {
  /** For messages: without the query, which may be secret. */
  readonly name: string;
  readonly #url: URL;
  readonly #timeout: number;
  readonly #most: number;
  readonly #ranges: Required<Pick<ReturnType<typeof fetchRange>, 'size' | 'read'>>;
  #whole: Whole | undefined;
  /** Whether the server has sent the whole object where it was asked for a range. */
  ignoresRanges = false;
  /** Whether an error may pass when the object is fetched again. */
  mayPass = false;

  /**
   * @param timeout - How long the server may be silent, in milliseconds.
   * @param most - How many bytes may be held if the server ignores ranges.
   */
  constructor(url: URL, timeout: number, most = 0) {
    this.name = printable(url.host + url.pathname);
    this.#url = url;
    this.#timeout = timeout;
    this.#most = most;
    this.#ranges = fetchRange(url, { fetch: (_, init) => this.#request(init) });
  }

  size(signal: AbortSignal): Promise<number> {
    return this.#held(
      signal,
      () => this.#ranges.size(signal),
      (whole) => whole.length,
    );
  }

  read(from: number, to: number, signal: AbortSignal): Promise<Uint8Array> {
    return this.#held(
      signal,
      () => this.#ranges.read(from, to, signal),
      (whole) => whole.subarray(from, to),
    );
  }

  /** All of the object, in order. */
  async *stream(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    try {
      const { status, body } = await this.#request({ signal, headers: { 'accept-encoding': 'identity' } });
      if (status !== 200) throw new Error(`the server answered with status ${status}`);
      const reader = body?.getReader();
      try {
        for (let step = await reader?.read(); step?.value; step = await reader?.read()) yield step.value;
      } finally {
        reader?.cancel().catch(() => undefined);
      }
    } catch (error) {
      throw this.#failure(error);
    }
  }

  /** By ranges, or out of the whole object where the server has none. */
  async #held<Result>(
    signal: AbortSignal,
    byRange: () => Promise<Result>,
    ofWhole: (whole: Uint8Array) => Result,
  ): Promise<Result> {
    if (!this.#whole) {
      try {
        return await byRange();
      } catch (error) {
        if (signal.aborted || !this.ignoresRanges || !this.#most) throw this.#failure(error);
      }
    }
    return ofWhole(await this.#wholeFor(signal));
  }

  async #wholeFor(signal: AbortSignal): Promise<Uint8Array> {
    signal.throwIfAborted();
    if (!this.#whole) {
      const end = new AbortController();
      this.#whole = { bytes: this.#fetchWhole(end.signal), end, waiting: 0 };
    }
    const whole = this.#whole;
    whole.waiting++;
    let giveUp: (() => void) | undefined;
    const givenUp = new Promise<never>((_, reject) => {
      giveUp = () => reject(signal.reason as Error);
      signal.addEventListener('abort', giveUp);
    });
    try {
      return await Promise.race([whole.bytes, givenUp]);
    } catch (error) {
      if (!--whole.waiting || !signal.aborted) {
        if (this.#whole === whole) this.#whole = undefined;
        whole.end.abort(error);
      }
      throw error;
    } finally {
      signal.removeEventListener('abort', giveUp!);
    }
  }

  async #fetchWhole(signal: AbortSignal): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    let length = 0;
    for await (const piece of this.stream(signal)) {
      length += piece.length;
      if (length > this.#most)
        throw new Failure(
          `${this.name}: the server ignores ranges, and the object has more than ${this.#most} bytes, the most that are held; fetch it to a file`,
        );
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  }

  async #request({ signal, headers }: RequestInit): Promise<Response> {
    const end = new AbortController();
    const stop = (): void => end.abort(signal!.reason);
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
    const timed = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      const silence = new Silent(`the server was silent for ${this.#timeout / 1000} seconds`);
      const timer = setTimeout(() => end.abort(silence), this.#timeout);
      try {
        return await work();
      } finally {
        clearTimeout(timer);
      }
    };
    const response = await timed(() => fetch(this.#url, { signal: end.signal, headers: withoutTag(headers) }));
    const { status, body } = response;
    if (MAY_PASS.includes(status)) this.mayPass = true;
    if (status === 200) this.ignoresRanges = true;
    const told = { status, headers: withTag(response.headers) };
    if (!body) return new Response(null, told);
    const reader = body.getReader();
    const watched = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const step = await timed(() => reader.read());
          if (step.done) controller.close();
          else controller.enqueue(step.value);
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
    return new Response(watched, told);
  }

  #failure(error: unknown): Failure {
    if (error instanceof Failure) return error;
    // Arguments are right, so a TypeError is one of the network.
    const isShort = error instanceof Error && error.message.endsWith(': try again');
    if (error instanceof TypeError || error instanceof Silent || isShort) this.mayPass = true;
    return new Failure(`${this.name}: ${reasonOf(error)}`, { cause: error });
  }
}
