/** Uploads to S3 in parts, that may come from any number of machines. */
import { randomBytes } from 'node:crypto';
import { ObjectError, ObjectMissing } from './errors.ts';
import type { Upload } from './object.ts';
import { discard, textOf, type Answer } from './request.ts';
import { attempted, throwIfAborted, unlessAborted } from './retry.ts';
import type { Bucket, S3Request } from './s3.ts';
import { codeOf, refusal } from './status.ts';

/** Amazon S3 User Guide, "Multipart upload limits". */
const MOST_PARTS = 10_000;

/** Metadata by which a completed object is recognized when the answer that said so was lost. */
const MARK = 'x-amz-meta-lanewise-upload';

/** How often an abort is repeated until no part is left. */
const ABORTS = 5;

/** The text of an element of XML, with the entities that S3 writes. */
function textIn(xml: string, element: string): string | undefined {
  const text = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1];
  const entities: Readonly<Record<string, string>> = {
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    amp: '&',
    '#34': '"',
    '#39': "'",
  };
  return text?.replace(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole);
}

const escaped = (text: string): string => text.replace(/[<>&"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** @throws TypeError or RangeError if parts are not numbered 1 to 10,000 in ascending order, each with its entity tag. */
export function checkParts(parts: readonly { readonly number: number; readonly etag: string }[]): void {
  if (!Array.isArray(parts)) throw new TypeError(`"parts" expected an array, got type=${typeof parts}`);
  if (parts.length === 0) throw new RangeError('"parts" expected at least one part, got length=0');
  let before = 0;
  for (const { number, etag } of parts as readonly { number: number; etag: string }[]) {
    checkNumber(number);
    if (number <= before)
      throw new RangeError(`"number" expected parts in ascending order, got ${number} after ${before}`);
    if (typeof etag !== 'string' || etag === '')
      throw new TypeError(`"etag" of part ${number} expected a string that is not empty`);
    before = number;
  }
}

export function checkNumber(number: number): void {
  if (typeof number !== 'number') throw new TypeError(`"number" expected number, got type=${typeof number}`);
  if (!Number.isInteger(number) || number < 1 || number > MOST_PARTS)
    throw new RangeError(`"number" expected integer from 1 to ${MOST_PARTS}, got ${number}`);
}

/** An id of an upload is the mark that its object will have, and S3's id. */
function parseId(id: string): { mark: string; uploadId: string } {
  const match = typeof id === 'string' ? /^([0-9a-f]{32})\.([\x21-\x7e]{1,2000})$/.exec(id) : null;
  if (match === null) throw new RangeError('"id" expected an id of begin()');
  return { mark: match[1], uploadId: match[2] };
}

export class S3Upload implements Upload {
  readonly #bucket: Bucket;
  readonly #key: string;
  readonly #url: string;

  constructor(bucket: Bucket, key: string) {
    this.#bucket = bucket;
    this.#key = key;
    this.#url = `s3://${bucket.name}/${key}`;
  }

  #ask(request: S3Request, ...statuses: readonly number[]): Promise<Answer> {
    return this.#bucket.ask({ key: this.#key, ...request }, ...statuses);
  }

  async begin(signal?: AbortSignal): Promise<string> {
    throwIfAborted(signal);
    const begun = this.#begin(signal);
    // Requests are not ended by the signal, since the store may have carried them out: an upload that begins too late is aborted.
    const late = (): void => void begun.then((id) => this.abort(id)).catch(() => undefined);
    return await unlessAborted(begun, signal, late);
  }

  async #begin(signal: AbortSignal | undefined): Promise<string> {
    const mark = randomBytes(16).toString('hex');
    const headers = { [MARK]: mark, 'content-type': 'application/octet-stream' };
    const since = Date.now();
    let isLost = false;
    const post = async (): Promise<string> => {
      try {
        const answer = await this.#ask({ method: 'POST', query: { uploads: '' }, headers }, 200);
        const uploadId = textIn(await textOf(answer), 'UploadId');
        if (uploadId !== undefined) return uploadId;
        throw new ObjectError(this.#url, 'the store began an upload without an id', { temporary: true });
      } catch (error) {
        // A refused attempt has not begun. All others may have.
        isLost ||= error instanceof ObjectError && error.temporary;
        throw error;
      }
    };
    let uploadId: string | undefined;
    try {
      uploadId = await attempted(this.#bucket.settings, signal, post);
      return `${mark}.${uploadId}`;
    } finally {
      if (isLost) await this.#sweep(since, uploadId);
    }
  }

  /**
   * Aborts uploads that an attempt may have begun whose answer was lost: of this key, empty, and begun since then by the store's
   * clock. It costs a permission that not everybody has (s3:ListBucketMultipartUploads): without it they stay, with no parts.
   */
  async #sweep(since: number, own?: string): Promise<void> {
    const text = (request: S3Request): Promise<[string, Answer]> =>
      attempted(this.#bucket.settings, undefined, async () => {
        const answer = await this.#bucket.ask(request, 200);
        return [await textOf(answer), answer];
      });
    try {
      const [list, { headers }] = await text({ method: 'GET', query: { uploads: '', prefix: this.#key } });
      const begun = Date.parse(headers.date ?? '') - (Date.now() - since);
      for (const [, upload] of list.matchAll(/<Upload>(.*?)<\/Upload>/gs)) {
        const uploadId = textIn(upload, 'UploadId');
        // The store's clock shows whole seconds.
        const isLate = Date.parse(textIn(upload, 'Initiated') ?? '') >= begun - 1000;
        if (textIn(upload, 'Key') !== this.#key || uploadId === undefined || uploadId === own || !isLate) continue;
        const [parts] = await text({ method: 'GET', key: this.#key, query: { uploadId } });
        if (!parts.includes('<Part>')) await this.#abort(uploadId);
      }
    } catch {
      // See above.
    }
  }

  async part(id: string, number: number, _offset: number, bytes: Uint8Array, signal?: AbortSignal): Promise<string> {
    const { uploadId } = parseId(id);
    checkNumber(number);
    if (!(bytes instanceof Uint8Array)) throw new TypeError(`"bytes" expected Uint8Array, got type=${typeof bytes}`);
    return await attempted(this.#bucket.settings, signal, async () => {
      const query = { partNumber: `${number}`, uploadId };
      const answer = await this.#ask({ method: 'PUT', query, body: bytes, signal }, 200);
      await textOf(answer);
      const { etag } = answer.headers;
      if (etag === undefined) throw new ObjectError(this.#url, `the store took part ${number} without an ETag`);
      return etag;
    });
  }

  async complete(
    id: string,
    parts: readonly { readonly number: number; readonly etag: string }[],
    signal?: AbortSignal,
  ): Promise<string> {
    const { mark, uploadId } = parseId(id);
    checkParts(parts);
    const list = parts.map(
      ({ number, etag }) => `<Part><PartNumber>${number}</PartNumber><ETag>${escaped(etag)}</ETag></Part>`,
    );
    const body = Buffer.from(`<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`);
    return await attempted(this.#bucket.settings, signal, async () => {
      try {
        const answer = await this.#ask({ method: 'POST', query: { uploadId }, body, signal }, 200);
        const text = await textOf(answer);
        // The status is sent before the parts are put together, so that 200 may stand before an error.
        if (text.includes('<Error>')) throw refusal({ ...answer, status: 200 }, codeOf(text));
        const etag = textIn(text, 'ETag');
        if (etag === undefined) throw new ObjectError(this.#url, 'the store’s answer was cut off', { temporary: true });
        return etag;
      } catch (error) {
        // An earlier attempt, whose answer was lost, or a worker that died after it, may have completed the upload.
        const etag = error instanceof ObjectMissing ? await this.#completed(mark, signal) : undefined;
        if (etag === undefined) throw error;
        return etag;
      }
    });
  }

  /** The entity tag of the object, if it was made by this upload. */
  async #completed(mark: string, signal: AbortSignal | undefined): Promise<string | undefined> {
    const answer = await this.#bucket.send({ method: 'HEAD', key: this.#key, signal });
    discard(answer);
    if (answer.status >= 500) throw refusal(answer);
    return answer.status === 200 && answer.headers[MARK] === mark ? answer.headers.etag : undefined;
  }

  async abort(id: string): Promise<void> {
    await this.#abort(parseId(id).uploadId);
  }

  /** Parts that were on their way while an upload was aborted may be stored after it: it is aborted until it is gone. */
  async #abort(uploadId: string): Promise<void> {
    await attempted(this.#bucket.settings, undefined, async () => {
      for (let round = 0; round < ABORTS; round++) {
        discard(await this.#ask({ method: 'DELETE', query: { uploadId } }, 204, 200, 404));
        const left = await this.#bucket.send({ method: 'GET', key: this.#key, query: { uploadId, 'max-parts': '1' } });
        discard(left);
        if (left.status >= 500) throw refusal(left);
        // Without the permission to list parts, the answer to the abort is all that can be had.
        if (left.status !== 200) return;
      }
      throw new ObjectError(this.#url, 'parts of an aborted upload are left', { temporary: true });
    });
  }
}
