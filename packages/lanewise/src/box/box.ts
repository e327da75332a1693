/** One box for messages, fields and files, under a key or a keyring. */
import { bytesOrText, fixed, isBytes, lengthOf, refuseSurplus, typeOf, wrongType } from '../calls/checks.ts';
import { flagOf, optionOf, optionsOf } from '../calls/options.ts';
import { Bytes, copyOf, fillBytes } from '../engine/intrinsics.ts';
import type { Chunked, ChunkedFunction, RandomAccessSource, Reader, ReaderOptions } from '../stream.ts';
import { idOf, isKeyring, kept, KEY_BYTES, type Keyring, keyOf, prefixOf, PREFIX_BYTES, wipeKey } from './keyring.ts';
import { openMessage, sealMessage } from './message.ts';
import type { BoxOptions, BoxReaderOptions, BoxTextOptions, CreateBoxOptions } from './options.ts';
import { streamsUnder } from './streams.ts';
import { fromBase64url, fromUtf8, toBase64url, toUtf8 } from './text.ts';

const PLACE = { __proto__: null, for: 1 } as const;
const TEXT = { __proto__: null, for: 1, json: 1 } as const;
const READER = { __proto__: null, for: 1, offset: 1, signal: 1, pool: 1 } as const;
const CREATE = { __proto__: null, chunked: 1, for: 'seal() and open() take it' } as const;
const NONE = /* @__PURE__ */ new Bytes(0);

function placeOf(options: { readonly for?: unknown }): Uint8Array {
  const place = optionOf(options, 'for');
  return place === undefined ? NONE : copyOf(fixed(bytesOrText(place, 'for'), 'for'));
}
const placeIn = (options: unknown): Uint8Array => (options === undefined ? NONE : placeOf(optionsOf(options, PLACE)));

const isJson = (options: { readonly json?: unknown }): boolean => flagOf(options, 'json', false);

/** Seals and opens messages, fields and files. Made by {@link createBox}. */
export class Box {
  readonly #key: Uint8Array | undefined;
  readonly #ring: Keyring | undefined;
  readonly #chunked: ChunkedFunction | undefined;
  #destroyed = false;

  /** @internal */
  constructor(key: Uint8Array | Keyring, chunked: ChunkedFunction | undefined) {
    if (isKeyring(key)) this.#ring = key;
    else this.#key = kept(copyOf(key));
    this.#chunked = chunked;
  }

  /**
   * Seals a message. It may be of any length, and need not differ from others: each has a random salt.
   *
   * @param message - Bytes, or a text, which is encoded as UTF-8 and has no lone surrogate.
   * @param options - `for`.
   * @returns Fresh bytes: 72 more than the message, 16 more for each 16 KiB of it, and 5 more under a keyring.
   * @throws TypeError or RangeError if an argument is not of that form, Error after `destroy`.
   */
  seal(message: Uint8Array | string, options?: BoxOptions): Uint8Array<ArrayBuffer> {
    refuseSurplus(arguments, 2);
    const place = placeIn(options);
    const bytes = bytesOrText(message, 'message');
    const length = lengthOf(bytes, 'message');
    const [key, prefix] = this.#sealing();
    return sealMessage(key, prefix, bytes, length, place);
  }

  /**
   * Opens a message.
   *
   * @param sealed - The bytes that `seal` gave, or all of a file that `stream` encrypted.
   * @param options - `for`, the same.
   * @returns The message, fresh bytes.
   * @throws TypeError or RangeError if an argument is not of that form; Error if the message was sealed under another key or `for`, was changed or cut off,
   * or after `destroy`.
   */
  open(sealed: Uint8Array, options?: BoxOptions): Uint8Array<ArrayBuffer> {
    refuseSurplus(arguments, 2);
    return this.#open(sealed, lengthOf(sealed, 'sealed'), placeIn(options));
  }

