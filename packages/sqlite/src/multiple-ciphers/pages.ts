/**
 * Pages as SQLite3MultipleCiphers' cipher `chacha20` has them (utelle.github.io/SQLite3MultipleCiphers, "sqleet: ChaCha20-Poly1305"): of
 * the reserved bytes the last 32 are a nonce of 16 bytes and a tag of 16.
 *
 * Bytes 12 to 15 of the nonce, xor the page's number, are the counter of a block of ChaCha20 (RFC 8439 §2.3) under the key of the database and
 * the first 12 bytes. The halves of this block are the page's keys for Poly1305 and for ChaCha20, which goes on at the next counter. The tag is
 * that of all bytes before it. The first page begins with the salt, in the place of SQLite's constant, and its bytes 16 to 23 are readable: the
 * page size and the number of reserved bytes.
 */
import { chacha20 } from 'lanewise/chacha.js';
import { poly1305 } from 'lanewise/poly1305.js';
import { randomBytes } from 'lanewise/utils.js';

export const SALT_BYTES = 16;
const NONCE_BYTES = 16;
const TAG_BYTES = 16;
export const RESERVED_BYTES = NONCE_BYTES + TAG_BYTES;
/** Bytes of the first page that aren't encrypted. */
export const READABLE_BYTES = 24;
const CONSTANT = new TextEncoder().encode('SQLite format 3\0');
const COUNTERS = 2 ** 32;
const CIPHER_BLOCK_BYTES = 64;

export class PageCipher {
  readonly #key: Uint8Array;
  readonly #salt: Uint8Array;
  readonly pageSize: number;
  /** Whether a page was authentic under this key, or was written under it: the key is the right one. */
  isProven = false;

  /** @param key - 32 bytes; copied. */
  constructor(key: Uint8Array, salt: Uint8Array, pageSize: number) {
    this.#key = Uint8Array.from(key);
    this.#salt = Uint8Array.from(salt);
    this.pageSize = pageSize;
  }

  /** Encrypts a page into another. */
  seal(page: Uint8Array, number: number, out: Uint8Array, nonce: Uint8Array = randomBytes(NONCE_BYTES)): void {
    const size = this.pageSize - RESERVED_BYTES;
    const from = number === 1 ? READABLE_BYTES : 0;
    out.set(page.subarray(0, from));
    if (number === 1) out.set(this.#salt);
    out.set(nonce, size);
    const keys = this.#keys(nonce, number);
    encrypt(keys, nonce, page.subarray(from, size), out.subarray(from, size));
    out.set(poly1305(out.subarray(0, size + NONCE_BYTES), keys.authentication), size + NONCE_BYTES);
    wipe(keys);
    this.isProven = true;
  }

  /** Decrypts a page into another; false if it isn't authentic, and then nothing is written. */
  open(page: Uint8Array, number: number, out: Uint8Array): boolean {
    const size = this.pageSize - RESERVED_BYTES;
    const from = number === 1 ? READABLE_BYTES : 0;
    const nonce = page.subarray(size, size + NONCE_BYTES);
    const keys = this.#keys(nonce, number);
    try {
      const tag = poly1305(page.subarray(0, size + NONCE_BYTES), keys.authentication);
      if (!isEqual(tag, page.subarray(size + NONCE_BYTES))) return false;
      out.set(page.subarray(0, from));
      if (number === 1) out.set(CONSTANT);
      encrypt(keys, nonce, page.subarray(from, size), out.subarray(from, size));
      out.fill(0, size);
    } finally {
      wipe(keys);
    }
    return (this.isProven = true);
  }

  #keys(nonce: Uint8Array, number: number): PageKeys {
    const counter = (new DataView(nonce.buffer, nonce.byteOffset).getUint32(12, true) ^ number) >>> 0;
    const block = chacha20(this.#key, nonce.subarray(0, 12), new Uint8Array(CIPHER_BLOCK_BYTES), undefined, counter);
    return { authentication: block.subarray(0, 32), encryption: block.subarray(32), counter: (counter + 1) % COUNTERS };
  }

  destroy(): void {
    this.#key.fill(0);
  }
}

interface PageKeys {
  readonly authentication: Uint8Array;
  readonly encryption: Uint8Array;
  /** Of the first block that encrypts. */
  readonly counter: number;
}

function wipe({ authentication, encryption }: PageKeys): void {
  authentication.fill(0);
  encryption.fill(0);
}

/** XORs a page's keystream. The format's counter begins anywhere and goes on at 0, which the library refuses. */
function encrypt({ encryption, counter }: PageKeys, nonce: Uint8Array, bytes: Uint8Array, out: Uint8Array): void {
  const short = nonce.subarray(0, 12);
  const first = Math.min(bytes.length, (COUNTERS - counter) * CIPHER_BLOCK_BYTES);
  chacha20(encryption, short, bytes.subarray(0, first), out.subarray(0, first), counter);
  if (first < bytes.length) chacha20(encryption, short, bytes.subarray(first), out.subarray(first), 0);
}

/** In constant time. */
function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  let difference = 0;
  for (let i = 0; i < TAG_BYTES; i++) difference |= a[i] ^ b[i];
  return difference === 0;
}
