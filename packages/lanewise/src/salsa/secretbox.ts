/** secretbox: a stream cipher with a nonce of 24 bytes and Poly1305, the tag in front. */
import {
  decrypt,
  decryptDetached,
  destroy,
  encrypt,
  encryptDetached,
  TAG_BYTES,
  type Aead,
  type Detached,
  type Sealing,
  type Tag,
} from '../calls/aead.ts';
import { lengthOf, refuseSurplus, type Result } from '../calls/checks.ts';
import { lend, type End, type Memory } from '../calls/lifetime.ts';
import { inParts } from '../calls/parts.ts';
import type { Instance } from '../engine/instance.ts';
import { Bytes, fillBytes, freeze, moveBytes, part } from '../engine/intrinsics.ts';
import { INPUT, INPUT_BYTES, LAST_ROW, writeKeyAndNonce } from '../keystream/input.ts';
import {
  AAD,
  BLOCK_BYTES,
  CONTINUE,
  STAGE,
  STAGE_BYTES,
  EXTENDED,
  MARGIN,
  secretsFrom,
  TAG,
} from '../keystream/map.ts';
import { BOX, FIRST_BYTES } from './map.ts';
import type { Functions } from './module.ts';

export const KEY_BYTES = 32;
export const NONCE_BYTES = 24;
const DOUBLE_ROUNDS = 10;

type Kernel = Instance<Functions>;
/** Returns the kernel for a message of `length` bytes. */
export type Instances = (length: number) => Kernel;

/** Seals or opens one message. Key and nonce are checked. */
export class SecretboxSealing implements Sealing, Memory {
  readonly tagBytes = TAG_BYTES;
  encrypted = false;
  end: End | undefined;
  readonly #instances: Instances;
  /** Key and nonce. */
  readonly memory = new Bytes(INPUT_BYTES);
  readonly secrets = 0;

  constructor(instances: Instances, key: Uint8Array, nonce: Uint8Array) {
    this.#instances = instances;
    writeKeyAndNonce(this.memory, 0, key, KEY_BYTES, nonce, NONCE_BYTES, LAST_ROW);
  }

  wipe(): void {
    fillBytes(this.memory, 0);
  }

  fits(length: number): boolean {
    return length <= FIRST_BYTES + STAGE_BYTES;
  }

  seal(plaintext: Uint8Array, length: number, out: Uint8Array, tag: Tag): void {
    if (!this.fits(length)) {
      this.#sealParts(plaintext, length, out, tag);
      return;
    }
    // The kernel leaves only tag and ciphertext.
    lend(this.#instances(length), 0, 0, SecretboxSealing.#sealStaged, this, plaintext, length, out, tag);
  }

  #sealParts(plaintext: Uint8Array, length: number, out: Uint8Array, tag: Tag): void {
    lend(this.#instances(length), AAD, STAGE + STAGE_BYTES + MARGIN, (kernel) => {
      const { run } = kernel;
      const ciphertext = tag ? out : part(out, TAG_BYTES, length);
      this.#inParts(kernel, plaintext, length, ciphertext, (at, size) => {
        if (at === STAGE) run.encrypt(0, 0, size);
        else {
          run.begin(EXTENDED);
          run.absorb(BOX, FIRST_BYTES);
        }
      });
      kernel.read(STAGE, TAG_BYTES, tag ?? out);
    });
  }

  static #sealStaged(
    this: void,
    kernel: Kernel,
    self: SecretboxSealing,
    plaintext: Uint8Array,
    length: number,
    out: Uint8Array,
    tag: Tag,
  ): void {
    kernel.write(INPUT, INPUT_BYTES, self.memory);
    kernel.write(BOX, length, plaintext);
    kernel.run.seal(EXTENDED, length);
    if (!tag) {
      kernel.read(BOX - TAG_BYTES, TAG_BYTES + length, out);
    } else {
      kernel.read(BOX, length, out);
      kernel.read(BOX - TAG_BYTES, TAG_BYTES, tag);
    }
  }

  openWhole(ciphertext: Uint8Array, length: number, tag: Tag, out: Uint8Array): boolean {
    const kernel = this.#instances(length);
    const to = BOX + length + MARGIN;
    return lend(kernel, secretsFrom(length), to, SecretboxSealing.#openStaged, this, ciphertext, length, tag, out);
  }

  openParts(ciphertext: Uint8Array, length: number, tag: Tag, out: Uint8Array, twice: boolean): boolean {
    return lend(this.#instances(length), AAD, STAGE + STAGE_BYTES + MARGIN, (kernel) => {
      const { run } = kernel;
      kernel.write(TAG, TAG_BYTES, tag ?? part(ciphertext, 0, TAG_BYTES));
      const text = part(ciphertext, tag ? 0 : TAG_BYTES, length);
      this.#inParts(kernel, text, length, twice ? undefined : out, (at, size) => {
        if (at === BOX) {
          // The block of the one-time key also decrypts these bytes; the MAC absorbs their ciphertext.
          moveBytes(kernel.memory, STAGE, BOX, STAGE);
          run.begin(EXTENDED);
          run.absorb(STAGE, FIRST_BYTES);
        } else if (twice) run.absorb(STAGE, size);
        else run.decrypt(size);
      });
      if (run.verify(STAGE) !== 1) return false;
      if (twice)
        this.#inParts(kernel, text, length, out, (at, size) => {
          if (at === STAGE) run.xor(CONTINUE, DOUBLE_ROUNDS, STAGE, (size + BLOCK_BYTES - 1) >>> 6);
          else run.begin(EXTENDED);
        });
      return true;
    });
  }

  static #openStaged(
    this: void,
    kernel: Kernel,
    self: SecretboxSealing,
    ciphertext: Uint8Array,
    length: number,
    tag: Tag,
    out: Uint8Array,
  ): boolean {
    kernel.write(INPUT, INPUT_BYTES, self.memory);
    if (tag) {
      kernel.write(BOX - TAG_BYTES, TAG_BYTES, tag);
      kernel.write(BOX, length, ciphertext);
    } else kernel.write(BOX - TAG_BYTES, TAG_BYTES + length, ciphertext);
    const right = kernel.run.open(EXTENDED, length) === 1;
    if (right) kernel.read(BOX, length, out);
    return right;
  }

  /** The first bytes go through BOX, in the block of the one-time key, all others through STAGE; at the end the tag is there. */
  #inParts(
    kernel: Kernel,
    input: Uint8Array,
    length: number,
    out: Uint8Array | undefined,
    run: (at: number, size: number) => void,
  ): void {
    kernel.write(INPUT, INPUT_BYTES, this.memory);
    const visit = (bytes: Uint8Array, from: number, size: number): void => {
      const at = from ? STAGE : BOX;
      kernel.write(at, size, bytes);
      run(at, size);
      if (out) kernel.read(at, size, out, from);
    };
    inParts(input, length, out ?? input, STAGE_BYTES, visit, FIRST_BYTES);
    kernel.run.finish(STAGE);
  }
}

