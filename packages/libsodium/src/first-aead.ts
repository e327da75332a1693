/**
 * ChaCha20-Poly1305 as libsodium first had it, before RFC 8439 (draft-agl-tls-chacha20poly1305-04 §5): a nonce of 8 bytes, and the MAC
 * covers additional data, their length, the ciphertext and its length, without zeros between them.
 */
import { chacha20orig } from 'lanewise/chacha.js';
import { poly1305 } from 'lanewise/poly1305.js';
import { equalBytes } from 'lanewise/utils.js';
import { partOf, sizeOf } from '../../drop-ins/src/message.ts';
import { TAG_BYTES } from '../../lanewise/src/calls/aead.ts';
import type { End } from '../../lanewise/src/calls/lifetime.ts';
import type { Sealing } from './sealing.ts';

const MAC_KEY_BYTES = 32;
const LENGTH_BYTES = 8;
const NOTHING = new Uint8Array(0);
const NO_KEYSTREAM = new Uint8Array(MAC_KEY_BYTES);

/** A length as 64 bits, little-endian. */
function lengthBytes(length: number): Uint8Array {
  const bytes = new Uint8Array(LENGTH_BYTES);
  for (let i = 0; i < LENGTH_BYTES; i++, length = Math.floor(length / 256)) bytes[i] = length % 256;
  return bytes;
}

export class FirstChaChaPoly1305 implements Sealing {
  readonly tagBytes = TAG_BYTES;
  encrypted = false;
  end: End | undefined;
  readonly #key: Uint8Array;
  readonly #nonce: Uint8Array;
  readonly #ad: Uint8Array;

  /** The arguments are the caller's bytes: this object lives for one call, and keeps no copy. */
  constructor(key: Uint8Array, nonce: Uint8Array, ad: Uint8Array = NOTHING) {
    this.#key = key;
    this.#nonce = nonce;
    this.#ad = ad;
  }

  wipe(): void {
    this.end = 'destroy()';
  }

  seal(plaintext: Uint8Array, length: number, out: Uint8Array, tag: Uint8Array | undefined): void {
    const ciphertext = out.subarray(0, length);
    chacha20orig(this.#key, this.#nonce, plaintext, ciphertext, 1);
    const mac = this.#macOf(ciphertext);
    if (tag) tag.set(mac);
    else out.set(mac, length);
  }

  fits(): boolean {
    return true;
  }

  openWhole(ciphertext: Uint8Array, length: number, tag: Uint8Array | undefined, out: Uint8Array): boolean {
    // Bytes that another thread may change are read once.
    out.set(partOf(ciphertext, 0, length));
    if (!equalBytes(this.#macOf(out), tag ?? partOf(ciphertext, length))) return false;
    chacha20orig(this.#key, this.#nonce, out, out, 1);
    return true;
  }

  /** Not called, because every message fits. */
  openParts(ciphertext: Uint8Array, length: number, tag: Uint8Array | undefined, out: Uint8Array): boolean {
    return this.openWhole(ciphertext, length, tag, out);
  }

  #macOf(ciphertext: Uint8Array): Uint8Array {
    const key = chacha20orig(this.#key, this.#nonce, NO_KEYSTREAM);
    try {
      return poly1305
        .create(key)
        .update(this.#ad)
        .update(lengthBytes(sizeOf(this.#ad)))
        .update(ciphertext)
        .update(lengthBytes(ciphertext.length))
        .digest();
    } finally {
      key.fill(0);
    }
  }
}
