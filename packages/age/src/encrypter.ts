/** Encrypts files to recipients or to a passphrase. */
import type { Pool } from 'lanewise/pool.js';
import { agePayload, type AgePayloadStreamOptions, type ByteSource, type Sealer } from 'lanewise/stream.js';
import { isBytes, randomBytes } from 'lanewise/utils.js';
import { ArmorEncoder, armoredSize, armoredStream } from './armor.ts';
import { throwIfAborted, whileOpen } from './abort.ts';
import {
  flagOf,
  KEY_OPTIONS,
  optionsOf,
  present,
  refuseExtra,
  STREAM_OPTIONS,
  streamOptionsOf,
  textOf,
  workOf,
  wrong,
  type KeyOptions,
  type Work,
} from './checks.ts';
import { wrappedFor } from './file-key.ts';
import { SALT_BYTES } from './header.ts';
import { checkRecipient } from './keys.ts';
import { checkLabels, type LabelledRecipient } from './labels.ts';
import { PassphraseRecipient, WORK_FACTOR, workFactorOf } from './passphrase.ts';
import { payloadKeyOf } from './payload-key.ts';
import { sourceOf } from './pieces.ts';
import { Turns } from './turns.ts';
import { underKey } from './payload.ts';

/** A stream that knows how the size of its source becomes its own. */
export type ReadableStreamWithSize = ReadableStream<Uint8Array<ArrayBuffer>> & {
  /**
   * @param sourceSize - The bytes that the source has.
   * @returns The bytes that this stream has.
   * @throws RangeError if no source has this size.
   */
  size(sourceSize: number): number;
};

/** Where the bytes of a file come from that is not in memory. */
export type StreamSource = Exclude<ByteSource, Uint8Array>;

/** How a file is encrypted. */
export interface EncryptOptions {
  /** Whether the result is text, as {@link armor} makes it; false unless given. */
  readonly armor?: boolean;
  /** Stops the work with the signal's reason, when it aborts. */
  readonly signal?: AbortSignal;
  /** Called now and then with the bytes that are done, and with their number in all if it is known. */
  readonly onProgress?: (done: number, total?: number) => void;
  /** The size of the file in bytes, if it is known beforehand: a source of another size is an error. */
  readonly size?: number;
  /** A pool of `lanewise/pool.js`, whose threads encrypt the chunks of long files. */
  readonly pool?: Pool;
}

const OPTIONS = ['armor', ...STREAM_OPTIONS] as const;

/** Why calls that give a machine or a key have not all options. */
const HINTS = { onProgress: 'the caller knows what it has pushed', size: 'the caller knows what it has pushed' };

/** The size from which a pool may be quicker for files in memory. */
const LONG_BYTES = 2 ** 22;

/** The beginning of a new file, and the key of its chunks: the result of `fileHeader` of {@link Encrypter}. */
export interface FileHeader {
  /** Header and salt, which go in front of the chunks. Not secret. */
  readonly header: Uint8Array<ArrayBuffer>;
  /** 32 bytes, for the chunks of this file only. They decrypt the file. */
  readonly payloadKey: Uint8Array;
}

/**
 * Encrypts files to recipients or to a passphrase, as the class of the same name in `age-encryption` does: that package encrypts
 * the file's key to recipients that are not of X25519, and this one does the rest.
 *
 * @throws TypeError, RangeError, Error: see its methods.
 * @example
 * ```ts
 * import { Decrypter, Encrypter, generateIdentity, identityToRecipient } from '@lanewise/age';
 * const identity = await generateIdentity();
 * const encrypter = new Encrypter();
 * encrypter.addRecipient(await identityToRecipient(identity));
 * const file = await encrypter.encrypt('hello');
 *
 * const decrypter = new Decrypter();
 * decrypter.addIdentity(identity);
 * console.log(await decrypter.decrypt(file, 'text')); // hello
 * ```
 */
export class Encrypter {
  #passphrase: string | undefined;
  #workFactor = WORK_FACTOR;
  readonly #recipients: (string | LabelledRecipient)[] = [];

  constructor();
  constructor(...extra: unknown[]) {
    refuseExtra(extra, 0);
  }

