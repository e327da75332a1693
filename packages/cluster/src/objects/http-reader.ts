/** Objects on plain servers of HTTP: those that send ranges, and say by a strong ETag which version they send. */
import { ObjectError } from './errors.ts';
import type { ObjectVersion, Reader } from './object.ts';
import { checkRange, rangeHeader, readRange } from './ranges.ts';
import { discard, send, type Answer, type Request } from './request.ts';
import { attempted } from './retry.ts';
import type { Limits } from './settings.ts';
import { refusal } from './status.ts';

/** A strong entity tag: RFC 9110 §8.8.3. */
const STRONG = /^"[\x21\x23-\x7e\x80-\xff]*"$/;

export class HttpReader implements Reader {
  readonly #url: URL;
  readonly #limits: Limits;

  constructor(url: URL, limits: Limits) {
    this.#url = url;
    this.#limits = limits;
  }

  look(signal?: AbortSignal): Promise<ObjectVersion> {
    return attempted(this.#limits, signal, async () => {
      const answer = await this.#send('HEAD', {}, signal);
      discard(answer);
      if (answer.status !== 200) throw refusal(answer);
      const { 'content-length': length, etag, 'accept-ranges': ranges } = answer.headers;
      const fail = (reason: string): never => {
        throw new ObjectError(this.#url.href, reason, { status: 200 });
      };
      const size = Number(length);
      if (length === undefined || !Number.isSafeInteger(size)) fail('the server does not say how long the object is');
      if (etag === undefined || !STRONG.test(etag))
        fail(
          `the server gives ${etag === undefined ? 'no' : 'a weak'} ETag, so that a change between ranges could not be seen`,
        );
      if (ranges !== undefined && ranges !== 'bytes')
        fail(`the server sends no ranges (Accept-Ranges: ${ranges.slice(0, 20)})`);
      const object = { url: this.#url.href, size, etag: etag! };
      if (size > 0) await this.#probe(object, signal);
      return object;
    });
  }

  /** Reads a byte: servers say that they send ranges and do not, and send them and do not say so. */
  async #probe(object: ObjectVersion, signal: AbortSignal | undefined): Promise<void> {
    const range = { offset: object.size - 1, length: 1 };
    const once = { ...this.#limits, attempts: 1 };
    for await (const _byte of readRange(object, range, once, signal, (rest) => this.#get(object, rest, signal)));
  }

  read(object: ObjectVersion, offset: number, length: number, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    checkRange(object, offset, length);
    return readRange(object, { offset, length }, this.#limits, signal, (rest) => this.#get(object, rest, signal));
  }

  #get(
    object: ObjectVersion,
    range: { offset: number; length: number },
    signal: AbortSignal | undefined,
  ): Promise<Answer> {
    return this.#send('GET', { range: rangeHeader(range), 'if-match': object.etag }, signal);
  }

  #send(method: Request['method'], headers: Record<string, string>, signal: AbortSignal | undefined): Promise<Answer> {
    const url = this.#url;
    const { timeout } = this.#limits;
    return send({
      object: url.href,
      url,
      method,
      headers: { ...headers, 'accept-encoding': 'identity' },
      signal,
      timeout,
    });
  }
}
