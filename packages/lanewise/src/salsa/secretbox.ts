/** secretbox: a stream cipher with a nonce of 24 bytes and Poly1305, the tag in front. Objects that encrypt once, and decrypt. */
import { lengthOf, outputOf, refuseExtra, refuseSecond, type Result } from '../calls/checks.ts';
import { checkAlive, type End } from '../calls/lifetime.ts';
import { Bytes, fillBytes, freeze } from '../engine/intrinsics.ts';
import { TAG_BYTES } from './map.ts';
import { BLOCK } from '../keystream/map.ts';
import { openInto, sealInto, type Instances } from './secretbox-calls.ts';
import { INPUT_BYTES } from '../keystream/cipher.ts';
import { LAST_ROW, writeKeyAndNonce } from '../keystream/input.ts';

export const KEY_BYTES = 32;
export const NONCE_BYTES = 24;

/** One key, one nonce, one message: what {@link secretbox} gives. */
export class Secretbox {
  readonly #instances: Instances;
  readonly #input = new Bytes(INPUT_BYTES);
  #encrypted = false;
  #end: End | undefined;

  /** @internal */
  constructor(instances: Instances, key: Uint8Array, nonce: Uint8Array) {
    lengthOf(key, 'key', KEY_BYTES);
    lengthOf(nonce, 'nonce', NONCE_BYTES);
    this.#instances = instances;
    // Copies: what the caller does to its own bytes later changes nothing.
    writeKeyAndNonce(this.#input, 0, key, KEY_BYTES, nonce, NONCE_BYTES, LAST_ROW);
  }

  /**
   * Encrypts, once: a second message under the same key and nonce would give both away.
   *
   * @param plaintext - Any number of bytes.
   * @param out - Where tag and ciphertext go, 16 bytes longer than the plaintext; may overlap it in any way.
   * @returns The tag of 16 bytes, and behind it the ciphertext: `out`, or fresh bytes.
   * @throws TypeError or RangeError if an argument is not of that form, and Error on the second call or after
   * `destroy`; then nothing is written.
   */
  seal(plaintext: Uint8Array): Uint8Array<ArrayBuffer>;
  seal<Out extends Uint8Array | undefined>(plaintext: Uint8Array, out: Out): Result<Out>;
  seal(plaintext: Uint8Array, out?: Uint8Array, extra?: unknown): Uint8Array {
    refuseExtra(extra, 2);
    checkAlive('a cipher', this.#end);
    refuseSecond(this.#encrypted, 'nonce');
    const length = lengthOf(plaintext, 'plaintext');
    const result = outputOf(out, length + TAG_BYTES);
    this.#encrypted = true;
    sealInto(this.#instances, this.#input, plaintext, length, result);
    return result;
  }

  /**
   * Decrypts, if the tag is right for ciphertext, key and nonce.
   *
   * @param ciphertext - The tag of 16 bytes, and behind it the ciphertext.
   * @param out - Where the plaintext goes, 16 bytes shorter than the ciphertext; may overlap it in any way.
   * @returns The plaintext: `out`, or fresh bytes.
   * @throws TypeError or RangeError if an argument is not of that form, Error after `destroy`. Error if the ciphertext is
   * shorter than a tag, and Error `invalid tag` for a forgery or a wrong key or nonce; then nothing is written.
   */
  open(ciphertext: Uint8Array): Uint8Array<ArrayBuffer>;
  open<Out extends Uint8Array | undefined>(ciphertext: Uint8Array, out: Out): Result<Out>;
  open(ciphertext: Uint8Array, out?: Uint8Array, extra?: unknown): Uint8Array {
    refuseExtra(extra, 2);
    checkAlive('a cipher', this.#end);
    const length = lengthOf(ciphertext, 'ciphertext') - TAG_BYTES;
    if (length < 0)
      throw new Error(`"ciphertext" expected length >= tagLength=${TAG_BYTES}, got length=${length + TAG_BYTES}`);
    const result = outputOf(out, length);
    if (!openInto(this.#instances, this.#input, ciphertext, length, result, out === undefined))
      throw new Error('invalid tag');
    return result;
  }

  /** {@link Secretbox.seal}, under the name that it has in other ciphers. */
  encrypt(plaintext: Uint8Array): Uint8Array<ArrayBuffer>;
  encrypt<Out extends Uint8Array | undefined>(plaintext: Uint8Array, out: Out): Result<Out>;
  encrypt(plaintext: Uint8Array, out?: Uint8Array, extra?: unknown): Uint8Array {
    refuseExtra(extra, 2);
    return this.seal(plaintext, out);
  }

  /** {@link Secretbox.open}, under the name that it has in other ciphers. */
  decrypt(ciphertext: Uint8Array): Uint8Array<ArrayBuffer>;
  decrypt<Out extends Uint8Array | undefined>(ciphertext: Uint8Array, out: Out): Result<Out>;
  decrypt(ciphertext: Uint8Array, out?: Uint8Array, extra?: unknown): Uint8Array {
    refuseExtra(extra, 2);
    return this.open(ciphertext, out);
  }

  /** Wipes key and nonce. The object can't be used any more. */
  destroy(): void;
  destroy(extra?: unknown): void {
    refuseExtra(extra, 0);
    fillBytes(this.#input, 0);
    this.#end = 'destroy()';
  }
}

/** Makes the object that seals or opens one message: {@link secretbox}. */
export interface SecretboxCipher {
  /**
   * @param key - 32 bytes; copied.
   * @param nonce - 24 bytes, never used twice with one key; may be random. Copied.
   * @throws TypeError or RangeError if an argument is not of that form.
   */
  (key: Uint8Array, nonce: Uint8Array): Secretbox;
  /** 64 bytes. */
  readonly blockSize: number;
  /** 24 bytes. */
  readonly nonceLength: number;
  /** 16 bytes. */
  readonly tagLength: number;
}

export const secretboxOf = (instances: Instances): SecretboxCipher =>
  freeze(
    Object.assign(
      (key: Uint8Array, nonce: Uint8Array, extra?: unknown): Secretbox => {
        refuseExtra(extra, 2);
        return new Secretbox(instances, key, nonce);
      },
      { blockSize: BLOCK, nonceLength: NONCE_BYTES, tagLength: TAG_BYTES },
    ),
  );
