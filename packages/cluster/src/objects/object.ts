/** Objects that workers read and write: in S3, on a shared file system, on web servers. */

/** One version of an object, as it was looked up; all reads are of this version or fail. */
export interface ObjectVersion {
  /** `s3://bucket/key`, `file:///path`, `https://host/path`. */
  readonly url: string;
  /** In bytes. */
  readonly size: number;
  /** The entity tag; of files, their size, times of change of bytes and of attributes in nanoseconds, and inode. */
  readonly etag: string;
  /** S3's version id, where the bucket has versions. */
  readonly version?: string;
}

/** Reads an object in ranges. */
export interface Reader {
  /** Finds the object's present version. */
  look(signal?: AbortSignal): Promise<ObjectVersion>;
  /** The bytes of a range of a version, in pieces of at most 1 MiB. */
  read(object: ObjectVersion, offset: number, length: number, signal?: AbortSignal): AsyncIterable<Uint8Array>;
  /**
   * As `read`, for those who need a piece no longer than until they ask for the next one: its buffer is used again. Readers have it whose
   * own reading is as fast as a core hashes, so that one piece is enough to read ahead.
   */
  lend?(object: ObjectVersion, offset: number, length: number, signal?: AbortSignal): AsyncIterable<Uint8Array>;
}

/** Writes an object in parts, from any number of machines; nothing is under its name before it is complete. */
export interface Upload {
  /** Starts an upload and gives its id. */
  begin(signal?: AbortSignal): Promise<string>;
  /** Writes a part, numbered from 1, that begins at an offset of the target; gives its entity tag. */
  part(id: string, number: number, offset: number, bytes: Uint8Array, signal?: AbortSignal): Promise<string>;
  /** Puts the parts together under the target's name; gives the object's entity tag. */
  complete(
    id: string,
    parts: readonly { readonly number: number; readonly etag: string }[],
    signal?: AbortSignal,
  ): Promise<string>;
  /** Gives the upload up; may be called again. */
  abort(id: string): Promise<void>;
}

/**
 * Gives the credentials of S3 that hold now. It has the form of the vendor's credential providers, so that those of
 * `@aws-sdk/credential-providers` can be given: `fromIni({ profile })`, `fromNodeProviderChain()`. It is called again shortly before
 * `expiration`, and without one every few minutes.
 */
export type CredentialProvider = () => Promise<{
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
  readonly expiration?: Date | undefined;
}>;

/** How objects in S3 are reached; missing settings come from the `AWS_…` variables of the environment. */
export interface ObjectOptions {
  /** Of an S3 server of one's own: `http://127.0.0.1:7070`. `AWS_ENDPOINT_URL_S3` or `AWS_ENDPOINT_URL` unless given. */
  readonly endpoint?: string;
  /** `AWS_REGION` unless given. */
  readonly region?: string;
  /**
   * `AWS_ACCESS_KEY_ID` unless given; else the role of the container (ECS, EKS) or, at Amazon's own endpoints, of the machine (EC2);
   * without any, requests are not signed, as for public buckets.
   */
  readonly accessKeyId?: string;
  /** `AWS_SECRET_ACCESS_KEY` unless given. */
  readonly secretAccessKey?: string;
  /** `AWS_SESSION_TOKEN` unless given. */
  readonly sessionToken?: string;
  /** A function that gives credentials, in place of keys: of a profile, of a single sign-on, of a vault. */
  readonly credentials?: CredentialProvider;
  /** How often a request is tried without progress, 6 unless given; between attempts it waits, longer each time. */
  readonly attempts?: number;
  /** Milliseconds of silence after which an attempt has failed, 30,000 unless given. */
  readonly timeout?: number;
}