  /**
   * Sets the passphrase. A file has one passphrase, or recipients, never both.
   *
   * @param passphrase - Any text. It is not checked to be a good one: five random words are.
   * @throws TypeError if it isn't a string, RangeError if it has a lone surrogate, Error if there is a passphrase or a recipient already.
   */
  setPassphrase(passphrase: string): void;
  setPassphrase(passphrase: string, ...extra: unknown[]): void {
    refuseExtra(extra, 1);
    textOf(passphrase, 'passphrase');
    if (this.#passphrase !== undefined) throw new Error('can encrypt to at most one passphrase');
    if (this.#recipients.length) throw new Error("can't encrypt to both recipients and passphrases");
    this.#passphrase = passphrase;
  }

  /**
   * Sets the work factor of scrypt for the passphrase; 18 unless set. Each step up doubles time and memory.
   *
   * @param logN - From 1 to 21.
   * @throws TypeError or RangeError if it isn't such an integer.
   */
  setScryptWorkFactor(logN: number): void;
  setScryptWorkFactor(logN: number, ...extra: unknown[]): void {
    refuseExtra(extra, 1);
    this.#workFactor = workFactorOf(logN);
  }

  /**
   * Adds a recipient. All of a file must be post-quantum, or none.
   *
   * @param recipient - `age1…`, `age1pq1…`, `age1tag1…`, `age1tagpq1…`, or an object with `wrapFileKey`.
   * @throws TypeError if it is neither, Error if it is malformed, or there is a passphrase already.
   */
  addRecipient(recipient: string | LabelledRecipient): void;
  addRecipient(recipient: string | LabelledRecipient, ...extra: unknown[]): void {
    refuseExtra(extra, 1);
    if (this.#passphrase !== undefined) throw new Error("can't encrypt to both recipients and passphrases");
    const known =
      typeof recipient === 'string' ||
      typeof (recipient as Partial<LabelledRecipient> | null)?.wrapFileKey === 'function';
    if (!known) throw wrong('recipient', 'string or object with wrapFileKey', recipient);
    if (typeof recipient === 'string' && /^AGE-SECRET-KEY-/i.test(recipient))
      throw new Error(
        '"recipient" expected age1…, got an identity, which is secret; identityToRecipient makes a recipient of it',
      );
    if (typeof recipient === 'string') checkRecipient(recipient);
    this.#recipients.push(recipient);
  }

  /**
   * Encrypts a file.
   *
   * @param file - Bytes, or a string, which is encoded as UTF-8.
   * @param options - `armor`, `signal`, `onProgress`, `size`, `pool`.
   * @returns A promise of the encrypted file.
   * @throws By rejection: TypeError or RangeError if an argument is not of that form, Error without recipient or passphrase, the
   * reason of the signal, or the error of a recipient.
   */
  encrypt(file: Uint8Array | string, options?: EncryptOptions): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Encrypts a file of any size, as it is read.
   *
   * @param file - A ReadableStream, Blob, Response, Request, `FileHandle` of Node, or iterable of bytes, also asynchronous.
   * @param options - `armor`, `signal`, `onProgress`, `size`, `pool`.
   * @returns A promise of a byte stream, which reads the source when it is read.
   * @throws As above. Later errors are errors of the stream.
   */
  encrypt(file: StreamSource, options?: EncryptOptions): Promise<ReadableStreamWithSize>;
  /** Bytes become bytes, and all other sources a stream. */
  encrypt(
    file: ByteSource | string,
    options?: EncryptOptions,
  ): Promise<Uint8Array<ArrayBuffer> | ReadableStreamWithSize>;
  async encrypt(
    file: ByteSource | string,
    options?: EncryptOptions,
    ...extra: unknown[]
  ): Promise<Uint8Array<ArrayBuffer> | ReadableStreamWithSize> {
    refuseExtra(extra, 2);
    const given = optionsOf(options, OPTIONS);
    const armored = flagOf(given.armor, 'armor');
    const source = sourceOf(typeof file === 'string' ? new TextEncoder().encode(textOf(file, 'file')) : file);
    const checked = streamOptionsOf(given);
    const { signal, pool } = checked;
    if (isBytes(source) && checked.size !== undefined && checked.size !== source.length)
      throw new RangeError(`"size" expected ${source.length}, as the file has, got ${checked.size}`);
    throwIfAborted(signal);
    const front = await this.#front({ signal, pool });
    try {
      if (isBytes(source)) {
        present(source, 'file');
        const parallel = pool && source.length >= LONG_BYTES;
        const sealed = await (parallel ? sealParallel : sealInTurns)(front, source, checked);
        return armored ? await armorInTurns(sealed, signal) : sealed;
      }
      const payload = underKey(front.payloadKey, (its) => its.encrypt(source, { ...checked, header: front.header }));
      const stream = armored ? armoredStream(payload) : payload;
      return Object.assign(stream, {
        size(sourceSize: number): number {
          const binary = front.header.length + agePayload.ciphertextSize(sourceSize);
          return armored ? armoredSize(binary) : binary;
        },
      });
    } finally {
      front.payloadKey.fill(0);
    }
  }

  /**
   * Makes an object that encrypts one file in pieces of any length.
   *
   * @param options - `signal`; `pool`, in whose threads the key of a passphrase is derived.
   * @returns A promise of the object. Its `header` goes in front of all bytes from `push` and `end`.
   * @throws By rejection, as `encrypt`.
   */
  sealer(options?: KeyOptions): Promise<Sealer>;
  async sealer(options?: KeyOptions, ...extra: unknown[]): Promise<Sealer> {
    refuseExtra(extra, 1);
    const work = workOf(optionsOf(options, KEY_OPTIONS, { ...HINTS, armor: 'ArmorEncoder armors what it gives' }));
    throwIfAborted(work.signal);
    const { header, payloadKey } = await this.#front(work);
    try {
      return underKey(payloadKey, (payload) => payload.sealer({ header }));
    } finally {
      payloadKey.fill(0);
    }
  }

  /**
   * Makes the beginning of one new file, for programs that encrypt its chunks by themselves: `agePayload` of `lanewise/stream.js`
   * does it in one place, and chunks can be encrypted in several, each with its number (C2SP age, "Payload").
   *
   * @param options - `signal`; `pool`, in whose threads the key of a passphrase is derived.
   * @returns A promise of the header with its salt, and of the key of the payload, which the caller wipes. **The key is for one file**:
   * two payloads under one key give both away.
   * @throws By rejection, as `encrypt`.
   */
  fileHeader(options?: KeyOptions): Promise<FileHeader>;
  async fileHeader(options?: KeyOptions, ...extra: unknown[]): Promise<FileHeader> {
    refuseExtra(extra, 1);
    const work = workOf(optionsOf(options, KEY_OPTIONS, { ...HINTS, armor: 'ArmorEncoder armors the file' }));
    throwIfAborted(work.signal);
    return this.#front(work);
  }

  /** The header and salt of a new file. */
  async #front(work: Work): Promise<FileHeader> {
    const wrapped = await whileOpen(work, (its) => {
      const recipients =
        this.#passphrase === undefined
          ? this.#recipients
          : [new PassphraseRecipient(this.#passphrase, this.#workFactor, its)];
      if (!recipients.length) throw new Error('no recipients: call addRecipient or setPassphrase first');
      checkLabels(recipients);
      return wrappedFor(recipients, its.signal);
    });
    try {
      const header = new Uint8Array(wrapped.header.length + SALT_BYTES);
      const salt = randomBytes(SALT_BYTES);
      header.set(wrapped.header);
      header.set(salt, wrapped.header.length);
      return { header, payloadKey: payloadKeyOf(wrapped.fileKey, salt) };
    } finally {
      wrapped.fileKey.fill(0);
    }
  }
}

/** Encrypts a file that is in memory on the threads of a pool. */
async function sealParallel(
  { header, payloadKey }: FileHeader,
  file: Uint8Array,
  options: AgePayloadStreamOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const out = new Uint8Array(header.length + agePayload.ciphertextSize(file.length));
  const reader = underKey(payloadKey, (payload) => payload.encrypt(file, { ...options, header })).getReader();
  for (let at = 0; ;) {
    const { value, done } = await reader.read();
    if (done) return out;
    out.set(value, at);
    at += value.length;
  }
}

/** How much of a file in memory is encrypted or armored between two turns of the event loop: some milliseconds. */
const BYTES_A_TURN = 2 ** 21;

/** The parts of a file in memory, with a turn of the event loop before each but the first. */
async function* partsOf(file: Uint8Array, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const { length } = file;
  const turns = new Turns(1);
  for (let at = 0; at < length; at += BYTES_A_TURN) {
    if (at > 0) await turns.next();
    throwIfAborted(signal);
    yield present(file, 'file').subarray(at, at + BYTES_A_TURN);
  }
  // `onProgress` may have aborted it.
  throwIfAborted(signal);
}

/** Encrypts a file that is in memory. */
async function sealInTurns(
  { header, payloadKey }: FileHeader,
  file: Uint8Array,
  { signal, onProgress }: AgePayloadStreamOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const { length } = file;
  const out = new Uint8Array(header.length + agePayload.ciphertextSize(length));
  out.set(header);
  const sealer = underKey(payloadKey, (payload) => payload.sealer());
  try {
    let to = header.length;
    let done = 0;
    for await (const part of partsOf(file, signal)) {
      to += sealer.push(part, out.subarray(to)).length;
      done += part.length;
      onProgress?.(done, length);
    }
    sealer.end(out.subarray(to));
    if (length === 0) onProgress?.(0, 0);
  } finally {
    sealer.destroy();
  }
  return out;
}

/** Armors a file that is in memory. */
async function armorInTurns(file: Uint8Array, signal: AbortSignal | undefined): Promise<Uint8Array<ArrayBuffer>> {
  const encoder = new ArmorEncoder();
  const out = new Uint8Array(armoredSize(file.length));
  let to = 0;
  for await (const part of partsOf(file, signal)) {
    const lines = encoder.push(part);
    out.set(lines, to);
    to += lines.length;
  }
  out.set(encoder.end(), to);
  return out;
}
