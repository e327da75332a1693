/** The AEAD of ChaCha20 or XChaCha20 and Poly1305, RFC 8439 §2.8. */
import { additionalData, TAG_BYTES, type Sealing } from '../calls/aead.ts';
import { lengthOf } from '../calls/checks.ts';
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
  readonly #kind: number;

  constructor(nonceLength: 12 | 24, key: Uint8Array, nonce: Uint8Array, aad: Uint8Array | undefined) {
    lengthOf(key, 'key', 32);
    lengthOf(nonce, 'nonce', nonceLength);
    this.#aad = additionalData(aad);
    writeInput(this.#input, 0, key, 32, nonce, nonceLength);
    this.#kind = kindOf(nonceLength, 32);
  }

  wipe(): void {
    fillBytes(this.#input, 0);
    fillBytes(this.#aad, 0);
  }

  seal(plaintext: Uint8Array, length: number, out: Uint8Array, tag: Uint8Array | undefined): void {
    const aad = this.#aad;
    const aadLength = byteLengthOf(aad);
    if (length > DATA_BYTES || aadLength > AAD_BYTES) {
      this.#sealParts(plaintext, length, out, tag);
      return;
    }
    const kernel = chachaInstance(length + aadLength);
    try {
      kernel.write(INPUT, INPUT_BYTES, this.#input);
      if (aadLength) kernel.write(AAD, aadLength, aad);
      kernel.write(DATA, length, plaintext);
      kernel.run.seal(this.#kind, aadLength, length);
      kernel.read(DATA, tag ? length : length + TAG_BYTES, out);
      if (tag) kernel.read(DATA + length, TAG_BYTES, tag);
    } catch (error) {
      // The kernel has wiped all but ciphertext, unless it did not get so far.
      kernel.wipe(AAD, DATA + length + MARGIN);
      throw error;
    }
  }

  #sealParts(plaintext: Uint8Array, length: number, out: Uint8Array, tag: Uint8Array | undefined): void {
    const aadLength = byteLengthOf(this.#aad);
    const kernel = chachaInstance(length + aadLength);
    try {
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
    } finally {
      kernel.wipe(AAD, DATA + DATA_BYTES + MARGIN);
    }
  }

  open(ciphertext: Uint8Array, length: number, tag: Uint8Array | undefined, out: Uint8Array, fresh: boolean): void {
    const aad = this.#aad;
    const aadLength = byteLengthOf(aad);
    const kernel = chachaInstance(length + aadLength);
    const { run } = kernel;
    let used = 0;
    try {
      kernel.write(INPUT, INPUT_BYTES, this.#input);
      if (length <= DATA_BYTES && aadLength <= AAD_BYTES) {
        used = length;
        if (aadLength) kernel.write(AAD, aadLength, aad);
        kernel.write(DATA, tag ? length : length + TAG_BYTES, ciphertext);
        if (tag) kernel.write(DATA + length, TAG_BYTES, tag);
        if (!run.open(this.#kind, aadLength, length)) throw new Error('invalid tag');
        kernel.read(DATA, length, out);
        return;
      }
      used = DATA_BYTES;
      kernel.write(TAG, TAG_BYTES, tag ?? part(ciphertext, length, TAG_BYTES));
      run.begin(this.#kind);
      absorb(kernel, aad, aadLength);
      if (fresh) this.#openFresh(kernel, ciphertext, length, out);
      else this.#openInto(kernel, ciphertext, length, out);
    } finally {
      kernel.wipe(aadLength ? AAD : secretsFrom(length), DATA + used + MARGIN);
    }
  }

  /** One pass: nobody else has seen `out`, and nobody will if the tag is wrong. */
  #openFresh(kernel: Instance<ChaCha>, ciphertext: Uint8Array, length: number, out: Uint8Array): void {
    inParts(part(ciphertext, 0, length), length, out, DATA_BYTES, (bytes, from, size) => {
      kernel.write(DATA, size, bytes);
      kernel.run.decrypt(size);
      kernel.read(DATA, size, out, from);
    });
    if (verified(kernel.run, byteLengthOf(this.#aad), length)) return;
    fillBytes(out, 0);
    throw new Error('invalid tag');
  }

  /** Two passes: the caller's bytes stay as they are unless the whole message is right. */
  #openInto(kernel: Instance<ChaCha>, ciphertext: Uint8Array, length: number, out: Uint8Array): void {
    // What another thread could change between the passes is read once.
    const view = part(ciphertext, 0, length);
    const input = isShared(view) ? copyOf(view, length) : view;
    absorb(kernel, input, length);
    if (!verified(kernel.run, byteLengthOf(this.#aad), length)) throw new Error('invalid tag');
    inParts(input, length, out, DATA_BYTES, (bytes, from, size) => {
      kernel.write(DATA, size, bytes);
      kernel.run.xor(GOES_ON, DOUBLE_ROUNDS, DATA, (size + BLOCK_BYTES - 1) >>> 6);
      kernel.read(DATA, size, out, from);
    });
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
