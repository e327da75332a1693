/**
 * libsodium's crypto_secretstream_xchacha20poly1305, written plainly: each message is encrypted by the whole keystream of its
 * nonce, whose block 0 has the key of the MAC, block 1 encrypts the tag and 63 zeros, and the message follows.
 */
import { concat } from './bytes.ts';

export interface Primitives {
  hchacha20(key: Uint8Array, input: Uint8Array): Uint8Array;
  /** XORs the keystream from block 0 on. */
  chacha20(key: Uint8Array, nonce: Uint8Array, data: Uint8Array): Uint8Array;
  poly1305(message: Uint8Array, key: Uint8Array): Uint8Array;
}

const BLOCK = 64;
const REKEY = 2;

function littleEndian(value: number, length: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(value), true);
  return new Uint8Array(view.buffer, 0, length);
}

export class SecretstreamModel {
  readonly #primitives: Primitives;
  #key: Uint8Array;
  #counter: number;
  #inonce: Uint8Array;

  constructor(primitives: Primitives, key: Uint8Array, header: Uint8Array, counter = 1) {
    this.#primitives = primitives;
    this.#key = primitives.hchacha20(key, header.subarray(0, 16));
    this.#counter = counter;
    this.#inonce = header.slice(16);
  }

  #xor(data: Uint8Array): Uint8Array {
    return this.#primitives.chacha20(this.#key, concat(littleEndian(this.#counter, 4), this.#inonce), data);
  }

  push(message: Uint8Array, ad: Uint8Array, tag: number): Uint8Array {
    const block = new Uint8Array(BLOCK);
    block[0] = tag;
    const stream = this.#xor(concat(new Uint8Array(BLOCK), block, message));
    const authenticated = concat(
      ad,
      new Uint8Array(-ad.length & 15),
      stream.subarray(BLOCK),
      // A slip of the original: as many zeros as there are bytes in the last block, not as many as are missing.
      new Uint8Array(message.length & 15),
      littleEndian(ad.length, 8),
      littleEndian(BLOCK + message.length, 8),
    );
    const mac = this.#primitives.poly1305(authenticated, stream.subarray(0, 32));
    this.#inonce = this.#inonce.map((byte, i) => byte ^ mac[i]);
    this.#counter = (this.#counter + 1) % 2 ** 32;
    if (tag & REKEY || this.#counter === 0) this.rekey();
    return concat(stream.subarray(BLOCK, BLOCK + 1), stream.subarray(2 * BLOCK), mac);
  }

  /** The message is encrypted again, and so compared with the sealed one. */
  pull(sealed: Uint8Array, ad: Uint8Array): { message: Uint8Array; tag: number } | undefined {
    if (sealed.length < 17) return undefined;
    const block = new Uint8Array(BLOCK);
    block[0] = sealed[0];
    const stream = this.#xor(concat(new Uint8Array(BLOCK), block, sealed.subarray(1, -16)));
    const [tag, message] = [stream[BLOCK], stream.subarray(2 * BLOCK)];
    const before = [this.#key, this.#counter, this.#inonce] as const;
    const again = this.push(message, ad, tag);
    if (again.every((byte, i) => byte === sealed[i])) return { message, tag };
    [this.#key, this.#counter, this.#inonce] = before;
    return undefined;
  }

  rekey(): void {
    const both = this.#xor(concat(this.#key, this.#inonce));
    this.#key = both.slice(0, 32);
    this.#inonce = both.slice(32);
    this.#counter = 1;
  }
}
