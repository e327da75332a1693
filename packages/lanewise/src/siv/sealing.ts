/** ChaCha20-Poly1305-SIV of one message (C2SP chacha20-poly1305-siv.md, "Encrypt" and "Decrypt"). */
import { additionalData, type Sealing, type Tag } from '../calls/aead.ts';
import { lend, lendBytes, type End } from '../calls/lifetime.ts';
import { throughStage } from '../calls/parts.ts';
import {
  byteLengthOf,
  Bytes,
  copyExactly,
  copyOf,
  fillBytes,
  isShared,
  min,
  moveBytes,
  part,
} from '../engine/intrinsics.ts';
import { INPUT, INPUT_BYTES, LAST_ROW } from '../keystream/input.ts';
import * as layout from '../keystream/map.ts';
import { AAD, AAD_BYTES, ASIDE, CONTINUE, STAGE, STAGE_BYTES, MARGIN, PLAIN, secretsFrom } from '../keystream/map.ts';
import { sivInstance } from './binding.ts';
import { BLOCK, KEY_BYTES, MAC, NONCE_BYTES, TAG, TAG_BYTES, TAG_KEY } from './map.ts';

type Kernel = ReturnType<typeof sivInstance>;

const DOUBLE_ROUNDS = 10;
const BLOCK_BYTES = layout.BLOCK_BYTES;
/** A row of ChaCha's input: the counter, and a nonce of 12 bytes. */
const ROW_BYTES = 16;
/** The kernel compares tags of Poly1305. */
const HALF = 16;

export class ChaChaPoly1305Siv implements Sealing {
  readonly tagBytes = TAG_BYTES;
  encrypted = false;
  end: End | undefined;
  /** The key, and the nonce, whose first four bytes are a block counter: it is the last row as it stands. */
  readonly #input = new Bytes(INPUT_BYTES);
  readonly #aad: Uint8Array;
  readonly #aadLength: number;

