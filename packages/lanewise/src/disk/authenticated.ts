/** Pages with room for a nonce and a tag. The AEAD is an argument, so that bundles hold none that is not used. */
import { integerOf, lengthOf, outputOf, refuseSurplus, type Result } from '../calls/checks.ts';
import { optionOf, optionOr, optionsOf } from '../calls/options.ts';
import { randomBytes } from '../calls/random.ts';
import { byteLengthOf, Bytes, copyBytes, fillBytes, part } from '../engine/intrinsics.ts';
import { countPages, sizeOf } from './options.ts';
import { keepSealer, NONCE_BYTES, PageSealer, SPARE_BYTES, type PageAead } from './sealer.ts';
import { checkNumbers, pageNumber, writeNumber } from './tweak.ts';

export type { PageAead } from './sealer.ts';

const NUMBER_BYTES = 8;
const OPTIONS = { __proto__: null, pageSize: 1, first: 1, tweak: 'pages are bound to their numbers' } as const;

/** Which pages: for `encryptPages` and `decryptPages`. */
export interface AuthenticatedOptions {
  /** Bytes of a page with its spare bytes, at least 40. */
  readonly pageSize: number;
  /** The number of the first page of the buffer, 0 unless given; above 2^53 - 1 a bigint. */
  readonly first?: number | bigint;
}

/** One key, any number of pages. Made by {@link authenticatedPages}. */
export class AuthenticatedPages {
  readonly #sealer: PageSealer;

  /** @internal */
  constructor(cipher: PageAead, key: Uint8Array) {
    this.#sealer = new PageSealer(cipher, key);
    keepSealer(this, this.#sealer);
  }

  /** 40: bytes at the end of each page that hold no content. */
  readonly spareLength: number = SPARE_BYTES;

  /**
   * Encrypts a page under a fresh random nonce.
   *
   * @param page - Content, and after it 40 bytes that are ignored.
   * @param number - The page's, which is authenticated with it.
   * @param out - Where the page goes, as long; may be the page or overlap it.
   * @returns Ciphertext, nonce of 24 bytes, tag of 16 bytes: `out`, or fresh bytes.
   * @throws TypeError if an argument has the wrong type, RangeError if it has the wrong length or value, Error after
   * `destroy` or if the host has no generator of random numbers; then nothing is written.
   */
  encrypt(page: Uint8Array, number: number | bigint): Uint8Array<ArrayBuffer>;
  encrypt<Out extends Uint8Array | undefined>(page: Uint8Array, number: number | bigint, out: Out): Result<Out>;
  encrypt(page: Uint8Array, number: number | bigint, out?: Uint8Array): Uint8Array {
    refuseSurplus(arguments, 3);
    const length = this.#check(page, number);
    const result = outputOf(out, length);
    const nonce = randomBytes(NONCE_BYTES);
    // The generator is code of the host, which may have detached buffers.
    if (byteLengthOf(page) !== length) lengthOf(page, 'page', length);
    if (byteLengthOf(result) !== length) lengthOf(result, 'out', length);
    this.#sealer.seal(page, length - SPARE_BYTES, nonce, additionalOf(number), result);
    return result;
  }

  /**
   * Decrypts a page.
   *
   * @param page - A page that `encrypt` returned.
   * @param number - The page's.
   * @param out - Where the content goes, and after it 40 zeros; may be the page or overlap it.
   * @returns `out`, or fresh bytes.
   * @throws TypeError if an argument has the wrong type, RangeError if it has the wrong length or value, Error after
   * `destroy`, and Error `invalid tag` if this is not a page that was encrypted with that number under this key; then
   * nothing is written.
   */
  decrypt(page: Uint8Array, number: number | bigint): Uint8Array<ArrayBuffer>;
  decrypt<Out extends Uint8Array | undefined>(page: Uint8Array, number: number | bigint, out: Out): Result<Out>;
  decrypt(page: Uint8Array, number: number | bigint, out?: Uint8Array): Uint8Array {
    refuseSurplus(arguments, 3);
    const length = this.#check(page, number);
    const result = outputOf(out, length);
    this.#sealer.open(page, length - SPARE_BYTES, additionalOf(number), result);
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
    refuseSurplus(arguments, 2);
    const { size, first, count } = this.#checkPages(buffer, options);
    // All nonces are made before any work: the generator may throw, or detach the buffer.
    const nonces = randomBytes(NONCE_BYTES * count);
    this.#sealer.checkAlive();
    lengthOf(buffer, 'buffer', size * count);
    for (let i = 0; i < count; i++) {
      const page = part(buffer, size * i, size);
      const nonce = part(nonces, NONCE_BYTES * i, NONCE_BYTES);
      this.#sealer.seal(page, size - SPARE_BYTES, nonce, additionalOf(pageNumber(first, i)), page);
    }
    return buffer;
  }

  /**
   * Decrypts many pages in place: all of them, or none if one is not authentic.
   *
   * @param buffer - Whole pages, possibly none.
   * @param options - Those of `encryptPages`.
   * @returns `buffer`.
   * @throws As `decrypt`.
   */
  decryptPages<Buffer extends Uint8Array>(buffer: Buffer, options: AuthenticatedOptions): Buffer {
    refuseSurplus(arguments, 2);
    const { size, first, count } = this.#checkPages(buffer, options);
    const pages = new Bytes(size * count);
    try {
      for (let i = 0; i < count; i++) {
        const additional = additionalOf(pageNumber(first, i));
        this.#sealer.open(part(buffer, size * i, size), size - SPARE_BYTES, additional, part(pages, size * i, size));
      }
      copyBytes(buffer, pages);
    } finally {
      fillBytes(pages, 0);
    }
    return buffer;
  }

  /** Wipes the key. The object can't be used any more. */
  destroy(): void {
    refuseSurplus(arguments, 0);
    this.#sealer.destroy();
  }

  #check(page: Uint8Array, number: number | bigint): number {
    this.#sealer.checkAlive();
    const length = lengthOf(page, 'page');
    if (length < SPARE_BYTES) throw new RangeError(`"page" expected length >= ${SPARE_BYTES}, got length=${length}`);
    integerOf(number, 'number', 64);
    return length;
  }

  #checkPages(
    buffer: Uint8Array,
    options: AuthenticatedOptions,
  ): { readonly size: number; readonly first: number | bigint; readonly count: number } {
    this.#sealer.checkAlive();
    lengthOf(buffer, 'buffer');
    const given = optionsOf(options, OPTIONS);
    const size = sizeOf(optionOf(given, 'pageSize'), 'pageSize', SPARE_BYTES);
    const first = optionOr(given, 'first', 0);
    const count = countPages(lengthOf(buffer, 'buffer'), size);
    checkNumbers(first as number | bigint, count, 1, 'number');
    return { size, first: first as number | bigint, count };
  }
}

/** The additional data of a page: its number. */
function additionalOf(number: number | bigint): Uint8Array {
  const additional = new Bytes(NUMBER_BYTES);
  writeNumber(additional, 0, number, 1);
  return additional;
}
