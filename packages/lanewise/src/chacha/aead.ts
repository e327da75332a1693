/** The AEAD of ChaCha20 or XChaCha20 and Poly1305, RFC 8439 §2.8. */
import { additionalData, TAG_BYTES, type Sealing } from '../calls/aead.ts';
import { lengthOf } from '../calls/checks.ts';
import { lend } from '../calls/lifetime.ts';
import type { Instance } from '../engine/instance.ts';
import { byteLengthOf, Bytes, copyOf, fillBytes, isShared, min, part } from '../engine/intrinsics.ts';
import { chachaInstance, writeInput } from './binding.ts';
import type { ChaCha } from './module.ts';
import { AAD, AAD_BYTES, DATA, DATA_BYTES, GOES_ON, secretsFrom, TAG } from '../keystream/map.ts';
import { inParts } from '../calls/parts.ts';
import { INPUT_BYTES } from '../keystream/cipher.ts';
import { INPUT, kindOf } from '../keystream/input.ts';

/** Kernels may write so much behind the message and its tag. */
const MARGIN = 512;
const BLOCK_BYTES = 64;
const DOUBLE_ROUNDS = 10;

/** The most that RFC 8439 §2.8 allows, 64·(2^32 - 1) bytes, is more than any engine lets an array have. */
export class ChaChaPoly1305 implements Sealing {
  readonly #input = new Bytes(INPUT_BYTES);
  readonly #aad: Uint8Array;
  readonly #aadLength: number;
  readonly #kind: number;