  /** Key and nonce are checked. */
  constructor(key: Uint8Array, nonce: Uint8Array, aad: Uint8Array | undefined) {
    this.#aad = additionalData(aad);
    this.#aadLength = byteLengthOf(this.#aad);
    copyExactly(this.#input, 0, key, KEY_BYTES);
    copyExactly(this.#input, LAST_ROW, nonce, NONCE_BYTES);
  }

  wipe(): void {
    fillBytes(this.#input, 0);
    fillBytes(this.#aad, 0);
  }

  fits(length: number): boolean {
    return length <= STAGE_BYTES && this.#aadLength <= AAD_BYTES;
  }

  seal(plaintext: Uint8Array, length: number, out: Uint8Array, tag: Tag): void {
    if (!this.fits(length)) {
      // It is read twice. If another thread changed it in between, two messages would have one keystream.
      if (!isShared(plaintext)) this.#sealParts(plaintext, length, out, tag);
      else {
        const copy = copyOf(plaintext, length);
        lendBytes(copy, length, () => this.#sealParts(copy, length, out, tag));
      }
      return;
    }
    const aadLength = this.#aadLength;
    const kernel = sivInstance(length + aadLength);
    const from = aadLength ? AAD : min(secretsFrom(length), ASIDE);
    lend(kernel, from, STAGE + length + MARGIN, ChaChaPoly1305Siv.#sealStaged, this, plaintext, length, out, tag);
  }

  static #sealStaged(
    this: void,
    kernel: Kernel,
    self: ChaChaPoly1305Siv,
    plaintext: Uint8Array,
    length: number,
    out: Uint8Array,
    tag: Tag,
  ): void {
    self.#beginStaged(kernel);
    kernel.write(STAGE, length, plaintext);
    kernel.run.absorb(STAGE, length);
    self.#finish(kernel, length, TAG);
    startCipher(kernel);
    xor(kernel, PLAIN, length);
    if (!tag) moveBytes(kernel.memory, STAGE + length, TAG, TAG + TAG_BYTES);
    kernel.read(STAGE, tag ? length : length + TAG_BYTES, out);
    if (tag) kernel.read(TAG, TAG_BYTES, tag);
  }

  #sealParts(plaintext: Uint8Array, length: number, out: Uint8Array, tag: Tag): void {
    lend(sivInstance(length + this.#aadLength), AAD, STAGE + STAGE_BYTES + MARGIN, (kernel) => {
      this.#begin(kernel);
      absorbParts(kernel, this.#aad, this.#aadLength);
      absorbParts(kernel, plaintext, length);
      this.#finish(kernel, length, TAG);
      xorParts(kernel, plaintext, length, out);
      kernel.read(TAG, TAG_BYTES, tag ?? out, tag ? 0 : length);
    });
  }

  openWhole(ciphertext: Uint8Array, length: number, tag: Tag, out: Uint8Array): boolean {
    const aadLength = this.#aadLength;
    const kernel = sivInstance(length + aadLength);
    const from = aadLength ? AAD : min(secretsFrom(length), ASIDE);
    const to = STAGE + length + MARGIN;
    return lend(kernel, from, to, ChaChaPoly1305Siv.#openStaged, this, ciphertext, length, tag, out);
  }

  static #openStaged(
    this: void,
    kernel: Kernel,
    self: ChaChaPoly1305Siv,
    ciphertext: Uint8Array,
    length: number,
    tag: Tag,
    out: Uint8Array,
  ): boolean {
    self.#beginStaged(kernel);
    kernel.write(STAGE, tag ? length : length + TAG_BYTES, ciphertext);
    if (tag) kernel.write(TAG, TAG_BYTES, tag);
    else moveBytes(kernel.memory, TAG, STAGE + length, STAGE + length + TAG_BYTES);
    startCipher(kernel);
    kernel.run.encrypt(0, 0, length);
    const isRight = self.#verify(kernel, length);
    if (isRight) kernel.read(STAGE, length, out);
    return isRight;
  }

  openParts(ciphertext: Uint8Array, length: number, tag: Tag, out: Uint8Array, twice: boolean): boolean {
    return lend(sivInstance(length + this.#aadLength), AAD, STAGE + STAGE_BYTES + MARGIN, (kernel) => {
      const text = part(ciphertext, 0, length);
      this.#begin(kernel);
      absorbParts(kernel, this.#aad, this.#aadLength);
      kernel.write(TAG, TAG_BYTES, tag ?? part(ciphertext, length, TAG_BYTES));
      startCipher(kernel);
      // The MAC is over the plaintext, so the function that encrypts and authenticates for others decrypts here.
      throughStage(kernel, STAGE, STAGE_BYTES, text, length, twice ? undefined : out, (size) =>
        kernel.run.encrypt(0, 0, size),
      );
      const isRight = this.#verify(kernel, length);
      if (isRight && twice) xorParts(kernel, text, length, out);
      return isRight;
    });
  }

  /** The block of key and nonce: its first half starts Poly1305, its second is TAG_KEY. */
  #begin(kernel: Kernel): void {
    kernel.write(INPUT, INPUT_BYTES, this.#input);
    kernel.wipe(TAG_KEY, TAG_KEY + KEY_BYTES);
    kernel.run.begin(PLAIN);
  }

  #beginStaged(kernel: Kernel): void {
    const aadLength = this.#aadLength;
    this.#begin(kernel);
    if (aadLength) {
      kernel.write(AAD, aadLength, this.#aad);
      kernel.run.absorb(AAD, aadLength);
    }
  }

  /** Ends the MAC of a message, and puts its tag to an address. */
  #finish(kernel: Kernel, length: number, to: number): void {
    const aadLength = this.#aadLength;
    kernel.run.finish(aadLength | 0, high(aadLength), length | 0, high(length), MAC);
    deriveBlock(kernel, MAC);
    moveBytes(kernel.memory, to, BLOCK, BLOCK + TAG_BYTES);
  }

  /** Whether the message, which is absorbed, has the tag at TAG. */
  #verify(kernel: Kernel, length: number): boolean {
    const { memory, run } = kernel;
    this.#finish(kernel, length, BLOCK);
    moveBytes(memory, layout.TAG, TAG, TAG + HALF);
    const first = run.verify(BLOCK);
    moveBytes(memory, layout.TAG, TAG + HALF, TAG + TAG_BYTES);
    return (first & run.verify(BLOCK + HALF)) === 1;
  }
}

/** A block of keystream under TAG_KEY, whose counter and nonce are at an address, to BLOCK. */
function deriveBlock({ memory, run }: Kernel, from: number): void {
  moveBytes(memory, INPUT, TAG_KEY, TAG_KEY + KEY_BYTES);
  moveBytes(memory, INPUT + LAST_ROW, from, from + ROW_BYTES);
  fillBytes(memory, 0, BLOCK, BLOCK + BLOCK_BYTES);
  run.xor(PLAIN, DOUBLE_ROUNDS, BLOCK, 1);
}

/** The input of the cipher: its key is derived from the first half of the tag, its nonce is of the second. */
function startCipher(kernel: Kernel): void {
  const { memory } = kernel;
  deriveBlock(kernel, TAG);
  moveBytes(memory, INPUT, BLOCK + TAG_BYTES, BLOCK + TAG_BYTES + KEY_BYTES);
  fillBytes(memory, 0, INPUT + LAST_ROW, INPUT + LAST_ROW + 4);
  moveBytes(memory, INPUT + LAST_ROW + 4, TAG + HALF, TAG + HALF + 12);
}

const xor = ({ run }: Kernel, kind: number, length: number): void =>
  run.xor(kind, DOUBLE_ROUNDS, STAGE, (length + BLOCK_BYTES - 1) >>> 6);

const absorbParts = (kernel: Kernel, bytes: Uint8Array, length: number): void =>
  throughStage(kernel, STAGE, STAGE_BYTES, bytes, length, undefined, (size) => kernel.run.absorb(STAGE, size));

function xorParts(kernel: Kernel, bytes: Uint8Array, length: number, out: Uint8Array): void {
  startCipher(kernel);
  throughStage(kernel, STAGE, STAGE_BYTES, bytes, length, out, (size, from) =>
    xor(kernel, from ? CONTINUE : PLAIN, size),
  );
}

const high = (length: number): number => (length / 2 ** 32) | 0;
