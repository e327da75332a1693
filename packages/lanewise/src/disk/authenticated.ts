/** Pages with room for a nonce and a tag: an AEAD, page by page. It is given, so that who wants none does not load one. */
import { integerOf, kindOf, lengthOf, outputOf, type Result } from '../calls/checks.ts';
import { countPages, optionsOf, sizeOf } from './options.ts';
import { checkNumbers, pageNumber, writeNumber } from './tweak.ts';
import { Bytes, copyBytes, fillBytes, part } from '../engine/intrinsics.ts';
import { randomBytes } from '../calls/random.ts';

const KEY_BYTES = 32;
const NONCE_BYTES = 24;
const TAG_BYTES = 16;
const NUMBER_BYTES = 8;
/** What a page has room for behind its content. */
const SPARE_BYTES = NONCE_BYTES + TAG_BYTES;

/** The AEAD that encrypts the pages: `xchacha20poly1305` of `lanewise/chacha.js`. */
export type PageAead = ((
  key: Uint8Array,
  nonce: Uint8Array,
  AAD: Uint8Array,
) => {
  encryptDetached(plaintext: Uint8Array, out: Uint8Array): { readonly tag: Uint8Array };
  decryptDetached(ciphertext: Uint8Array, tag: Uint8Array, out: Uint8Array): unknown;
  destroy(): void;
}) & { readonly nonceLength: number; readonly tagLength: number };

/** Nonces are random, and shorter ones would soon be there twice. */
function checkAead(cipher: PageAead): void {
  if (typeof cipher !== 'function') throw new TypeError(`"cipher" expected function, got ${kindOf(cipher)}`);
  const { nonceLength, tagLength } = cipher;
  if (nonceLength !== NONCE_BYTES || tagLength !== TAG_BYTES)
    throw new RangeError(
      `"cipher" expected nonceLength=${NONCE_BYTES} and tagLength=${TAG_BYTES}, got nonceLength=${nonceLength} and tagLength=${tagLength}`,
    );
}

/** Which pages: for `encryptPages` and `decryptPages`. */
export interface AuthenticatedOptions {
  /** Bytes of a page with its spare bytes, at least 40. */
  readonly pageSize: number;
  /** The number of the first page of the buffer, 0 unless given; above 2^53 - 1 a bigint. */
  readonly first?: number | bigint;
}

/** One key, any number of pages. Made by {@link authenticatedPages}. */
export class AuthenticatedPages {
  readonly #aead: PageAead;
  readonly #key = new Bytes(KEY_BYTES);
  #destroyed = false;

