/** Serpent in OCB mode, RFC 7253: objects that encrypt once, and decrypt. */
import type { Detached } from './aead.ts';
import { lengthOf, outputOf, type Result } from './checks.ts';
import type { Instance } from './engine/instance.ts';
import { byteLengthOf, Bytes, copyBytes, fillBytes, min, part } from './engine/intrinsics.ts';
import { AAD, AAD_BYTES, CHECKSUM, DATA, DATA_BYTES, KEY, MARGIN, STRETCH, TAG } from './kernels/serpent.ts';
import type { Serpent } from './kernels/serpent-module.ts';
import { serpentInstance } from './serpent-family.ts';
import { BLOCK_BYTES, copyOf, inParts, keyOf } from './serpent-input.ts';

export const TAG_BYTES = 16;
const NOTHING = /* @__PURE__ */ new Bytes(0);
/** The last six bits of a nonce say where in the stretched block the first offset begins. RFC 7253 §4.2 */
const BOTTOM = 63;

type Kernel = Instance<Serpent>;

/** One key, one nonce, one message: what {@link ocb} gives. */
export class Ocb {
  readonly #key: Uint8Array;
  /** Of 128 bits: the tag's length (128, written as 0), zeros, a one, the nonce. RFC 7253 §4.2 */
  readonly #nonce = new Bytes(BLOCK_BYTES);
  readonly #bottom: number;
  readonly #aad: Uint8Array;
  #encrypted = false;
  #destroyed = false;

  /** @internal */
  constructor(key: Uint8Array, nonce: Uint8Array, aad: Uint8Array | undefined) {
    const length = lengthOf(nonce, 'nonce');
    if (length < 1 || length >= BLOCK_BYTES)
      throw new RangeError(`"nonce" expected Uint8Array of length 1 to 15, got length=${length}`);
    // Copies: what the caller does to its own bytes later changes nothing.
    this.#aad = aad === undefined ? NOTHING : copyOf(aad, lengthOf(aad, 'AAD'));
    this.#key = keyOf(key);
    const own = this.#nonce;
    copyBytes(own, nonce, BLOCK_BYTES - length);
    own[BLOCK_BYTES - 1 - length] = 1;
    this.#bottom = own[BLOCK_BYTES - 1] & BOTTOM;
    own[BLOCK_BYTES - 1] &= ~BOTTOM;
  }

  /**
   * Encrypts, once: a second message under the same key and nonce would give both away.
   *
   * @param plaintext - Any number of bytes.
   * @param out - Where ciphertext and tag go, 16 bytes longer than the plaintext; may overlap it in any way.
   * @returns Ciphertext, and behind it the tag of 16 bytes: `out`, or fresh bytes.
   * @throws TypeError or RangeError if an argument is not of that form, and Error on the second call or after
   * `destroy`; then nothing is written.
   */
  encrypt(plaintext: Uint8Array): Uint8Array<ArrayBuffer>;
  encrypt<Out extends Uint8Array | undefined>(plaintext: Uint8Array, out: Out): Result<Out>;
  encrypt(plaintext: Uint8Array, out?: Uint8Array): Uint8Array {
    const length = this.#checkPlaintext(plaintext);
    const result = outputOf(out, length + TAG_BYTES);
    this.#seal(plaintext, length, result, undefined);
    return result;
  }

  /**
   * Encrypts, once, with the tag apart.
   *
   * @param plaintext - Any number of bytes.
   * @param out - Where the ciphertext goes, as long as the plaintext; may be or overlap it.
   * @returns The ciphertext (`out`, or fresh bytes) and its tag of 16 bytes.
   * @throws As `encrypt`.
   */
  encryptDetached(plaintext: Uint8Array): Detached;
  encryptDetached<Out extends Uint8Array | undefined>(plaintext: Uint8Array, out: Out): Detached<Result<Out>>;
  encryptDetached(plaintext: Uint8Array, out?: Uint8Array): Detached<Uint8Array> {
    const length = this.#checkPlaintext(plaintext);
    const ciphertext = outputOf(out, length);
    const tag = new Bytes(TAG_BYTES);
    this.#seal(plaintext, length, ciphertext, tag);
    return { ciphertext, tag };
  }

  /**
   * Decrypts, if the tag is right for ciphertext, additional data, key and nonce.
   *
   * @param ciphertext - Ciphertext, and behind it the tag of 16 bytes.
   * @param out - Where the plaintext goes, 16 bytes shorter than the ciphertext; may be or overlap it.
   * @returns The plaintext: `out`, or fresh bytes.
   * @throws TypeError or RangeError if an argument is not of that form, Error after `destroy`, and Error `invalid tag`
   * for a forgery or a wrong key, nonce or AAD; then nothing is written.
   */
  decrypt(ciphertext: Uint8Array): Uint8Array<ArrayBuffer>;
  decrypt<Out extends Uint8Array | undefined>(ciphertext: Uint8Array, out: Out): Result<Out>;
  decrypt(ciphertext: Uint8Array, out?: Uint8Array): Uint8Array {
    this.#checkAlive();
    const length = lengthOf(ciphertext, 'ciphertext') - TAG_BYTES;
    if (length < 0)
      throw new RangeError(`"ciphertext" expected length >= tagLength=${TAG_BYTES}, got length=${length + TAG_BYTES}`);
    const result = outputOf(out, length);
    this.#open(ciphertext, length, undefined, result, out === undefined);
    return result;
  }

