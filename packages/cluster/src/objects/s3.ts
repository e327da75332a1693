/** Requests to S3: their addresses, their signatures, and the meaning of the store's refusals. */
import { AwsV4Signer } from 'aws4fetch';
import { createHash } from 'node:crypto';
import { optionsOf } from '../calls.ts';
import { NotAllowed, ObjectError } from './errors.ts';
import { discard, send, textOf, type Answer, type Request } from './request.ts';
import { unlessAborted } from './retry.ts';
import type { Settings } from './settings.ts';
import { codeOf, refusal } from './status.ts';

/** Percent-encoding as signatures want it: only unreserved characters stay, RFC 3986 §2.3. */
export const percentEncoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** A request to a bucket. */
export interface S3Request {
  readonly method: Request['method'];
  /** Of the bucket itself where it is empty. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The part of a host's name after the region. */
const domain = (region: string): string => (region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com');

/** A bucket, as one set of credentials sees it. */
export class Bucket {
  readonly name: string;
  readonly settings: Settings;
  /** Signing keys, which hold for a day. */
  readonly #signingKeys = new Map<string, ArrayBuffer>();

  constructor(name: string, settings: Settings) {
    this.name = name;
    this.settings = settings;
  }

  /**
   * Names of buckets are part of the host at Amazon (virtual-host style), and of the path at servers of one's own, and where the
   * name has dots, which no certificate covers.
   */
  url(key: string, query: Readonly<Record<string, string>>): URL {
    const { endpoint, region } = this.settings;
    const base = endpoint ?? new URL(`https://s3.${region}.${domain(region)}`);
    const virtual = /(^|\.)s3[.-][a-z0-9.-]*amazonaws\.com(\.cn)?$/.test(base.hostname) && !this.name.includes('.');
    const url = new URL(base);
    if (virtual) url.hostname = `${this.name}.${base.hostname}`;
    const path = key.split('/').map(percentEncoded).join('/');
    url.pathname = `${base.pathname.replace(/\/+$/, '')}/${virtual ? '' : `${this.name}/`}${path}`;
    url.search = Object.entries(query)
      .map(([name, value]) => `${percentEncoded(name)}=${percentEncoded(value)}`)
      .join('&');
    return url;
  }

  /** Sends a request, once. The object's URL in messages has the scheme s3. */
  async send(request: S3Request): Promise<Answer> {
    const { method, key = '', query = {}, headers = {}, body, signal } = optionsOf(request, undefined, 'request');
    const url = this.url(key, query);
    const object = `s3://${this.name}/${key}`;
    const { timeout } = this.settings;
    return await send({
      ...{ object, method, body, signal, timeout, url },
      headers: await this.#signed(url, method, headers, body, signal),
    });
  }

  async #signed(
    url: URL,
    method: string,
    headers: Readonly<Record<string, string>>,
    body: Uint8Array | undefined,
    signal: AbortSignal | undefined,
  ) {
    const credentials = await unlessAborted(this.settings.credentials(), signal, () => undefined);
    if (credentials === undefined) return headers;
    // TLS protects bodies; without it the signature does, at the price of a SHA-256.
    const hash = url.protocol === 'http:' ? createHash('sha256').update(body ?? '') : undefined;
    const signing = {
      url: url.href,
      method,
      headers: { ...headers, 'x-amz-content-sha256': hash?.digest('hex') ?? 'UNSIGNED-PAYLOAD' },
      accessKeyId: credentials.accessKeyId,
      secretAccessKey: credentials.secretAccessKey,
      ...(credentials.sessionToken === undefined ? {} : { sessionToken: credentials.sessionToken }),
      service: 's3',
      region: this.settings.region,
      cache: this.#signingKeys,
    };
    // Without a prototype: the package reads options that are not given here.
    const signer = new AwsV4Signer(optionsOf(signing, undefined, 'signing'));
    return Object.fromEntries((await signer.sign()).headers);
  }

  /** Sends a request, once, and throws unless the answer has one of the statuses. */
  async ask(request: S3Request, ...statuses: readonly number[]): Promise<Answer> {
    const answer = await this.send(request);
    if (statuses.includes(answer.status)) return answer;
    throw await this.refusal(answer);
  }

  /** The error that an answer stands for. Reads its body; a HEAD has none, so that its code is asked for by a GET. */
  async refusal(answer: Answer, key = ''): Promise<ObjectError> {
    const { method, object, signal } = answer.request;
    let text = '';
    if (method === 'HEAD') {
      discard(answer);
      if (answer.status !== 304 && answer.status < 500 && key !== '') {
        const again = await this.send({ method: 'GET', key, headers: { range: 'bytes=0-0' }, signal });
        if (again.status === answer.status) text = await textOf(again);
        else discard(again);
      }
    } else {
      text = await textOf(answer);
    }
    const code = codeOf(text);
    const region = /<Region>([a-z0-9-]{1,63})<\/Region>/.exec(text)?.[1] ?? answer.headers['x-amz-bucket-region'];
    const elsewhere = typeof region === 'string' && /^[a-z0-9-]{1,63}$/.test(region) && region !== this.settings.region;
    if (elsewhere && [301, 307, 400].includes(answer.status)) {
      const reason = `the bucket is in region ${region}, not in ${this.settings.region}: set AWS_REGION=${region}`;
      return new ObjectError(object, reason, { status: answer.status, code });
    }
    const error = refusal(answer, code);
    if (error instanceof NotAllowed && !('authorization' in answer.request.headers))
      error.message += '; the request was not signed: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set';
    return error;
  }
}