  /** @internal */
  constructor(cipher: PageAead, key: Uint8Array) {
    checkAead(cipher);
    this.#aead = cipher;
    lengthOf(key, 'key', KEY_BYTES);
    copyBytes(this.#key, key);
  }

  /** 40: bytes at the end of each page that hold no content. */
  readonly spareLength: number = SPARE_BYTES;

  /**
   * Encrypts a page under a fresh random nonce.
   *
   * @param page - Content, and behind it 40 bytes that are not looked at.
   * @param number - The page's, which is authenticated with it.
   * @param out - Where the page goes, as long; may be the page or overlap it.
   * @returns Ciphertext, nonce of 24 bytes, tag of 16 bytes: `out`, or fresh bytes.
   * @throws TypeError or RangeError if an argument is not of that form, Error after `destroy` or if the host has no
   * generator of random numbers; then nothing is written.
   */
  encrypt(page: Uint8Array, number: number | bigint): Uint8Array<ArrayBuffer>;
  encrypt<Out extends Uint8Array | undefined>(page: Uint8Array, number: number | bigint, out: Out): Result<Out>;
  encrypt(page: Uint8Array, number: number | bigint, out?: Uint8Array): Uint8Array {
    const length = this.#check(page, number);
    const result = outputOf(out, length);
    this.#seal(page, length, number, result);
    return result;
  }

  /**
   * Decrypts a page.
   *
   * @param page - What `encrypt` gave.
   * @param number - The page's.
   * @param out - Where the content goes, and behind it 40 zeros; may be the page or overlap it.
   * @returns `out`, or fresh bytes.
   * @throws TypeError or RangeError if an argument is not of that form, Error after `destroy`, and Error `invalid tag` if
   * this is not what was encrypted as the page of that number under this key; then nothing is written.
   */
  decrypt(page: Uint8Array, number: number | bigint): Uint8Array<ArrayBuffer>;
  decrypt<Out extends Uint8Array | undefined>(page: Uint8Array, number: number | bigint, out: Out): Result<Out>;
  decrypt(page: Uint8Array, number: number | bigint, out?: Uint8Array): Uint8Array {
    const length = this.#check(page, number);
    const result = outputOf(out, length);
    this.#open(page, length, number, result);
    return result;
  }

  /**
   * Encrypts many pages in place.
   *
   * @param buffer - Whole pages, possibly none.
   * @param options - How long they are, and which is the first.
   * @returns `buffer`.
   * @throws As `encrypt`.
   */
  encryptPages<Buffer extends Uint8Array>(buffer: Buffer, options: AuthenticatedOptions): Buffer {
    const { size, first, count } = this.#checkPages(buffer, options);
    for (let i = 0; i < count; i++) {
      const page = part(buffer, size * i, size);
      this.#seal(page, size, pageNumber(first, i), page);
    }
    return buffer;
  }

  /**
   * Decrypts many pages in place: all of them, or, if one is not right, none.
   *
   * @param buffer - Whole pages, possibly none.
   * @param options - Those of `encryptPages`.
   * @returns `buffer`.
   * @throws As `decrypt`.
   */
  decryptPages<Buffer extends Uint8Array>(buffer: Buffer, options: AuthenticatedOptions): Buffer {
    const { size, first, count } = this.#checkPages(buffer, options);
    const pages = new Bytes(size * count);
    try {
      for (let i = 0; i < count; i++)
        this.#open(part(buffer, size * i, size), size, pageNumber(first, i), part(pages, size * i, size));
      copyBytes(buffer, pages);
    } finally {
      fillBytes(pages, 0);
    }
    return buffer;
  }

  /** Wipes the key. The object can't be used any more. */
  destroy(): void {
    fillBytes(this.#key, 0);
    this.#destroyed = true;
  }

  #checkAlive(): void {
    if (this.#destroyed) throw new Error('cannot use a cipher after destroy()');
  }

  #check(page: Uint8Array, number: number | bigint): number {
    this.#checkAlive();
    const length = lengthOf(page, 'page');
    if (length < SPARE_BYTES) throw new RangeError(`"page" expected length >= ${SPARE_BYTES}, got length=${length}`);
    integerOf(number, 'number', 64);
    return length;
  }

  #checkPages(
    buffer: Uint8Array,
    options: AuthenticatedOptions,
  ): { readonly size: number; readonly first: number | bigint; readonly count: number } {
    this.#checkAlive();
    lengthOf(buffer, 'buffer');
    const { pageSize, first = 0 } = optionsOf(options, ['pageSize', 'first']);
    const size = sizeOf(pageSize, 'pageSize', SPARE_BYTES);
    const count = countPages(lengthOf(buffer, 'buffer'), size);
    checkNumbers(first as number | bigint, count, 1);
    return { size, first: first as number | bigint, count };
  }

  #cipher(nonce: Uint8Array, number: number | bigint): ReturnType<PageAead> {
    const additional = new Bytes(NUMBER_BYTES);
    writeNumber(additional, 0, number, 1);
    const aead = this.#aead;
    return aead(this.#key, nonce, additional);
  }

  #seal(page: Uint8Array, length: number, number: number | bigint, out: Uint8Array): void {
    const size = length - SPARE_BYTES;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = this.#cipher(nonce, number);
    const { tag } = cipher.encryptDetached(part(page, 0, size), part(out, 0, size));
    copyBytes(out, nonce, size);
    copyBytes(out, tag, size + NONCE_BYTES);
    cipher.destroy();
  }

  #open(page: Uint8Array, length: number, number: number | bigint, out: Uint8Array): void {
    const size = length - SPARE_BYTES;
    const cipher = this.#cipher(part(page, size, NONCE_BYTES), number);
    try {
      cipher.decryptDetached(part(page, 0, size), part(page, size + NONCE_BYTES, TAG_BYTES), part(out, 0, size));
      fillBytes(out, 0, size);
    } finally {
      cipher.destroy();
    }
  }
}
