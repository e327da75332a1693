/** The AEAD of ChaCha20 or XChaCha20 and Poly1305, RFC 8439 §2.8. */
import { additionalData, TAG_BYTES, type Sealing, type Tag } from '../calls/aead.ts';
import { lengthOf } from '../calls/checks.ts';
import { lend, type End } from '../calls/lifetime.ts';
import type { Instance } from '../engine/instance.ts';
import { byteLengthOf, Bytes, fillBytes, part } from '../engine/intrinsics.ts';
import { chachaInstance, nonceAt } from './binding.ts';
import type { Functions } from './module.ts';
import {
  AAD,
  AAD_BYTES,
  BLOCK_BYTES,
  CONTINUE,
  STAGE,
  STAGE_BYTES,
  MARGIN,
  secretsFrom,
  TAG,
} from '../keystream/map.ts';
import { throughStage } from '../calls/parts.ts';
import { INPUT, INPUT_BYTES, inputKindOf, writeKeyAndNonce } from '../keystream/input.ts';

const DOUBLE_ROUNDS = 10;

/** The most that RFC 8439 §2.8 allows, 64·(2^32 - 1) bytes, is more than any engine lets an array have. */
export class ChaChaPoly1305 implements Sealing {
  readonly tagBytes = TAG_BYTES;
  encrypted = false;
  end: End | undefined;
  readonly #input = new Bytes(INPUT_BYTES);
  readonly #aad: Uint8Array;
  readonly #aadLength: number;
  readonly #kind: number;

  constructor(nonceLength: 12 | 24, key: Uint8Array, nonce: Uint8Array, aad: Uint8Array | undefined) {
    lengthOf(key, 'key', 32);
    lengthOf(nonce, 'nonce', nonceLength);
    this.#aad = additionalData(aad);
    this.#aadLength = byteLengthOf(this.#aad);
    writeKeyAndNonce(this.#input, 0, key, 32, nonce, nonceLength, nonceAt(nonceLength));
    this.#kind = inputKindOf(nonceLength, 32);
  }

  wipe(): void {
    fillBytes(this.#input, 0);
    fillBytes(this.#aad, 0);
  }

  seal(plaintext: Uint8Array, length: number, out: Uint8Array, tag: Tag): void {
    if (!this.fits(length)) {
      this.#sealParts(plaintext, length, out, tag);
      return;
    }
    // The kernel leaves only ciphertext.
    const kernel = chachaInstance(length + this.#aadLength);
    lend(kernel, 0, 0, ChaChaPoly1305.#sealStaged, this, plaintext, length, out, tag);
  }

  static #sealStaged(
    this: void,
    kernel: Instance<Functions>,
    self: ChaChaPoly1305,
    plaintext: Uint8Array,
    length: number,
    out: Uint8Array,
    tag: Tag,
  ): void {
    const aadLength = self.#aadLength;
    kernel.write(INPUT, INPUT_BYTES, self.#input);
    if (aadLength) kernel.write(AAD, aadLength, self.#aad);
    kernel.write(STAGE, length, plaintext);
    kernel.run.seal(self.#kind, aadLength, length);
    kernel.read(STAGE, tag ? length : length + TAG_BYTES, out);
    if (tag) kernel.read(STAGE + length, TAG_BYTES, tag);
  }

  #sealParts(plaintext: Uint8Array, length: number, out: Uint8Array, tag: Tag): void {
    lend(chachaInstance(length + this.#aadLength), AAD, STAGE + STAGE_BYTES + MARGIN, (kernel) => {
      this.#begin(kernel);
      throughStage(kernel, STAGE, STAGE_BYTES, plaintext, length, out, (size) => kernel.run.encrypt(0, 0, size));
      this.#finish(kernel, length);
      kernel.read(STAGE, TAG_BYTES, tag ?? out, tag ? 0 : length);
    });
  }

  fits(length: number): boolean {
    return length <= STAGE_BYTES && this.#aadLength <= AAD_BYTES;
  }

  openWhole(ciphertext: Uint8Array, length: number, tag: Tag, out: Uint8Array): boolean {
    const aadLength = this.#aadLength;
    const kernel = chachaInstance(length + aadLength);
    const from = aadLength ? AAD : secretsFrom(length);
    const to = STAGE + length + MARGIN;
    return lend(kernel, from, to, ChaChaPoly1305.#openStaged, this, ciphertext, length, tag, out);
  }

  openParts(ciphertext: Uint8Array, length: number, tag: Tag, out: Uint8Array, twice: boolean): boolean {
    return lend(chachaInstance(length + this.#aadLength), AAD, STAGE + STAGE_BYTES + MARGIN, (kernel) => {
      const { run } = kernel;
      const text = part(ciphertext, 0, length);
      kernel.write(TAG, TAG_BYTES, tag ?? part(ciphertext, length, TAG_BYTES));
      this.#begin(kernel);
      if (twice) absorb(kernel, text, length);
      else throughStage(kernel, STAGE, STAGE_BYTES, text, length, out, (size) => run.decrypt(size));
      this.#finish(kernel, length);
      if (run.verify(STAGE) !== 1) return false;
      if (twice) {
        this.#begin(kernel);
        throughStage(kernel, STAGE, STAGE_BYTES, text, length, out, (size) =>
          run.xor(CONTINUE, DOUBLE_ROUNDS, STAGE, (size + BLOCK_BYTES - 1) >>> 6),
        );
      }
      return true;
    });
  }

  static #openStaged(
    this: void,
    kernel: Instance<Functions>,
    self: ChaChaPoly1305,
    ciphertext: Uint8Array,
    length: number,
    tag: Tag,
    out: Uint8Array,
  ): boolean {
    const aadLength = self.#aadLength;
    kernel.write(INPUT, INPUT_BYTES, self.#input);
    if (aadLength) kernel.write(AAD, aadLength, self.#aad);
    kernel.write(STAGE, tag ? length : length + TAG_BYTES, ciphertext);
    if (tag) kernel.write(STAGE + length, TAG_BYTES, tag);
    const right = kernel.run.open(self.#kind, aadLength, length) === 1;
    if (right) kernel.read(STAGE, length, out);
    return right;
  }

  /** Key, nonce and additional data of a message in parts. */
  #begin(kernel: Instance<Functions>): void {
    kernel.write(INPUT, INPUT_BYTES, this.#input);
    kernel.run.begin(this.#kind);
    absorb(kernel, this.#aad, this.#aadLength);
  }

  /** Leaves the tag at STAGE. */
  #finish(kernel: Instance<Functions>, length: number): void {
    const aadLength = this.#aadLength;
    kernel.run.finish(aadLength | 0, high(aadLength), length | 0, high(length), STAGE);
  }
}

/** The MAC absorbs bytes. */
const absorb = (kernel: Instance<Functions>, bytes: Uint8Array, length: number): void =>
  throughStage(kernel, STAGE, STAGE_BYTES, bytes, length, undefined, (size) => kernel.run.absorb(STAGE, size));

const high = (length: number): number => (length / 2 ** 32) | 0;
