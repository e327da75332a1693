/** Pages that end with a nonce and a tag, as `authenticatedPages` of `lanewise/disk.js` writes them. */
import { xchacha20poly1305 } from 'lanewise/chacha.js';
import { NONCE_BYTES, writeRandom } from './nonces.ts';

export const TAG_BYTES = 16;
/** Nonce and tag. */
export const RESERVED_BYTES = NONCE_BYTES + TAG_BYTES;

export class PageSealer {
  readonly #key: Uint8Array;
  /** A page as the medium has it, and its parts: views that are made once, not for each page. */
  readonly stored: Uint8Array<ArrayBuffer>;
  readonly #size: number;
  readonly #ciphertext: Uint8Array;
  readonly #nonce: Uint8Array;
  readonly #tag: Uint8Array;
  /** The additional data: the identity of the file, if it isn't in the key, and the number of a page, little-endian. */
  readonly #additional: Uint8Array;
  readonly #number: DataView;

  /**
   * @param key - 32 bytes; copied.
   * @param stored - Memory for a page, with the bytes that are reserved.
   * @param identity - Of a file whose key has others, too.
   */
  constructor(key: Uint8Array, stored: Uint8Array<ArrayBuffer>, identity: ArrayLike<number> = []) {
    this.#key = new Uint8Array(key);
    this.#additional = new Uint8Array(identity.length + 8);
    this.#additional.set(identity);
    this.#number = new DataView(this.#additional.buffer, identity.length);
    this.#size = stored.length - RESERVED_BYTES;
    this.stored = stored;
    this.#ciphertext = this.stored.subarray(0, this.#size);
    this.#nonce = this.stored.subarray(this.#size, this.#size + NONCE_BYTES);
    this.#tag = this.stored.subarray(this.#size + NONCE_BYTES);
  }

  /** The cipher of a page, under the nonce in `stored`. */
  #aead(number: number) {
    this.#number.setUint32(0, number >>> 0, true);
    this.#number.setUint32(4, Math.floor(number / 2 ** 32), true);
    return xchacha20poly1305(this.#key, this.#nonce, this.#additional);
  }

  /** Encrypts a page into `stored`. */
  seal(page: Uint8Array, number: number): void {
    writeRandom(this.#nonce);
    const aead = this.#aead(number);
    this.#tag.set(aead.encryptDetached(page.subarray(0, this.#size), this.#ciphertext).tag);
    aead.destroy();
  }

  /** Decrypts `stored` into a page, with zeros in the place of nonce and tag. It throws, and writes nothing, unless the tag is right. */
  open(number: number, out: Uint8Array): void {
    const aead = this.#aead(number);
    try {
      aead.decryptDetached(this.#ciphertext, this.#tag, out.subarray(0, this.#size));
    } finally {
      aead.destroy();
    }
    out.fill(0, this.#size);
  }

  destroy(): void {
    this.#key.fill(0);
  }
}
