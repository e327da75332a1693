/** Serpent in OCB mode, RFC 7253. */
import { additionalData, TAG_BYTES, type Sealing, type Tag } from '../calls/aead.ts';
import { lengthOf } from '../calls/checks.ts';
import { lend, lendBytes, type End } from '../calls/lifetime.ts';
import type { Instance } from '../engine/instance.ts';
import { byteLengthOf, Bytes, copyBytes, copyExactly, fillBytes, min, part } from '../engine/intrinsics.ts';
import { AAD, AAD_BYTES, CHECKSUM, STAGE, STAGE_BYTES, KEY, KEY_BYTES, MARGIN, STRETCH, TAG } from './map.ts';
import type { Functions } from './module.ts';
import { serpentInstance } from './binding.ts';
import { throughStage } from '../calls/parts.ts';
import { BLOCK_BYTES, keyOf } from './input.ts';

/** The last six bits of a nonce say where in the stretched block the first offset begins. RFC 7253 §4.2 */
const BOTTOM = 63;

type Kernel = Instance<Functions>;

export class Ocb implements Sealing {
  readonly tagBytes = TAG_BYTES;
  encrypted = false;
  end: End | undefined;
  readonly #key: Uint8Array;
  /** The nonce block of 128 bits: the tag's length (128, written as 0), zeros, a one, the nonce. RFC 7253 §4.2 */
  readonly #nonce = new Bytes(BLOCK_BYTES);
  readonly #bottom: number;
  readonly #aad: Uint8Array;

  constructor(key: Uint8Array, nonce: Uint8Array, aad: Uint8Array | undefined) {
    const length = lengthOf(nonce, 'nonce');
    if (length < 1 || length >= BLOCK_BYTES)
      throw new RangeError(`"nonce" expected Uint8Array of length 1 to 15, got length=${length}`);
    this.#aad = additionalData(aad);
    this.#key = keyOf(key);
    const own = this.#nonce;
    copyExactly(own, BLOCK_BYTES - length, nonce, length);
    own[BLOCK_BYTES - 1 - length] = 1;
    this.#bottom = own[BLOCK_BYTES - 1] & BOTTOM;
    own[BLOCK_BYTES - 1] &= ~BOTTOM;
  }

  wipe(): void {
    fillBytes(this.#key, 0);
    fillBytes(this.#nonce, 0);
    fillBytes(this.#aad, 0);
  }

  /** Lends the kernel with key and nonce in place, and wipes. */
  #run<T>(length: number, body: (kernel: Kernel, aadLength: number) => T): T {
    return lend(serpentInstance(), KEY, STAGE + min(length, STAGE_BYTES) + MARGIN, (kernel) => {
      kernel.write(KEY, KEY_BYTES, this.#key);
      kernel.write(STRETCH, BLOCK_BYTES, this.#nonce);
      return body(kernel, byteLengthOf(this.#aad));
    });
  }

  /** Key, nonce and additional data of a message in parts. */
  #begin(kernel: Kernel, aadLength: number): void {
    kernel.run.begin(this.#bottom);
    throughStage(kernel, STAGE, STAGE_BYTES, this.#aad, aadLength, undefined, (size, from) =>
      kernel.run.hash(STAGE, from / BLOCK_BYTES, size),
    );
  }

  fits(length: number): boolean {
    return length <= STAGE_BYTES && byteLengthOf(this.#aad) <= AAD_BYTES;
  }

  seal(plaintext: Uint8Array, length: number, out: Uint8Array, tag: Tag): void {
    const staged = length + byteLengthOf(this.#aad);
    this.#run(staged, (kernel, aadLength) => {
      if (this.fits(length)) {
        if (aadLength) kernel.write(AAD, aadLength, this.#aad);
        kernel.write(STAGE, length, plaintext);
        kernel.run.seal(this.#bottom, aadLength, length);
        kernel.read(STAGE, tag ? length : length + TAG_BYTES, out);
      } else {
        this.#begin(kernel, aadLength);
        // An empty message needs this call, because it makes the first offset.
        if (length === 0) kernel.run.encrypt(0, 0);
        throughStage(kernel, STAGE, STAGE_BYTES, plaintext, length, out, (size, from) =>
          kernel.run.encrypt(from / BLOCK_BYTES, size),
        );
        kernel.run.finish();
        if (!tag) kernel.read(CHECKSUM, TAG_BYTES, out, length);
      }
      if (tag) kernel.read(CHECKSUM, TAG_BYTES, tag);
    });
  }

  openWhole(ciphertext: Uint8Array, length: number, tag: Tag, out: Uint8Array): boolean {
    return this.#run(length + byteLengthOf(this.#aad), (kernel, aadLength) => {
      if (aadLength) kernel.write(AAD, aadLength, this.#aad);
      kernel.write(STAGE, tag ? length : length + TAG_BYTES, ciphertext);
      if (tag) kernel.write(STAGE + length, TAG_BYTES, tag);
      const right = kernel.run.open(this.#bottom, aadLength, length) === 1;
      if (right) kernel.read(STAGE, length, out);
      return right;
    });
  }

  openParts(ciphertext: Uint8Array, length: number, tag: Tag, out: Uint8Array, twice: boolean): boolean {
    if (twice) {
      // The tag is known only when all is decrypted; a copy costs less than decrypting again.
      const copy = new Bytes(length);
      return lendBytes(copy, length, () => {
        const right = this.openParts(ciphertext, length, tag, copy, false);
        if (right) copyBytes(out, copy);
        return right;
      });
    }
    return this.#run(length + byteLengthOf(this.#aad), (kernel, aadLength) => {
      const { run } = kernel;
      kernel.write(TAG, TAG_BYTES, tag ?? part(ciphertext, length, TAG_BYTES));
      this.#begin(kernel, aadLength);
      if (length === 0) run.decrypt(0, 0);
      throughStage(kernel, STAGE, STAGE_BYTES, part(ciphertext, 0, length), length, out, (size, from) =>
        run.decrypt(from / BLOCK_BYTES, size),
      );
      run.finish();
      return run.verify() === 1;
    });
  }
}
