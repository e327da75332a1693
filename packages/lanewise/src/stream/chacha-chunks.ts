/** Chunks encrypted by ChaCha20-Poly1305 (RFC 8439 §2.8), without additional data. */
import type { IndependentChunks } from './chunking.ts';
import { openOnce, sealOnce } from './once.ts';
import { Bytes, copyBytes, fillBytes, floor } from '../engine/intrinsics.ts';

export const KEY_BYTES = 32;
export const NONCE_BYTES = 12;

/**
 * Writes the nonce of a chunk: the base nonce XOR the chunk's number, big-endian (C2SP chunked-encryption, "AEAD usage"). If the
 * nonce tells whether the chunk is the last, the last byte does (C2SP age, "Payload": the base nonce is zero).
 */
export function writeNonce(nonce: Uint8Array, base: Uint8Array, index: number, last: boolean | undefined): void {
  copyBytes(nonce, base);
  let at = NONCE_BYTES - 1;
  if (last !== undefined) nonce[at--] = last ? 1 : 0;
  for (; index > 0; index = floor(index / 256)) nonce[at--] ^= index % 256;
}

/** One key, and a nonce for each chunk. */
export class ChaChaChunks implements IndependentChunks {
  readonly key: Uint8Array;
  readonly base: Uint8Array;
  readonly telling: boolean;
  readonly #nonce = new Bytes(NONCE_BYTES);
  readonly secrets: readonly Uint8Array[];

  /**
   * @param key - 32 bytes; the library's own, wiped in the end.
   * @param base - 12 bytes, as the key.
   * @param telling - Whether a nonce tells which chunk is the last.
   */
  constructor(key: Uint8Array, base: Uint8Array, telling: boolean) {
    this.key = key;
    this.base = base;
    this.telling = telling;
    this.secrets = [key, base, this.#nonce];
  }

  seal(index: number, last: boolean, plaintext: Uint8Array, out: Uint8Array): void {
    this.#writeNonce(index, last);
    sealOnce(this.key, this.#nonce, plaintext, out);
  }

  open(index: number, last: boolean, ciphertext: Uint8Array, out: Uint8Array): boolean {
    this.#writeNonce(index, last);
    return openOnce(this.key, this.#nonce, ciphertext, out);
  }

  wipe(): void {
    for (let i = 0; i < this.secrets.length; i++) fillBytes(this.secrets[i], 0);
  }

  #writeNonce(index: number, last: boolean): void {
    writeNonce(this.#nonce, this.base, index, this.telling ? last : undefined);
  }
}