  /**
   * Seals a text as a text.
   *
   * @param value - A text; with `json: true` any value that JSON has.
   * @param options - `for`, `json`.
   * @returns base64url without padding: letters, digits, `-` and `_`.
   * @throws TypeError or RangeError if an argument is not of that form, Error after `destroy`.
   */
  sealText(value: unknown, options?: BoxTextOptions): string {
    refuseSurplus(arguments, 2);
    const given = optionsOf(options, TEXT);
    const text = isJson(given) ? (JSON.stringify(value) as unknown) : value;
    if (typeof text !== 'string')
      throw new TypeError(`"value" expected ${isJson(given) ? 'value that JSON has' : 'string'}, got ${typeOf(value)}`);
    const place = placeOf(given);
    const bytes = toUtf8(text, 'value');
    try {
      return toBase64url(sealMessage(...this.#sealing(), bytes, bytes.length, place));
    } finally {
      fillBytes(bytes, 0);
    }
  }

  /**
   * Opens a text.
   *
   * @param sealed - The text that `sealText` gave.
   * @param options - `for` and `json`, the same.
   * @returns The text; with `json: true` the value.
   * @throws As `open`; RangeError if the text isn't base64url without padding.
   */
  openText(sealed: string, options?: BoxTextOptions & { readonly json?: false | undefined }): string;
  openText(sealed: string, options: BoxTextOptions): unknown;
  openText(sealed: string, options?: BoxTextOptions): unknown {
    refuseSurplus(arguments, 2);
    const given = optionsOf(options, TEXT);
    const json = isJson(given);
    const bytes = fromBase64url(sealed, 'sealed');
    const message = this.#open(bytes, bytes.length, placeOf(given));
    try {
      const text = fromUtf8(message);
      return json ? (JSON.parse(text) as unknown) : text;
    } catch {
      // The host's own error may quote the text.
      throw new Error(`the sealed message isn't ${json ? 'JSON' : 'a text'}: it was sealed in another way`);
    } finally {
      fillBytes(message, 0);
    }
  }

  /**
   * Whether a message is sealed under another key than the primary one of the keyring, after a rotation. Its authenticity isn't checked.
   *
   * @param sealed - The bytes that `seal` gave, or the text that `sealText` gave.
   * @returns Whether to call `reseal`; false without a keyring.
   * @throws TypeError, RangeError or Error if it isn't a sealed message.
   */
  needsResealing(sealed: Uint8Array | string): boolean {
    refuseSurplus(arguments, 1);
    const bytes = typeof sealed === 'string' ? fromBase64url(sealed, 'sealed') : sealed;
    const length = lengthOf(bytes, 'sealed');
    return this.#ring !== undefined && idOf(bytes, length) !== this.#ring.primary;
  }

  /**
   * Opens a message, and seals it under the primary key.
   *
   * @param sealed - The bytes that `seal` gave, or the text that `sealText` gave.
   * @param options - `for`, the same before and after.
   * @returns Fresh bytes, or a text for a text.
   * @throws As `open`.
   */
  reseal<Sealed extends Uint8Array | string>(
    sealed: Sealed,
    options?: BoxOptions,
  ): Sealed extends string ? string : Uint8Array<ArrayBuffer>;
  reseal(sealed: Uint8Array | string, options?: BoxOptions): string | Uint8Array<ArrayBuffer> {
    refuseSurplus(arguments, 2);
    const place = placeIn(options);
    const isText = typeof sealed === 'string';
    const bytes = isText ? fromBase64url(sealed, 'sealed') : sealed;
    const message = this.#open(bytes, lengthOf(bytes, 'sealed'), place);
    try {
      const again = sealMessage(...this.#sealing(), message, message.length, place);
      return isText ? toBase64url(again) : again;
    } finally {
      fillBytes(message, 0);
    }
  }

  /**
   * Streams of files, in the same format: `box.open` opens a file that a stream has encrypted, and a stream decrypts a sealed message. Under a
   * keyring, files begin with the five bytes that name their key, as messages do, and any key of the ring decrypts.
   *
   * @param options - `for`.
   * @returns `encrypt`, `decrypt`, `encryptor`, `decryptor`, `reader` and others, as `chunked` gives them. It has a copy of the primary key until
   * its `destroy`. Under a keyring its headers have 61 bytes.
   * @throws TypeError or RangeError if an argument is not of that form, Error if the box was made without `chunked`, or after `destroy`.
   * @example
   * ```ts
   * import { createBox, createKeyring } from 'lanewise/box.js';
   * import { chunked } from 'lanewise/stream.js';
   * const files = createBox(createKeyring(), { chunked }).stream({ for: 'users/42/film' });
   * const sealed = await new Response(files.encrypt(new Uint8Array(100_000))).blob();
   * console.log((await files.decryptWhole(sealed)).length); // prints 100000
   * ```
   */
  stream(options?: BoxOptions): Chunked {
    refuseSurplus(arguments, 1);
    return this.#streams(placeIn(options));
  }

  /**
   * Makes an object that decrypts any range of a file, without the rest of it. The size, the header and the last chunk are checked first.
   *
   * @param source - What `stream` encrypted, or `seal`: a Blob or File, a `FileHandle` of Node, a `FileSystemFileHandle` or
   * `FileSystemSyncAccessHandle`, a Uint8Array, the source of `fetchRange`, or an object with `size` and `read`. It stays the caller's, who
   * leaves it as it is while it is read, and closes it.
   * @param options - `for`, the same; `offset`, where the file begins in the source; `signal`, `pool`.
   * @returns A promise of the object. It is rejected with an Error if the file was sealed under another key or `for`, was changed or cut off; with
   * the reason of the signal; or with whatever the source throws.
   * @throws TypeError or RangeError if an argument is not of that form, Error if the box was made without `chunked`, or after `destroy`: at once.
   * @example
   * ```ts
   * import { createBox } from 'lanewise/box.js';
   * import { chunked } from 'lanewise/stream.js';
   * import { randomBytes } from 'lanewise/utils.js';
   * const box = createBox(randomBytes(32), { chunked });
   * const place = { for: 'users/42/film' };
   * const sealed = await new Response(box.stream(place).encrypt(new Uint8Array(1_000_000))).blob();
   * const film = await box.reader(sealed, place);
   * console.log((await film.read(700_000, 701_024)).length); // prints 1024
   * film.destroy(); // wipes the key
   * ```
   */
  reader(source: RandomAccessSource, options?: BoxReaderOptions): Promise<Reader> {
    refuseSurplus(arguments, 2);
    const given = optionsOf(options, READER);
    const [offset, signal, pool] = [optionOf(given, 'offset'), optionOf(given, 'signal'), optionOf(given, 'pool')];
    const streams = this.#streams(placeOf(given));
    try {
      return streams.reader(source, { __proto__: null, offset, signal, pool } as ReaderOptions);
    } finally {
      // The reader has a copy of the key.
      streams.destroy();
    }
  }

  /** Wipes the key of the box; a keyring is its owner's. The box can't be used any more. */
  destroy(): void {
    refuseSurplus(arguments, 0);
    this.#destroyed = true;
    if (this.#key) wipeKey(this.#key);
  }

  #checkAlive(): void {
    if (this.#destroyed) throw new Error('cannot use Box after destroy()');
  }

  /** The key to seal under, and what names it. */
  #sealing(): readonly [key: Uint8Array, prefix: Uint8Array] {
    this.#checkAlive();
    const ring = this.#ring;
    return ring ? [keyOf(ring, ring.primary), prefixOf(ring.primary)] : [this.#key!, NONE];
  }

  #streams(context: Uint8Array): Chunked {
    if (!this.#chunked)
      throw new Error('the box has no streams: createBox(key, { chunked }) with chunked of lanewise/stream.js');
    return streamsUnder(this.#chunked, this.#ring, ...this.#sealing(), context);
  }

  #open(sealed: Uint8Array, length: number, place: Uint8Array): Uint8Array<ArrayBuffer> {
    this.#checkAlive();
    const ring = this.#ring;
    return ring
      ? openMessage(keyOf(ring, idOf(sealed, length)), sealed, PREFIX_BYTES, length, place)
      : openMessage(this.#key!, sealed, 0, length, place);
  }
}

/**
 * Makes a box: one way to encrypt a message, a field of a database, a cookie and a file. The format is C2SP chunked-encryption with
 * ChaCha20-Poly1305, synchronously: each message has a random salt, a key of its own and a commitment to key and place, so nobody has to choose a
 * nonce, any number of messages may be sealed, and no message opens under two keys.
 *
 * @param key - 32 random bytes, which are copied; or a {@link Keyring}, which stays the caller's.
 * @param options - `chunked`, for {@link Box.stream}.
 * @returns The box.
 * @throws TypeError or RangeError if an argument is not of that form.
 * @example
 * ```ts
 * import { createBox } from 'lanewise/box.js';
 * import { randomBytes } from 'lanewise/utils.js';
 * const box = createBox(randomBytes(32));
 * const sealed = box.sealText('ada@example.org', { for: 'users/42/email' }); // for a column of a database
 * console.log(box.openText(sealed, { for: 'users/42/email' })); // prints ada@example.org
 * ```
 */
export function createBox(key: Uint8Array | Keyring, options?: CreateBoxOptions): Box {
  refuseSurplus(arguments, 2);
  const chunked = optionOf(optionsOf(options, CREATE), 'chunked');
  if (chunked !== undefined && typeof chunked !== 'function')
    throw new TypeError(`"chunked" expected chunked of lanewise/stream.js, got ${typeOf(chunked)}`);
  if (!isKeyring(key)) {
    if (!isBytes(key)) throw wrongType(key, `"key" expected Keyring or Uint8Array of length ${KEY_BYTES}`);
    lengthOf(key, 'key', KEY_BYTES);
  }
  return new Box(key, chunked as ChunkedFunction | undefined);
}
