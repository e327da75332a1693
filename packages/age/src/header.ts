/** Finds the header of an age file, which is text, in front of its payload (C2SP age, "Header"). */

import { bytesOf, refuseExtra } from './checks.ts';

/** The first line of every age file. */
export const VERSION_LINE = 'age-encryption.org/v1\n';

/** The most bytes that a header may have: room for some 600 post-quantum recipients. The format has no limit of its own. */
export const MOST_HEADER_BYTES = 1_048_576;

/** The most bytes of a line: the argument of a post-quantum recipient has 1.5 KB. */
export const MOST_LINE_BYTES = 16_384;

/** A salt of the payload key follows the header. */
export const SALT_BYTES = 16;

const HALF_WAY = 'cannot use a header reader after a call that threw half-way: make another';

const LINE_FEED = 10;
const DASH = 45;

/**
 * Collects the header and the salt of an age file that comes in pieces of any length. It finds their end only; whether
 * the header is well-formed is for its parser.
 *
 * @throws Error: see `push`.
 * @example
 * ```ts
 * import { Encrypter, HeaderReader } from '@lanewise/age';
 * const encrypter = new Encrypter();
 * encrypter.addRecipient('age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj');
 * const file = await encrypter.encrypt('hello');
 * const reader = new HeaderReader();
 * const length = reader.push(file);
 * console.log(reader.complete, file.length - length); // true 21: five bytes and a tag
 * ```
 */
export class HeaderReader {
  #bytes = new Uint8Array(1024);
  #length = 0;
  /** The start of the line whose end isn't found yet. */
  #line = 0;
  /** Where the search goes on. */
  #at = 0;
  #headerLength: number | undefined;
  /** The fault in the bytes, or the reason why the number of absorbed bytes is unknown. */
  #failure: string | undefined;

  /** Whether header and salt are complete. */
  get complete(): boolean {
    return this.#failure === undefined && this.#isFound;
  }

  /** The header, up to and including the line of its MAC. */
  get header(): Uint8Array {
    this.#checkComplete();
    return this.#bytes.subarray(0, this.#headerLength);
  }

  /** The 16 bytes between header and chunks. */
  get salt(): Uint8Array {
    this.#checkComplete();
    return this.#bytes.subarray(this.#headerLength, this.#length);
  }

  /** Header and salt: all bytes in front of the chunks, as far as they were read. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** How many bytes there are in front of the chunks. */
  get length(): number {
    return this.#length;
  }

  /**
   * Takes bytes up to the end of the salt.
   *
   * @returns How many of them.
   * @throws TypeError if they aren't Uint8Array, Error if the bytes start no age file, or header or line are too long; the same after
   * that, and after a call that threw half-way.
   */
  push(bytes: Uint8Array): number;
  push(bytes: Uint8Array, ...extra: unknown[]): number {
    refuseExtra(extra, 1);
    const given = bytesOf(bytes, 'bytes');
    if (this.#failure !== undefined) throw new Error(this.#failure);
    this.#failure = HALF_WAY;
    let taken = 0;
    while (taken < given.length && !this.#isFound) {
      const wanted = this.#headerLength === undefined ? 1024 : this.#headerLength + SALT_BYTES - this.#length;
      const piece = given.subarray(taken, taken + wanted);
      this.#keep(piece);
      taken += piece.length;
      if (this.#headerLength === undefined) {
        this.#search();
        // The rest of the piece belongs to the chunks.
        const surplus = this.#length - (this.#headerLength ?? Infinity) - SALT_BYTES;
        if (surplus > 0) {
          taken -= surplus;
          this.#length -= surplus;
        }
      }
    }
    this.#failure = undefined;
    return taken;
  }

  /** The error for a file that ends before its chunks. */
  truncated(): Error {
    if (this.#length === 0) return new Error('empty, no age file');
    return new Error(`truncated after ${this.#length} bytes`);
  }

  get #isFound(): boolean {
    return this.#headerLength !== undefined && this.#length === this.#headerLength + SALT_BYTES;
  }

  #fail(failure: string): never {
    this.#failure = failure;
    throw new Error(failure);
  }

  #checkComplete(): void {
    if (!this.complete) throw new Error('the header is not complete: push() more bytes first');
  }

  #keep(piece: Uint8Array): void {
    if (this.#length + piece.length > this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#bytes.length);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes.set(piece, this.#length);
    this.#length += piece.length;
  }

  #search(): void {
    for (let i = this.#at; i < Math.min(this.#length, VERSION_LINE.length); i++)
      if (this.#bytes[i] !== VERSION_LINE.charCodeAt(i))
        this.#fail(`not an age file: it does not start with "${VERSION_LINE.trim()}"`);
    for (; this.#at < this.#length; this.#at++) {
      if (this.#at - this.#line >= MOST_LINE_BYTES)
        this.#fail(`header expected lines of at most ${MOST_LINE_BYTES} bytes, got a longer one`);
      if (this.#at >= MOST_HEADER_BYTES) this.#fail(`header expected at most ${MOST_HEADER_BYTES} bytes, got more`);
      if (this.#bytes[this.#at] !== LINE_FEED) continue;
      // Lines of base64 have no dashes, and those of arguments start with only one.
      const last = [0, 1, 2].every((i) => this.#bytes[this.#line + i] === DASH);
      this.#line = this.#at + 1;
      if (!last) continue;
      this.#headerLength = this.#line;
      return;
    }
  }
}
