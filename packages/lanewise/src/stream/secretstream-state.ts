/** One direction of libsodium's crypto_secretstream_xchacha20poly1305: a chain of messages, each under a nonce of its own. */
import { openOnce, sealOnce } from './once.ts';
import { equalBytes } from '../calls/bytes.ts';
import { lend } from '../calls/lifetime.ts';
import {
  byteLengthOf,
  Bytes,
  copyBytes,
  copyExactly,
  copyOf,
  fillBytes,
  floor,
  part,
  UnsignedWords,
} from '../engine/intrinsics.ts';
import { chacha20, hchacha } from '../chacha.ts';
import { poly1305 } from '../poly1305.ts';

export const KEY_BYTES = 32;
export const HEADER_BYTES = 24;
/** The bytes that encryption adds to a message: its tag, encrypted, and its MAC. */
export const EXTRA_BYTES = 17;
const MAC_BYTES = 16;
const BLOCK = 64;
/** Bits of a tag. */
export const REKEY = 2;

/** The most working memory that is kept for the next message; a longer message has memory of its own. */
const KEPT_BYTES = 135_168;

/** "expand 32-byte k" */
const SIGMA = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574];

/** Zeros behind the ciphertext, and two lengths. */
const LENGTHS_BYTES = 32;

/** Where the ciphertext is in the input of the MAC: behind the additional data, zeros up to whole blocks, and the tag's block. */
const messageAt = (adLength: number): number => adLength + ((16 - (adLength & 15)) & 15) + BLOCK;

/**
 * Whether a message of this length is one of the AEAD: that of RFC 8439 §2.8 with a block of the tag and 63 zeros in front of the
 * message differs only in the number of zeros that the MAC has behind the ciphertext, and for these lengths the two
 * numbers are equal.
 */
const isAead = (length: number): boolean => (length & 7) === 0;

/** HChaCha20 on bytes. */
function subkeyOf(key: Uint8Array, input: Uint8Array): Uint8Array {
  const words = (bytes: Uint8Array, count: number): Uint32Array => {
    const made = new UnsignedWords(count);
    for (let i = 0; i < 4 * count; i++) made[i >> 2] |= bytes[i] << (8 * (i & 3));
    return made;
  };
  const constants = new UnsignedWords(4);
  for (let i = 0; i < 4; i++) constants[i] = SIGMA[i];
  const keyWords = words(key, 8);
  const subkey = new UnsignedWords(8);
  hchacha(constants, keyWords, words(input, 4), subkey);
  const bytes = new Bytes(KEY_BYTES);
  for (let i = 0; i < KEY_BYTES; i++) bytes[i] = subkey[i >> 2] >>> (8 * (i & 3));
  fillBytes(keyWords as unknown as Uint8Array, 0);
  fillBytes(subkey as unknown as Uint8Array, 0);
  return bytes;
}

/** Little-endian, 64 bits. */
function writeLength(to: Uint8Array, at: number, length: number): void {
  for (let i = 0; i < 8; i++, length = floor(length / 256)) to[at + i] = length % 256;
}

export class SecretstreamState {
  readonly #key: Uint8Array;
  /** The counter, 32 bits little-endian, and 8 bytes that depend on all messages before. */
  readonly #nonce = new Bytes(12);
  /** Block 0 of the keystream, for the MAC's key, and block 1, for the tag. */
  readonly #head = new Bytes(2 * BLOCK);
  /** The working memory: a message with the tag's block in front of it, or the whole input of the MAC. */
  #work: Uint8Array = new Bytes(0);

