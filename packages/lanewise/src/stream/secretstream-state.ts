/** One direction of libsodium's crypto_secretstream_xchacha20poly1305: a chain of messages, each under a nonce of its own. */
import { messageInstance } from './binding.ts';
import { equalBytes } from '../calls/bytes.ts';
import { lend } from '../calls/lifetime.ts';
import { throughStage } from '../calls/parts.ts';
import { byteLengthOf, Bytes, copyBytes, copyOf, fillBytes, floor, isShared, min, part } from '../engine/intrinsics.ts';
import { chacha20 } from '../chacha.ts';
import { INPUT, INPUT_BYTES, LAST_ROW, writeWord } from '../keystream/input.ts';
import { CONTINUE, HEAD, MARGIN, PLAIN, SETS, STAGE, STAGE_BYTES, STATE, TAG } from '../keystream/map.ts';
import { poly1305 } from '../poly1305.ts';

export const KEY_BYTES = 32;
export const HEADER_BYTES = 24;
/** The bytes that encryption adds to a message: its tag, encrypted, and its MAC. */
export const EXTRA_BYTES = 17;
const MAC_BYTES = 16;
const DOUBLE_ROUNDS = 10;
const BLOCK = 64;
/** Bits of a tag. */
export const REKEY = 2;

/** The place of the working memory in the list of secrets. */
const WORK = 3;
/** The most working memory that is kept for the next message; a longer message has memory of its own. */
const KEPT_BYTES = 135_168;

/** "expand 32-byte k" */
const SIGMA = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574];

/** Zeros after the ciphertext, and two lengths. */
const LENGTHS_BYTES = 32;

/** Where the ciphertext is in the input of the MAC: after the additional data, zeros up to whole blocks, and the tag's block. */
const messageAt = (adLength: number): number => adLength + ((16 - (adLength & 15)) & 15) + BLOCK;

/**
 * Whether the kernels of the AEAD compute the MAC of a message of this length. Behind the ciphertext it has as many zeros as the
 * message has bytes beyond whole blocks, not as many as are missing: a slip of the original, which is the format now. For these
 * lengths the two numbers are equal. For others the lengths after the zeros end within a block, and only the kernel of Poly1305
 * absorbs a part of a block; its accumulator cannot be taken over from the AEAD's kernel, because nothing says that both run on one
 * engine. So cipher and MAC run apart there, which takes 1.5 times as long for 64 KiB.
 */
const isWoven = (length: number): boolean => (length & 7) === 0;

const high = (length: number): number => floor(length / 2 ** 32);
type Kernel = ReturnType<typeof messageInstance>;

/** Writes HChaCha20 of a key and the first 16 bytes of a header. */
function writeSubkey(to: Uint8Array, key: Uint8Array, header: Uint8Array): void {
  lend(messageInstance(0), STATE, STAGE, (kernel) => {
    for (let i = 0; i < 4; i++) writeWord(kernel.memory, STATE + 4 * i, SIGMA[i]);
    kernel.write(INPUT, KEY_BYTES, key);
    kernel.write(INPUT + LAST_ROW, 16, part(header, 0, 16));
    kernel.run.extend(DOUBLE_ROUNDS);
    kernel.read(INPUT, KEY_BYTES, to);
  });
}

/** Little-endian, 64 bits. */
function writeLength(to: Uint8Array, at: number, length: number): void {
  for (let i = 0; i < 8; i++, length = floor(length / 256)) to[at + i] = length % 256;
}

