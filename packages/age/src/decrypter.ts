/** Decrypts files with identities and passphrases. */
import type { Identity } from 'age-encryption';
import type { Pool } from 'lanewise/pool.js';
import {
  agePayload,
  randomAccess,
  type ByteSource,
  type FileTarget,
  type Opener,
  type RandomAccessSource,
  type Reader,
} from 'lanewise/stream.js';
import { isBytes } from 'lanewise/utils.js';
import { throwIfAborted, untilAborted, whileOpen } from './abort.ts';
import { looksArmored } from './armor.ts';
import {
  bytesOf,
  KEY_OPTIONS,
  optionsOf,
  refuseExtra,
  STREAM_OPTIONS,
  streamOptionsOf,
  textOf,
  workOf,
  wrong,
  type KeyOptions,
  type StreamOptions,
  type Work,
} from './checks.ts';
import type { ReadableStreamWithSize, StreamSource } from './encrypter.ts';
import { fileKeyOf, isKey, type AnyIdentity } from './file-key.ts';
import { HeaderReader, MOST_HEADER_BYTES } from './header.ts';
import { checkIdentity } from './keys.ts';
import { MOST_WORK_FACTOR, PassphraseIdentity, workFactorOf } from './passphrase.ts';
import { payloadKeyOf } from './payload-key.ts';
import { sourceOf } from './pieces.ts';
import { headerOf, type ReadHeader } from './read-header.ts';
import { underKey } from './payload.ts';

/** How a file is decrypted. */
export interface DecryptOptions {
  /** Stops the work with the signal's reason, when it aborts. */
  readonly signal?: AbortSignal;
  /** Called now and then with the bytes that are done, and with their number in all if it is known. */
  readonly onProgress?: (done: number, total?: number) => void;
  /** The size of the plaintext in bytes, if it is known beforehand: a file of another size is an error. */
  readonly size?: number;
  /** A pool of `lanewise/pool.js`, whose threads decrypt the chunks of long files. */
  readonly pool?: Pool;
}

/** How a file in memory is decrypted whole. */
export interface DecryptWholeOptions extends DecryptOptions {
  /** The most bytes that the plaintext may have; 2^30 unless given. */
  readonly maxLength?: number;
}

/** A passphrase to try; its key is derived for each file. */
class Passphrase {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Why other calls have not all options. */
const HINTS = {
  onProgress: 'the caller knows what it has pushed',
  size: 'the caller knows what it has pushed',
  maxLength: 'only decryptWhole has it',
  to: 'only decryptWhole has it',
};

/** The bytes that are read at first, to find the end of a header: it has a few hundred bytes for each recipient. */
const FIRST_READ = 4096;

/**
 * Decrypts files with identities and passphrases, as the class of the same name in `age-encryption` does: the header is read by
 * that package, and the payload by this one. Armored files are recognised.
 *
 * @throws TypeError, RangeError, Error: see its methods.
 * @example
 * ```ts
 * import { Decrypter, Encrypter } from '@lanewise/age';
 * const encrypter = new Encrypter();
 * encrypter.setPassphrase('five random words are enough');
 * encrypter.setScryptWorkFactor(12); // for an example that ends soon
 * const file = await encrypter.encrypt(new Uint8Array(1_000_000));
 *
 * const decrypter = new Decrypter();
 * decrypter.addPassphrase('five random words are enough');
 * console.log((await decrypter.decrypt(file)).length); // 1000000
 * ```
 */
export class Decrypter {
  readonly #identities: (AnyIdentity | Passphrase)[] = [];
  #mostWork = MOST_WORK_FACTOR;

  constructor();
  constructor(...extra: unknown[]) {
    refuseExtra(extra, 0);
  }

  /**
   * Adds a passphrase to try.
   *
   * @param passphrase - Any text. It is not checked to be a good one: five random words are.
   * @throws TypeError if it isn't a string, RangeError if it has a lone surrogate, which has no UTF-8.
   */
  addPassphrase(passphrase: string): void;
  addPassphrase(passphrase: string, ...extra: unknown[]): void {
    refuseExtra(extra, 1);
    textOf(passphrase, 'passphrase');
    this.#identities.push(new Passphrase(passphrase));
  }