  /**
   * @param key - 32 bytes.
   * @param header - 24 bytes.
   * @param counter - That of the first message; another than 1 is for tests only.
   */
  constructor(key: Uint8Array, header: Uint8Array, counter = 1) {
    this.#key = subkeyOf(key, header);
    copyBytes(this.#nonce, part(header, 16, 8), 4);
    for (let i = 0; i < 4; i++) this.#nonce[i] = counter >>> (8 * i);
  }

  /** Encrypts a message of `length` bytes into `out`, which is 17 bytes longer and may overlap it. */
  seal(tag: number, ad: Uint8Array, adLength: number, message: Uint8Array, length: number, out: Uint8Array): void {
    const additional = part(ad, 0, adLength);
    if (isAead(length)) this.#sealAead(tag, additional, message, length, out);
    else this.#sealApart(tag, additional, adLength, message, length, out);
  }

  /**
   * Decrypts a message of `length` bytes into `out`, which may overlap the ciphertext.
   *
   * @returns Its tag; undefined if it is not authentic, and then nothing is written.
   */
  open(ad: Uint8Array, adLength: number, sealed: Uint8Array, length: number, out: Uint8Array): number | undefined {
    const additional = part(ad, 0, adLength);
    return isAead(length)
      ? this.#openAead(additional, sealed, length, out)
      : this.#openApart(additional, adLength, sealed, length, out);
  }

  #sealAead(tag: number, ad: Uint8Array, message: Uint8Array, length: number, out: Uint8Array): void {
    const work = this.#room(BLOCK + length + MAC_BYTES);
    this.#lend(work, BLOCK, () => {
      copyExactly(work, BLOCK, message, length);
      fillBytes(work, 0, 0, BLOCK);
      work[0] = tag;
      sealOnce(this.#key, this.#nonce, ad, part(work, 0, BLOCK + length), part(work, 0, BLOCK + length + MAC_BYTES));
      out[0] = work[0];
      copyBytes(out, part(work, BLOCK, length + MAC_BYTES), 1);
      this.#advance(part(work, BLOCK + length, MAC_BYTES), tag);
    });
  }

  #openAead(ad: Uint8Array, sealed: Uint8Array, length: number, out: Uint8Array): number | undefined {
    const work = this.#room(BLOCK + length + MAC_BYTES);
    return this.#lend(work, BLOCK + length, () => {
      copyBytes(work, part(sealed, 0, 1));
      copyBytes(work, part(sealed, 1, length + MAC_BYTES), BLOCK);
      const head = this.#stream(0);
      const tag = head[BLOCK] ^ work[0];
      copyBytes(work, part(head, BLOCK + 1, BLOCK - 1), 1);
      const whole = part(work, 0, BLOCK + length + MAC_BYTES);
      if (!openOnce(this.#key, this.#nonce, ad, whole, part(work, 0, BLOCK + length))) return undefined;
      copyBytes(out, part(work, BLOCK, length));
      this.#advance(part(work, BLOCK + length, MAC_BYTES), tag);
      return tag;
    });
  }

  #sealApart(
    tag: number,
    ad: Uint8Array,
    adLength: number,
    message: Uint8Array,
    length: number,
    out: Uint8Array,
  ): void {
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
      this.#advance(mac, tag);
    });
  }

  #openApart(
    ad: Uint8Array,
    adLength: number,
    sealed: Uint8Array,
    length: number,
    out: Uint8Array,
  ): number | undefined {
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
      this.#advance(mac, tag);
      return tag;
    });
  }

  /** Takes a new key from the keystream of this one. */
  rekey(): void {
    const both = new Bytes(40);
    copyBytes(both, this.#key);
    copyBytes(both, part(this.#nonce, 4, 8), KEY_BYTES);
    chacha20(this.#key, this.#nonce, both, both);
    copyBytes(this.#key, part(both, 0, KEY_BYTES));
    copyBytes(this.#nonce, part(both, KEY_BYTES, 8), 4);
    fillBytes(both, 0);
    fillBytes(this.#nonce, 0, 0, 4);
    this.#nonce[0] = 1;
  }

  wipe(): void {
    fillBytes(this.#key, 0);
    fillBytes(this.#nonce, 0);
    fillBytes(this.#head, 0);
    fillBytes(this.#work, 0);
  }

  /** Bytes to work in. */
  #room(length: number): Uint8Array {
    if (byteLengthOf(this.#work) < length) this.#work = new Bytes(length);
    return this.#work;
  }

  /** Lends the working memory to a function, then wipes its first `to` bytes, and the head. Long memory is not kept. */
  #lend<Result>(memory: Uint8Array, to: number, work: () => Result): Result {
    const result = lend({ memory, secrets: 0 }, 0, to, () =>
      lend({ memory: this.#head, secrets: 0 }, 0, 2 * BLOCK, work),
    );
    if (byteLengthOf(memory) > KEPT_BYTES) this.#work = new Bytes(0);
    return result;
  }

  /** The first two blocks of the keystream, with the tag XORed onto the second. */
  #stream(tag: number): Uint8Array {
    const head = this.#head;
    head[BLOCK] = tag;
    return chacha20(this.#key, this.#nonce, head, head);
  }

  /**
   * The MAC of a message. Behind the ciphertext there are as many zeros as the message has bytes beyond whole blocks, not
   * as many as are missing: a slip of the original, which is the format now.
   */
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
    return poly1305(part(work, 0, lengths + 16), part(this.#head, 0, 32));
  }

  /** Goes on to the next message; also to a new key, if the tag asks for it or the counter has come to its end. */
  #advance(mac: Uint8Array, tag: number): void {
    const nonce = this.#nonce;
    for (let i = 0; i < 8; i++) nonce[4 + i] ^= mac[i];
    let carry = 1;
    for (let i = 0; i < 4; i++) {
      carry += nonce[i];
      nonce[i] = carry;
      carry >>>= 8;
    }
    if (carry || tag & REKEY) this.rekey();
  }
}