export class SecretstreamState {
  /** Key and nonce as the kernels want them; their counter of blocks is zero. */
  readonly #input = new Bytes(INPUT_BYTES);
  readonly #key = part(this.#input, 0, KEY_BYTES);
  /** The counter, 32 bits little-endian, and 8 bytes that depend on all messages before. */
  readonly #nonce = part(this.#input, LAST_ROW + 4, 12);
  /** Block 0 of the keystream, for the MAC's key, and block 1, for the tag. */
  readonly #head = new Bytes(2 * BLOCK);
  readonly #mac = new Bytes(MAC_BYTES);
  /** All of these, and the working memory: the whole input of the MAC. */
  readonly secrets: Uint8Array[] = [this.#input, this.#mac, this.#head, new Bytes(0)];

  /**
   * @param key - 32 bytes.
   * @param header - 24 bytes.
   * @param counter - That of the first message; another than 1 is for tests only.
   */
  constructor(key: Uint8Array, header: Uint8Array, counter = 1) {
    writeSubkey(this.#key, key, header);
    copyBytes(this.#nonce, part(header, 16, 8), 4);
    for (let i = 0; i < 4; i++) this.#nonce[i] = counter >>> (8 * i);
  }

  /** Encrypts a message of `length` bytes into `out`, which is 17 bytes longer and may overlap it. */
  seal(tag: number, ad: Uint8Array, adLength: number, message: Uint8Array, length: number, out: Uint8Array): void {
    const additional = part(ad, 0, adLength);
    if (isWoven(length)) this.#sealWoven(tag, additional, message, length, out);
    else this.#sealApart(tag, additional, message, length, out);
    this.#advance(tag);
  }

  /**
   * Decrypts a message of `length` bytes into `out`, which may overlap the ciphertext.
   *
   * @returns Its tag; undefined if it is not authentic, and then nothing is written.
   */
  open(ad: Uint8Array, adLength: number, sealed: Uint8Array, length: number, out: Uint8Array): number | undefined {
    const additional = part(ad, 0, adLength);
    const tag = isWoven(length)
      ? this.#openWoven(additional, sealed, length, out)
      : this.#openApart(additional, sealed, length, out);
    if (tag !== undefined) this.#advance(tag);
    return tag;
  }

  #sealWoven(tag: number, ad: Uint8Array, message: Uint8Array, length: number, out: Uint8Array): void {
    const adLength = byteLengthOf(ad);
    // Ciphertext may stay, but for the block of the tag, whose 63 zeros are keystream now.
    const to = STAGE + min(BLOCK + adLength, STAGE_BYTES) + MARGIN;
    lend(messageInstance(BLOCK + length + adLength), SETS, to, (kernel) => {
      const { memory, run } = kernel;
      this.#begin(kernel, ad, adLength);
      memory[STAGE] = tag;
      run.xor(CONTINUE, DOUBLE_ROUNDS, STAGE, 1);
      run.absorb(STAGE, BLOCK);
      const first = memory[STAGE];
      throughStage(kernel, STAGE, STAGE_BYTES, message, length, part(out, 1, length), (size) => {
        run.encrypt(0, 0, size);
        kernel.wipe(STAGE + size, STAGE + size + MARGIN);
      });
      run.finish(adLength | 0, high(adLength), (BLOCK + length) | 0, high(BLOCK + length), STAGE);
      out[0] = first;
      kernel.read(STAGE, MAC_BYTES, out, 1 + length);
      kernel.read(STAGE, MAC_BYTES, this.#mac);
    });
  }

  #openWoven(ad: Uint8Array, sealed: Uint8Array, length: number, out: Uint8Array): number | undefined {
    const adLength = byteLengthOf(ad);
    // A long message is decrypted in a second pass, so bytes that another thread may change are copied.
    const long = length > STAGE_BYTES;
    const steady = long && isShared(sealed) ? copyOf(sealed, length + EXTRA_BYTES) : sealed;
    const text = part(steady, 1, length);
    const to = STAGE + min(BLOCK + length + adLength, STAGE_BYTES) + MARGIN;
    return lend(messageInstance(BLOCK + length + adLength), SETS, to, (kernel) => {
      const { memory, run } = kernel;
      kernel.write(TAG, MAC_BYTES, part(steady, 1 + length, MAC_BYTES));
      const first = steady[0];
      this.#begin(kernel, ad, adLength);
      memory[STAGE] = first;
      run.xor(CONTINUE, DOUBLE_ROUNDS, STAGE, 1);
      const tag = memory[STAGE];
      memory[STAGE] = first;
      run.absorb(STAGE, BLOCK);
      throughStage(kernel, STAGE, STAGE_BYTES, text, length, undefined, (size) => {
        if (long) run.absorb(STAGE, size);
        else run.decrypt(size);
      });
      run.finish(adLength | 0, high(adLength), (BLOCK + length) | 0, high(BLOCK + length), HEAD + MAC_BYTES);
      if (run.verify(HEAD + MAC_BYTES) !== 1) return undefined;
      kernel.read(TAG, MAC_BYTES, this.#mac);
      if (!long) kernel.read(STAGE, length, out);
      else {
        this.#begin(kernel, ad, 0);
        run.xor(CONTINUE, DOUBLE_ROUNDS, STAGE, 1);
        throughStage(kernel, STAGE, STAGE_BYTES, text, length, out, (size) =>
          run.xor(CONTINUE, DOUBLE_ROUNDS, STAGE, (size + BLOCK - 1) >>> 6),
        );
      }
      return tag;
    });
  }

  /** Starts the MAC of a message with its additional data, and clears the place of the tag's block. */
  #begin(kernel: Kernel, ad: Uint8Array, adLength: number): void {
    kernel.write(INPUT, INPUT_BYTES, this.#input);
    kernel.run.begin(PLAIN);
    throughStage(kernel, STAGE, STAGE_BYTES, ad, adLength, undefined, (size) => kernel.run.absorb(STAGE, size));
    kernel.wipe(STAGE, STAGE + BLOCK);
  }

  #sealApart(tag: number, ad: Uint8Array, message: Uint8Array, length: number, out: Uint8Array): void {
    const adLength = byteLengthOf(ad);
    const at = messageAt(adLength);
    const work = this.#room(at + length + LENGTHS_BYTES);
    this.#lend(work, at, () => {
      const head = this.#stream(tag);
      const ciphertext = part(work, at, length);
      chacha20(this.#key, this.#nonce, message, ciphertext, 2);
      const mac = this.#macOf(work, ad, adLength, length, head[BLOCK]);
      out[0] = head[BLOCK];
      copyBytes(out, ciphertext, 1);
      copyBytes(out, mac, 1 + length);
    });
  }

  #openApart(ad: Uint8Array, sealed: Uint8Array, length: number, out: Uint8Array): number | undefined {
    const adLength = byteLengthOf(ad);
    const at = messageAt(adLength);
    const work = this.#room(at + length + LENGTHS_BYTES);
    return this.#lend(work, at, () => {
      // The ciphertext is read once: bytes that another thread may change are authenticated as they are decrypted.
      const ciphertext = part(work, at, length);
      copyBytes(ciphertext, part(sealed, 1, length));
      const claimed = copyOf(part(sealed, 1 + length, MAC_BYTES), MAC_BYTES);
      const first = sealed[0];
      const head = this.#stream(0);
      const mac = this.#macOf(work, ad, adLength, length, first);
      if (!equalBytes(mac, claimed)) return undefined;
      const tag = head[BLOCK] ^ first;
      chacha20(this.#key, this.#nonce, ciphertext, out, 2);
      return tag;
    });
  }

  /** Takes a new key from the keystream of this one. */
  rekey(): void {
    lend(messageInstance(BLOCK), SETS, STAGE + BLOCK + MARGIN, (kernel) => {
      kernel.write(INPUT, INPUT_BYTES, this.#input);
      kernel.write(STAGE, KEY_BYTES, this.#key);
      kernel.write(STAGE + KEY_BYTES, 8, part(this.#nonce, 4, 8));
      kernel.run.xor(PLAIN, DOUBLE_ROUNDS, STAGE, 1);
      kernel.read(STAGE, KEY_BYTES, this.#key);
      kernel.read(STAGE + KEY_BYTES, 8, this.#nonce, 4);
    });
    fillBytes(this.#nonce, 0, 0, 4);
    this.#nonce[0] = 1;
  }

  wipe(): void {
    for (let i = 0; i < this.secrets.length; i++) fillBytes(this.secrets[i], 0);
  }

  /** Bytes to work in. */
  #room(length: number): Uint8Array {
    if (byteLengthOf(this.secrets[WORK]) < length) this.secrets[WORK] = new Bytes(length);
    return this.secrets[WORK];
  }

  /** Lends the working memory to a function, then wipes its first `to` bytes, and the head. Long memory is not kept. */
  #lend<Result>(memory: Uint8Array, to: number, work: () => Result): Result {
    const result = lend({ memory, secrets: 0 }, 0, to, () =>
      lend({ memory: this.#head, secrets: 0 }, 0, 2 * BLOCK, work),
    );
    if (byteLengthOf(memory) > KEPT_BYTES) this.secrets[WORK] = new Bytes(0);
    return result;
  }

  /** The first two blocks of the keystream, with the tag XORed onto the second. */
  #stream(tag: number): Uint8Array {
    const head = this.#head;
    head[BLOCK] = tag;
    return chacha20(this.#key, this.#nonce, head, head);
  }

  /** The MAC of a message. */
  #macOf(work: Uint8Array, ad: Uint8Array, adLength: number, length: number, first: number): Uint8Array {
    const at = messageAt(adLength);
    fillBytes(work, 0, 0, at);
    copyBytes(work, ad);
    copyBytes(work, part(this.#head, BLOCK, BLOCK), at - BLOCK);
    work[at - BLOCK] = first;
    const end = at + length;
    const lengths = end + (length & 15);
    fillBytes(work, 0, end, lengths);
    writeLength(work, lengths, adLength);
    writeLength(work, lengths + 8, BLOCK + length);
    const mac = poly1305(part(work, 0, lengths + 16), part(this.#head, 0, 32));
    copyBytes(this.#mac, mac);
    return mac;
  }

  /** Goes on to the next message; also to a new key, if the tag asks for it or the counter has come to its end. */
  #advance(tag: number): void {
    const nonce = this.#nonce;
    for (let i = 0; i < 8; i++) nonce[4 + i] ^= this.#mac[i];
    let carry = 1;
    for (let i = 0; i < 4; i++) {
      carry += nonce[i];
      nonce[i] = carry;
      carry >>>= 8;
    }
    if (carry || tag & REKEY) this.rekey();
  }
}