  /**
   * Sets the greatest work factor of scrypt that a file may ask for; 20 unless set, which is 1 GiB and several seconds.
   *
   * @param logN - From 1 to 21.
   * @throws TypeError or RangeError if it isn't such an integer.
   */
  setMaxScryptWorkFactor(logN: number): void;
  setMaxScryptWorkFactor(logN: number, ...extra: unknown[]): void {
    refuseExtra(extra, 1);
    this.#mostWork = workFactorOf(logN);
  }

  /**
   * Adds an identity to try.
   *
   * @param identity - `AGE-SECRET-KEY-1…`, `AGE-SECRET-KEY-PQ-1…`, a private CryptoKey of X25519, or an object with
   * `unwrapFileKey`, such as a passkey of {@link webauthn}.
   * @throws TypeError if it is none of these, Error if it is malformed.
   */
  addIdentity(identity: AnyIdentity): void;
  addIdentity(identity: AnyIdentity, ...extra: unknown[]): void {
    refuseExtra(extra, 1);
    const known = isKey(identity) || typeof (identity as Partial<Identity> | null)?.unwrapFileKey === 'function';
    if (!known) throw wrong('identity', 'string, CryptoKey or object with unwrapFileKey', identity);
    if (isKey(identity)) checkIdentity(identity);
    this.#identities.push(identity);
  }

  /**
   * Decrypts a file. Nothing is given unless all of it is authentic and complete.
   *
   * @param file - Its bytes, binary or armored.
   * @param outputFormat - `'uint8array'`, which it is unless given, or `'text'`, for a string from UTF-8.
   * @param options - `signal`, `onProgress`, `size`, `pool`.
   * @returns A promise of the plaintext.
   * @throws By rejection: TypeError or RangeError if an argument is not of that form; Error if no identity matches, the file is
   * malformed, not authentic or truncated; the reason of the signal.
   */
  decrypt(file: Uint8Array, outputFormat?: 'uint8array', options?: DecryptOptions): Promise<Uint8Array<ArrayBuffer>>;
  decrypt(file: Uint8Array, outputFormat: 'text', options?: DecryptOptions): Promise<string>;
  /**
   * Decrypts a file of any size, as it is read. Each chunk is authentic, but **only when the stream ends without an error is it
   * known to be complete**; `decryptWhole` gives nothing before.
   *
   * @param file - A ReadableStream, Blob, Response, Request, or iterable of bytes, also asynchronous; binary or armored.
   * @param outputFormat - Left out, or undefined.
   * @param options - `signal`, `onProgress`, `size`, `pool`.
   * @returns A promise of a byte stream, when the header was read and a key found.
   * @throws As above. Later errors are errors of the stream.
   */
  decrypt(file: StreamSource, outputFormat?: undefined, options?: DecryptOptions): Promise<ReadableStreamWithSize>;
  /** Bytes become bytes, and all other sources a stream. */
  decrypt(
    file: ByteSource,
    outputFormat?: undefined,
    options?: DecryptOptions,
  ): Promise<Uint8Array<ArrayBuffer> | ReadableStreamWithSize>;
  async decrypt(
    file: ByteSource,
    outputFormat?: 'uint8array' | 'text',
    options?: DecryptOptions,
    ...extra: unknown[]
  ): Promise<Uint8Array<ArrayBuffer> | string | ReadableStreamWithSize> {
    refuseExtra(extra, 3);
    checkFormat(outputFormat, isBytes(file));
    const checked = streamOptionsOf(optionsOf(options, STREAM_OPTIONS, HINTS));
    const source = sourceOf(file);
    if (isBytes(source)) {
      const whole = await this.#whole(source, checked, { maxLength: source.length });
      return outputFormat === 'text' ? new TextDecoder().decode(whole) : whole;
    }
    throwIfAborted(checked.signal);
    const { header, rest, payloadKey } = await this.#read(source, workOf(checked));
    try {
      return Object.assign(
        underKey(payloadKey, (payload) => payload.decrypt(rest, checked)),
        {
          size: (sourceSize: number) => agePayload.plaintextSize(sourceSize - header.length),
        },
      );
    } finally {
      payloadKey.fill(0);
    }
  }