  /**
   * Decrypts what `encryptDetached` made.
   *
   * @param ciphertext - Without tag.
   * @param tag - 16 bytes.
   * @param out - Where the plaintext goes, as long as the ciphertext; may be or overlap it.
   * @returns The plaintext: `out`, or fresh bytes.
   * @throws As `decrypt`.
   */
  decryptDetached(ciphertext: Uint8Array, tag: Uint8Array): Uint8Array<ArrayBuffer>;
  decryptDetached<Out extends Uint8Array | undefined>(ciphertext: Uint8Array, tag: Uint8Array, out: Out): Result<Out>;
  decryptDetached(ciphertext: Uint8Array, tag: Uint8Array, out?: Uint8Array): Uint8Array {
    this.#checkAlive();
    const length = lengthOf(ciphertext, 'ciphertext');
    lengthOf(tag, 'tag', TAG_BYTES);
    const result = outputOf(out, length);
    this.#open(ciphertext, length, tag, result, out === undefined);
    return result;
  }

  /** Wipes key and nonce. The object can't be used any more. */
  destroy(): void {
    fillBytes(this.#key, 0);
    fillBytes(this.#nonce, 0);
    fillBytes(this.#aad, 0);
    this.#destroyed = true;
  }

  #checkAlive(): void {
    if (this.#destroyed) throw new Error('cannot use a cipher after destroy()');
  }

  #checkPlaintext(plaintext: Uint8Array): number {
    this.#checkAlive();
    if (this.#encrypted) throw new Error('cannot encrypt() twice with same key + nonce');
    return lengthOf(plaintext, 'plaintext');
  }

  /** Lends the kernel with key and nonce in place, and wipes. */
  #run<T>(length: number, body: (kernel: Kernel, aadLength: number) => T): T {
    const kernel = serpentInstance();
    const aadLength = byteLengthOf(this.#aad);
    try {
      kernel.write(this.#key, KEY);
      kernel.write(this.#nonce, STRETCH);
      return body(kernel, aadLength);
    } finally {
      kernel.wipe(KEY, DATA + min(length, DATA_BYTES) + MARGIN);
    }
  }

  /** Key, nonce and additional data of a message in parts. */
  #begin(kernel: Kernel, aadLength: number): void {
    kernel.run.begin(this.#bottom);
    for (let from = 0; from < aadLength; from += DATA_BYTES) {
      const size = min(DATA_BYTES, aadLength - from);
      kernel.write(part(this.#aad, from, size), DATA);
      kernel.run.hash(DATA, from / BLOCK_BYTES, size);
    }
  }

  /** The tag goes to `tag`, or behind the ciphertext. */
  #seal(plaintext: Uint8Array, length: number, out: Uint8Array, tag: Uint8Array | undefined): void {
    this.#encrypted = true;
    const staged = length + byteLengthOf(this.#aad);
    this.#run(staged, (kernel, aadLength) => {
      if (length <= DATA_BYTES && aadLength <= AAD_BYTES) {
        if (aadLength) kernel.write(this.#aad, AAD);
        kernel.write(plaintext, DATA);
        kernel.run.seal(this.#bottom, aadLength, length);
        kernel.read(DATA, tag ? length : length + TAG_BYTES, out);
      } else {
        this.#begin(kernel, aadLength);
        // No part at all would leave the first offset unmade.
        if (length === 0) kernel.run.encrypt(0, 0);
        inParts(plaintext, length, out, (input, from, size) => {
          kernel.write(part(input, from, size), DATA);
          kernel.run.encrypt(from / BLOCK_BYTES, size);
          kernel.read(DATA, size, out, from);
        });
        kernel.run.finish();
        if (!tag) kernel.read(CHECKSUM, TAG_BYTES, out, length);
      }
      if (tag) kernel.read(CHECKSUM, TAG_BYTES, tag);
    });
  }

  /** The tag is `tag`, or behind the ciphertext. */
  #open(ciphertext: Uint8Array, length: number, tag: Uint8Array | undefined, out: Uint8Array, fresh: boolean): void {
    const staged = length + byteLengthOf(this.#aad);
    this.#run(staged, (kernel, aadLength) => {
      if (length <= DATA_BYTES && aadLength <= AAD_BYTES) {
        if (aadLength) kernel.write(this.#aad, AAD);
        kernel.write(ciphertext, DATA);
        if (tag) kernel.write(tag, DATA + length);
        if (!kernel.run.open(this.#bottom, aadLength, length)) throw new Error('invalid tag');
        kernel.read(DATA, length, out);
        return;
      }
      kernel.write(tag ?? part(ciphertext, length, TAG_BYTES), TAG);
      this.#begin(kernel, aadLength);
      // The caller's bytes stay as they are unless the whole message is right.
      const plaintext = fresh ? out : new Bytes(length);
      let right = false;
      try {
        this.#decryptParts(kernel, ciphertext, length, plaintext);
        right = kernel.run.verify() === 1;
        if (!right) throw new Error('invalid tag');
        if (!fresh) copyBytes(out, plaintext);
      } finally {
        if (!fresh || !right) fillBytes(plaintext, 0);
      }
    });
  }

  #decryptParts(kernel: Kernel, ciphertext: Uint8Array, length: number, to: Uint8Array): void {
    if (length === 0) kernel.run.decrypt(0, 0);
    for (let from = 0; from < length; from += DATA_BYTES) {
      const size = min(DATA_BYTES, length - from);
      kernel.write(part(ciphertext, from, size), DATA);
      kernel.run.decrypt(from / BLOCK_BYTES, size);
      kernel.read(DATA, size, to, from);
    }
    kernel.run.finish();
  }
}
