/** Objects in S3 as readers. */
import { NotAllowed, ObjectError } from './errors.ts';
import type { ObjectVersion, Reader } from './object.ts';
import { checkRange, rangeHeader, readRange } from './ranges.ts';
import { discard, type Answer } from './request.ts';
import { attempted, type Range } from './retry.ts';
import type { Bucket } from './s3.ts';

export class S3Reader implements Reader {
  readonly #bucket: Bucket;
  readonly #key: string;
  readonly #url: string;
  /** Versions need a permission of their own, `s3:GetObjectVersion`; without it If-Match alone says which version is read. */
  #mayReadVersions = true;

  constructor(bucket: Bucket, key: string) {
    this.#bucket = bucket;
    this.#key = key;
    this.#url = `s3://${bucket.name}/${key}`;
  }

  look(signal?: AbortSignal): Promise<ObjectVersion> {
    return attempted(this.#bucket.settings, signal, async () => {
      const answer = await this.#bucket.send({ method: 'HEAD', key: this.#key, signal });
      if (answer.status !== 200) throw await this.#bucket.refusal(answer, this.#key);
      discard(answer);
      const { 'content-length': length, etag, 'x-amz-version-id': version } = answer.headers;
      const size = Number(length);
      if (length === undefined || !Number.isSafeInteger(size) || etag === undefined)
        throw new ObjectError(this.#url, 'the store gives no size or no ETag', { status: 200, temporary: true });
      return { url: this.#url, size, etag, ...(typeof version === 'string' ? { version } : {}) };
    });
  }

  read(object: ObjectVersion, offset: number, length: number, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    checkRange(object, offset, length);
    return readRange(object, { offset, length }, this.#bucket.settings, signal, (rest) =>
      this.#get(object, rest, signal),
    );
  }

  async #get(object: ObjectVersion, range: Range, signal: AbortSignal | undefined): Promise<Answer> {
    const versioned = object.version !== undefined && this.#mayReadVersions;
    try {
      const headers = { range: rangeHeader(range), 'if-match': object.etag };
      const query = versioned ? { versionId: object.version } : {};
      return await this.#bucket.ask({ method: 'GET', key: this.#key, query, headers, signal }, 200, 206);
    } catch (error) {
      if (!versioned || !(error instanceof NotAllowed)) throw error;
      this.#mayReadVersions = false;
      return await this.#get(object, range, signal);
    }
  }
}