/** The object of {@link secretbox}: one key, one nonce, one message. The tag is in front of the ciphertext. */
export interface Secretbox extends Aead {
  /** {@link Aead.encrypt}, under the name that it has in NaCl. */
  seal(plaintext: Uint8Array): Uint8Array<ArrayBuffer>;
  seal<Out extends Uint8Array | undefined>(plaintext: Uint8Array, out: Out): Result<Out>;
  /** {@link Aead.decrypt}, under the name that it has in NaCl. */
  open(ciphertext: Uint8Array): Uint8Array<ArrayBuffer>;
  open<Out extends Uint8Array | undefined>(ciphertext: Uint8Array, out: Out): Result<Out>;
}

class SecretboxObject {
  static readonly name = 'Secretbox';
  readonly #sealing: Sealing;

  constructor(sealing: Sealing) {
    this.#sealing = sealing;
  }

  encrypt(plaintext: Uint8Array, out?: Uint8Array): Uint8Array {
    refuseSurplus(arguments, 2);
    return encrypt(this.#sealing, plaintext, out);
  }

  encryptDetached(plaintext: Uint8Array, out?: Uint8Array): Detached<Uint8Array> {
    refuseSurplus(arguments, 2);
    return encryptDetached(this.#sealing, plaintext, out);
  }

  decrypt(ciphertext: Uint8Array, out?: Uint8Array): Uint8Array {
    refuseSurplus(arguments, 2);
    return decrypt(this.#sealing, ciphertext, out);
  }

  decryptDetached(ciphertext: Uint8Array, tag: Uint8Array, out?: Uint8Array): Uint8Array {
    refuseSurplus(arguments, 3);
    return decryptDetached(this.#sealing, ciphertext, tag, out);
  }

  seal(plaintext: Uint8Array, out?: Uint8Array): Uint8Array {
    refuseSurplus(arguments, 2);
    return encrypt(this.#sealing, plaintext, out);
  }

  open(ciphertext: Uint8Array, out?: Uint8Array): Uint8Array {
    refuseSurplus(arguments, 2);
    return decrypt(this.#sealing, ciphertext, out);
  }

  destroy(): void {
    refuseSurplus(arguments, 0);
    destroy(this.#sealing);
  }
}

const Box = SecretboxObject as unknown as new (sealing: Sealing) => Secretbox;

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
      function (key: Uint8Array, nonce: Uint8Array): Secretbox {
        refuseSurplus(arguments, 2);
        lengthOf(key, 'key', KEY_BYTES);
        lengthOf(nonce, 'nonce', NONCE_BYTES);
        return new Box(new SecretboxSealing(instances, key, nonce));
      },
      { blockSize: BLOCK_BYTES, nonceLength: NONCE_BYTES, tagLength: TAG_BYTES },
    ),
  );