  /**
   * Decrypts a file of any kind into memory. Nothing is given unless all of it is authentic and complete.
   *
   * @param file - Bytes, or a source of them; binary or armored.
   * @param options - `signal`, `onProgress`, `size`, `maxLength`, `pool`.
   * @returns A promise of the plaintext.
   * @throws As `decrypt` of bytes, and by rejection a RangeError if the plaintext has more than `maxLength` bytes.
   */
  decryptWhole(file: ByteSource, options?: DecryptWholeOptions): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Decrypts a file of any kind into another one, which gets its name when all of it is authentic and complete.
   *
   * @param file - Bytes, or a source of them; binary or armored.
   * @param options - `to`, a `FileSystemFileHandle` or the result of `newFile` of `lanewise/stream-node.js`; `signal`,
   * `onProgress`, `size`, `maxLength`, `pool`.
   * @returns A promise of the number of bytes.
   * @throws As above, and by rejection whatever the file throws.
   */
  decryptWhole(file: ByteSource, options: DecryptWholeOptions & { readonly to: FileTarget }): Promise<number>;
  async decryptWhole(
    file: ByteSource,
    options?: DecryptWholeOptions & { readonly to?: FileTarget },
    ...extra: unknown[]
  ): Promise<Uint8Array<ArrayBuffer> | number> {
    refuseExtra(extra, 2);
    const given = optionsOf(options, [...STREAM_OPTIONS, 'maxLength', 'to']);
    const checked = streamOptionsOf(given);
    const { maxLength, to } = given;
    const source = sourceOf(file);
    // The library checks these.
    const own = { ...(maxLength !== undefined && { maxLength }), ...(to !== undefined && { to }) };
    return this.#whole(source, checked, own);
  }

  /**
   * Opens a file for reading at any place. Only the header, the last chunk and the chunks of each read are fetched.
   *
   * @param file - A Blob or File, a handle of a file, bytes, the source of `fetchRange` of `lanewise/stream.js`, or an object with
   * `size` and `read`; binary, because armor has no random access.
   * @param options - `signal`; `pool`, whose threads derive the key of a passphrase and decrypt long reads.
   * @returns A promise of an object with `size` and `read(from, to)`.
   * @throws As `decrypt`; by rejection also whatever the source throws.
   */
  reader(file: RandomAccessSource, options?: KeyOptions): Promise<Reader>;
  async reader(file: RandomAccessSource, options?: KeyOptions, ...extra: unknown[]): Promise<Reader> {
    refuseExtra(extra, 2);
    const work = workOf(
      optionsOf(options, KEY_OPTIONS, {
        onProgress: 'each read gives all of its bytes at once',
        size: 'the source says its size',
      }),
    );
    const source = randomAccess(file);
    throwIfAborted(work.signal);
    return whileOpen(work, (its) => this.#reader(source, work, its));
  }

  /** @param its - As `work`, with a signal that tells of the end of the pool, too. */
  async #reader(source: ReturnType<typeof randomAccess>, { signal, pool }: Work, its: Work): Promise<Reader> {
    const size = await untilAborted(its.signal, () => source.size(its.signal));
    const front = new HeaderReader();
    for (let length = FIRST_READ; !front.complete; length *= 2) {
      const from = front.length;
      if (from === size) throw front.truncated();
      const to = Math.min(size, from + Math.min(length, MOST_HEADER_BYTES));
      const bytes = await untilAborted(its.signal, () => source.read(from, to, its.signal));
      if (from === 0 && looksArmored(bytes))
        throw new Error(
          '"file" expected binary age file, got an armored one, which has no random access: decrypt it, or take its armor off by armor.decode',
        );
      front.push(bytes);
    }
    const payloadKey = await this.#payloadKey(front, its);
    try {
      const options = { offset: front.length, ...(signal && { signal }), ...(pool && { pool }) };
      return await underKey(payloadKey, (payload) => payload.reader(source, options));
    } finally {
      payloadKey.fill(0);
    }
  }

  /**
   * Makes an object that decrypts one file in pieces of any length.
   *
   * @param options - `header`: header and salt of the file, as {@link HeaderReader} collects them in `bytes`; `signal`; `pool`, in
   * whose threads the key of a passphrase is derived.
   * @returns A promise of the object; `push` is given the bytes after the salt.
   * @throws By rejection: TypeError if an argument is not of that form; Error if it isn't a header with its salt, or no
   * identity matches; the reason of the signal.
   */
  opener(options: KeyOptions & { readonly header: Uint8Array }): Promise<Opener>;
  async opener(options: KeyOptions & { readonly header: Uint8Array }, ...extra: unknown[]): Promise<Opener> {
    refuseExtra(extra, 1);
    const payloadKey = await this.payloadKey(options);
    try {
      return underKey(payloadKey, (payload) => payload.opener());
    } finally {
      payloadKey.fill(0);
    }
  }