  constructor(nonceLength: 12 | 24, key: Uint8Array, nonce: Uint8Array, aad: Uint8Array | undefined) {
    lengthOf(key, 'key', 32);
    lengthOf(nonce, 'nonce', nonceLength);
    this.#aad = additionalData(aad);
    this.#aadLength = byteLengthOf(this.#aad);
    writeInput(this.#input, 0, key, 32, nonce, nonceLength);
    this.#kind = kindOf(nonceLength, 32);
  }

  wipe(): void {
    fillBytes(this.#input, 0);
    fillBytes(this.#aad, 0);
  }

  seal(plaintext: Uint8Array, length: number, out: Uint8Array, tag: Uint8Array | undefined): void {
    const aadLength = this.#aadLength;
    if (length > DATA_BYTES || aadLength > AAD_BYTES) {
      this.#sealParts(plaintext, length, out, tag);
      return;
    }
    const kernel = chachaInstance(length + aadLength);
    // The kernel leaves only ciphertext.
    lend(kernel, 0, 0, ChaChaPoly1305.#sealStaged, this, plaintext, length, out, tag);
  }

  static #sealStaged(
    this: void,
    kernel: Instance<ChaCha>,
    self: ChaChaPoly1305,
    plaintext: Uint8Array,
    length: number,
    out: Uint8Array,
    tag: Uint8Array | undefined,
  ): void {
    const aadLength = self.#aadLength;
    kernel.write(INPUT, INPUT_BYTES, self.#input);
    if (aadLength) kernel.write(AAD, aadLength, self.#aad);
    kernel.write(DATA, length, plaintext);
    kernel.run.seal(self.#kind, aadLength, length);
    kernel.read(DATA, tag ? length : length + TAG_BYTES, out);
    if (tag) kernel.read(DATA + length, TAG_BYTES, tag);
  }

  #sealParts(plaintext: Uint8Array, length: number, out: Uint8Array, tag: Uint8Array | undefined): void {
    const aadLength = this.#aadLength;
    lend(chachaInstance(length + aadLength), AAD, DATA + DATA_BYTES + MARGIN, (kernel) => {
      kernel.write(INPUT, INPUT_BYTES, this.#input);
      kernel.run.begin(this.#kind);
      absorb(kernel, this.#aad, aadLength);
      inParts(plaintext, length, out, DATA_BYTES, (bytes, from, size) => {
        kernel.write(DATA, size, bytes);
        kernel.run.encrypt(0, 0, size);
        kernel.read(DATA, size, out, from);
      });
      finish(kernel.run, aadLength, length);
      kernel.read(DATA, TAG_BYTES, tag ?? out, tag ? 0 : length);
    });
  }

  open(ciphertext: Uint8Array, length: number, tag: Uint8Array | undefined, out: Uint8Array, fresh: boolean): void {
    const aadLength = this.#aadLength;
    const kernel = chachaInstance(length + aadLength);
    const staged = length <= DATA_BYTES && aadLength <= AAD_BYTES;
    const right = staged
      ? lend(
          kernel,
          aadLength ? AAD : secretsFrom(length),
          DATA + length + MARGIN,
          ChaChaPoly1305.#openStaged,
          this,
          ciphertext,
          length,
          tag,
          out,
        )
      : lend(kernel, AAD, DATA + DATA_BYTES + MARGIN, () => {
          kernel.write(INPUT, INPUT_BYTES, this.#input);
          kernel.write(TAG, TAG_BYTES, tag ?? part(ciphertext, length, TAG_BYTES));
          kernel.run.begin(this.#kind);
          absorb(kernel, this.#aad, aadLength);
          return fresh
            ? this.#openFresh(kernel, ciphertext, length, out)
            : this.#openInto(kernel, ciphertext, length, out);
        });
    if (!right) throw new Error('invalid tag');
  }

  static #openStaged(
    this: void,
    kernel: Instance<ChaCha>,
    self: ChaChaPoly1305,
    ciphertext: Uint8Array,
    length: number,
    tag: Uint8Array | undefined,
    out: Uint8Array,
  ): boolean {
    const aadLength = self.#aadLength;
    kernel.write(INPUT, INPUT_BYTES, self.#input);
    if (aadLength) kernel.write(AAD, aadLength, self.#aad);
    kernel.write(DATA, tag ? length : length + TAG_BYTES, ciphertext);
    if (tag) kernel.write(DATA + length, TAG_BYTES, tag);
    const right = kernel.run.open(self.#kind, aadLength, length) === 1;
    if (right) kernel.read(DATA, length, out);
    return right;
  }

  /** One pass: nobody else has seen `out`, and nobody will if the tag is wrong. */
  #openFresh(kernel: Instance<ChaCha>, ciphertext: Uint8Array, length: number, out: Uint8Array): boolean {
    inParts(part(ciphertext, 0, length), length, out, DATA_BYTES, (bytes, from, size) => {
      kernel.write(DATA, size, bytes);
      kernel.run.decrypt(size);
      kernel.read(DATA, size, out, from);
    });
    const right = verified(kernel.run, this.#aadLength, length);
    if (!right) fillBytes(out, 0);
    return right;
  }

  /** Two passes: the caller's bytes stay as they are unless the whole message is right. */
  #openInto(kernel: Instance<ChaCha>, ciphertext: Uint8Array, length: number, out: Uint8Array): boolean {
    // What another thread could change between the passes is read once.
    const view = part(ciphertext, 0, length);
    const input = isShared(view) ? copyOf(view, length) : view;
    absorb(kernel, input, length);
    if (!verified(kernel.run, this.#aadLength, length)) return false;
    inParts(input, length, out, DATA_BYTES, (bytes, from, size) => {
      kernel.write(DATA, size, bytes);
      kernel.run.xor(GOES_ON, DOUBLE_ROUNDS, DATA, (size + BLOCK_BYTES - 1) >>> 6);
      kernel.read(DATA, size, out, from);
    });
    return true;
  }
}

function absorb(kernel: Instance<ChaCha>, bytes: Uint8Array, length: number): void {
  for (let from = 0; from < length; from += DATA_BYTES) {
    const size = min(DATA_BYTES, length - from);
    kernel.write(DATA, size, part(bytes, from, size));
    kernel.run.absorb(DATA, size);
  }
}

/** Leaves the tag at DATA. */
function finish(run: ChaCha, aadLength: number, length: number): void {
  const high = (n: number): number => (n / 2 ** 32) | 0;
  run.finish(aadLength | 0, high(aadLength), length | 0, high(length), DATA);
}

function verified(run: ChaCha, aadLength: number, length: number): boolean {
  finish(run, aadLength, length);
  return run.verify(DATA) === 1;
}
