/** Pages that end with a nonce and a tag, as `authenticatedPages` of `lanewise/disk.js` writes them. */
import { xchacha20poly1305 } from 'lanewise/chacha.js';
import { NONCE_BYTES, writeNonce } from './nonces.ts';

export const TAG_BYTES = 16;
/** Nonce and tag. */
export const RESERVED_BYTES = NONCE_BYTES + TAG_BYTES;

export class PageSealer {
  readonly #key: Uint8Array;
  /** The number of a page, little-endian: the additional data. */
  readonly #number = new DataView(new ArrayBuffer(8));
  readonly #additional = new Uint8Array(this.#number.buffer);

  /** @param key - 32 bytes; copied. */
  constructor(key: Uint8Array) {
    this.#key = Uint8Array.from(key);
  }

  #aead(nonce: Uint8Array, number: number) {
    this.#number.setUint32(0, number >>> 0, true);
    this.#number.setUint32(4, Math.floor(number / 2 ** 32), true);
    return xchacha20poly1305(this.#key, nonce, this.#additional);
  }

  /** Encrypts a page into another. */
  seal(page: Uint8Array, number: number, out: Uint8Array): void {
    const size = page.length - RESERVED_BYTES;
    writeNonce(out, size);
    const aead = this.#aead(out.subarray(size, size + NONCE_BYTES), number);
    const { tag } = aead.encryptDetached(page.subarray(0, size), out.subarray(0, size));
    out.set(tag, size + NONCE_BYTES);
    aead.destroy();
  }

  /** Decrypts a page into another, with zeros in the place of nonce and tag. It throws, and writes nothing, unless the tag is right. */
  open(page: Uint8Array, number: number, out: Uint8Array): void {
    const size = page.length - RESERVED_BYTES;
    const aead = this.#aead(page.subarray(size, size + NONCE_BYTES), number);
    try {
      aead.decryptDetached(page.subarray(0, size), page.subarray(size + NONCE_BYTES), out.subarray(0, size));
    } finally {
      aead.destroy();
    }
    out.fill(0, size);
  }

  destroy(): void {
    this.#key.fill(0);
  }
}