  /**
   * Finds the key of a file's payload, for programs that decrypt its chunks by themselves: `agePayload` of `lanewise/stream.js` does
   * it in one place, and chunks can be decrypted in several, each with its number (C2SP age, "Payload").
   *
   * @param options - `header`: header and salt of the file, as {@link HeaderReader} collects them in `bytes`; `signal`; `pool`, in
   * whose threads the key of a passphrase is derived.
   * @returns A promise of 32 bytes, which the caller wipes. They decrypt the file.
   * @throws By rejection, as `opener`.
   */
  payloadKey(options: KeyOptions & { readonly header: Uint8Array }): Promise<Uint8Array>;
  async payloadKey(options: KeyOptions & { readonly header: Uint8Array }, ...extra: unknown[]): Promise<Uint8Array> {
    refuseExtra(extra, 1);
    const given = optionsOf(options, ['header', ...KEY_OPTIONS], HINTS);
    const work = workOf(given);
    const reader = new HeaderReader();
    const bytes = bytesOf(given.header, 'header');
    if (reader.push(bytes) < bytes.length) throw new Error('"header" expected header and salt, got bytes after them');
    if (!reader.complete) throw reader.truncated();
    throwIfAborted(work.signal);
    return whileOpen(work, (its) => this.#payloadKey(reader, its));
  }

  /**
   * Finds the file key of a header that stands alone.
   *
   * @param header - The header up to and including the line of its MAC.
   * @param options - `signal`; `pool`, in whose threads the key of a passphrase is derived.
   * @returns A promise of 16 bytes. They decrypt the file.
   * @throws By rejection: TypeError if an argument is not of that form, Error if no identity matches or the header is malformed; the
   * reason of the signal.
   */
  decryptHeader(header: Uint8Array, options?: KeyOptions): Promise<Uint8Array>;
  async decryptHeader(header: Uint8Array, options?: KeyOptions, ...extra: unknown[]): Promise<Uint8Array> {
    refuseExtra(extra, 2);
    const work = workOf(optionsOf(options, KEY_OPTIONS, HINTS));
    // A copy, because the package that reads it begins some turns later.
    const copy = bytesOf(header, 'header').slice();
    throwIfAborted(work.signal);
    return whileOpen(work, (its) => this.#fileKey(copy, its));
  }

  /** The file key of a header: 16 bytes, to be wiped. */
  #fileKey(header: Uint8Array, work: Work): Promise<Uint8Array> {
    const identities = this.#identities.map((identity) =>
      identity instanceof Passphrase ? new PassphraseIdentity(identity.text, this.#mostWork, work) : identity,
    );
    return fileKeyOf(header, identities, work.signal);
  }

  /** The key of a file's payload: 32 bytes, to be wiped. */
  async #payloadKey({ header, salt }: HeaderReader, work: Work): Promise<Uint8Array> {
    const fileKey = await this.#fileKey(header, work);
    try {
      return payloadKeyOf(fileKey, salt);
    } finally {
      fileKey.fill(0);
    }
  }

  /** Reads a file up to its chunks, and finds its key. Ends the source if there is none. */
  #read(file: ByteSource, work: Work): Promise<ReadHeader & { readonly payloadKey: Uint8Array }> {
    return whileOpen(work, async (its) => {
      const read = await headerOf(file, its.signal);
      try {
        return { ...read, payloadKey: await this.#payloadKey(read.header, its) };
      } catch (error) {
        void read.rest.return(error);
        throw error;
      }
    });
  }

  async #whole(file: ByteSource, options: StreamOptions, own: { maxLength?: unknown; to?: unknown }) {
    const work = workOf(options);
    throwIfAborted(work.signal);
    const { rest, payloadKey } = await this.#read(file, work);
    try {
      return await underKey(payloadKey, (payload) =>
        payload.decryptWhole(rest, { ...options, ...own } as DecryptWholeOptions),
      );
    } finally {
      payloadKey.fill(0);
    }
  }
}

function checkFormat(format: unknown, isWhole: boolean): void {
  if (format === undefined || (isWhole && (format === 'uint8array' || format === 'text'))) return;
  if (typeof format !== 'string') throw wrong('outputFormat', "'uint8array' or 'text'", format);
  throw new RangeError(
    isWhole
      ? `"outputFormat" expected 'uint8array' or 'text', got another string`
      : '"outputFormat" expected undefined for a stream: TextDecoderStream makes text of it',
  );
}
