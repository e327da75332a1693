/** The variants of ChaCha, each a set of parameters: nonce, counter, rounds. */
import { Aead, TAG_BYTES } from '../calls/aead.ts';
import { ChaChaPoly1305 } from './aead.ts';
import { chachaInstance, binding } from './binding.ts';
import { refuseSurplus } from '../calls/checks.ts';
import { streamCipher, type Cipher, type StreamCipher } from '../keystream/cipher.ts';
import { extendWords } from '../keystream/subkey.ts';

const ietf = (rounds: Cipher['rounds']): StreamCipher =>
  streamCipher({ binding, rounds, nonceLength: 12, counterBits: 32, shortKeys: false });
const original = (rounds: Cipher['rounds']): StreamCipher =>
  streamCipher({ binding, rounds, nonceLength: 8, counterBits: 64, shortKeys: true });
const extended = (rounds: Cipher['rounds']): StreamCipher =>
  streamCipher({ binding, rounds, nonceLength: 24, counterBits: 64, shortKeys: false });

/**
 * ChaCha20 of RFC 8439 §2.4: key 32 bytes, nonce 12, a counter of 32 bits, so at most 256 GiB.
 *
 * Unauthenticated: use {@link xchacha20poly1305} unless a protocol requires this.
 *
 * @throws TypeError, RangeError: see {@link StreamCipher}.
 * @example
 * ```ts
 * import { chacha20, randomBytes } from 'lanewise/chacha.js';
 * const key = randomBytes(32), nonce = randomBytes(12);
 * const ciphertext = chacha20(key, nonce, new Uint8Array([1, 2, 3]));
 * const plaintext = chacha20(key, nonce, ciphertext); // 1, 2, 3
 * const stream = chacha20.stream(key, nonce);
 * stream.seek(1).update(ciphertext.subarray(1)); // 2, 3
 * ```
 */
export const chacha20: StreamCipher = /* @__PURE__ */ ietf(20);

/**
 * ChaCha with 12 rounds, otherwise {@link chacha20}.
 * @throws TypeError, RangeError: see {@link StreamCipher}.
 * @example
 * ```ts
 * import { chacha12, randomBytes } from 'lanewise/chacha.js';
 * const ciphertext = chacha12(randomBytes(32), randomBytes(12), new Uint8Array(100));
 * ```
 */
export const chacha12: StreamCipher = /* @__PURE__ */ ietf(12);

/**
 * ChaCha with 8 rounds, otherwise {@link chacha20}.
 * @throws TypeError, RangeError: see {@link StreamCipher}.
 * @example
 * ```ts
 * import { chacha8, randomBytes } from 'lanewise/chacha.js';
 * const ciphertext = chacha8(randomBytes(32), randomBytes(12), new Uint8Array(100));
 * ```
 */
export const chacha8: StreamCipher = /* @__PURE__ */ ietf(8);

/**
 * The original ChaCha20 ("ChaCha, a variant of Salsa20", 2008): nonce 8 bytes, a counter of 64 bits; keys of 32 or 16
 * bytes.
 * @throws TypeError, RangeError: see {@link StreamCipher}.
 * @example
 * ```ts
 * import { chacha20orig, randomBytes } from 'lanewise/chacha.js';
 * const data = chacha20orig(randomBytes(32), randomBytes(8), new Uint8Array(100), undefined, 2n ** 40n);
 * ```
 */
export const chacha20orig: StreamCipher = /* @__PURE__ */ original(20);

/**
 * The original ChaCha with 12 rounds, otherwise {@link chacha20orig}.
 * @throws TypeError, RangeError: see {@link StreamCipher}.
 * @example
 * ```ts
 * import { chacha12orig, randomBytes } from 'lanewise/chacha.js';
 * const data = chacha12orig(randomBytes(32), randomBytes(8), new Uint8Array(100));
 * ```
 */
export const chacha12orig: StreamCipher = /* @__PURE__ */ original(12);

/**
 * The original ChaCha with 8 rounds, otherwise {@link chacha20orig}.
 * @throws TypeError, RangeError: see {@link StreamCipher}.
 * @example
 * ```ts
 * import { chacha8orig, randomBytes } from 'lanewise/chacha.js';
 * const data = chacha8orig(randomBytes(32), randomBytes(8), new Uint8Array(100));
 * ```
 */
export const chacha8orig: StreamCipher = /* @__PURE__ */ original(8);

/**
 * XChaCha20 (draft-irtf-cfrg-xchacha-03 §2.3): nonce 24 bytes, long enough to be random; a counter of 64 bits, as in
 * libsodium (the draft's 32 are the same below 2^32).
 * @throws TypeError, RangeError: see {@link StreamCipher}.
 * @example
 * ```ts
 * import { xchacha20, randomBytes } from 'lanewise/chacha.js';
 * const data = new TextEncoder().encode('in place');
 * xchacha20(randomBytes(32), randomBytes(24), data, data);
 * ```
 */
export const xchacha20: StreamCipher = /* @__PURE__ */ extended(20);

/**
 * XChaCha with 12 rounds (and HChaCha12 for the subkey), as in HPolyC and Adiantum; otherwise {@link xchacha20}.
 * @throws TypeError, RangeError: see {@link StreamCipher}.
 * @example
 * ```ts
 * import { xchacha12, randomBytes } from 'lanewise/chacha.js';
 * const data = xchacha12(randomBytes(32), randomBytes(24), new Uint8Array(4096));
 * ```
 */
export const xchacha12: StreamCipher = /* @__PURE__ */ extended(12);

/**
 * XChaCha with 8 rounds (and HChaCha8 for the subkey), otherwise {@link xchacha20}.
 * @throws TypeError, RangeError: see {@link StreamCipher}.
 * @example
 * ```ts
 * import { xchacha8, randomBytes } from 'lanewise/chacha.js';
 * const data = xchacha8(randomBytes(32), randomBytes(24), new Uint8Array(4096));
 * ```
 */
export const xchacha8: StreamCipher = /* @__PURE__ */ extended(8);

/** Makes the object that encrypts or decrypts one message: {@link chacha20poly1305}, {@link xchacha20poly1305}. */
export interface AeadCipher {
  /**
   * @param key - 32 bytes; copied.
   * @param nonce - `nonceLength` bytes, never used twice with one key; copied.
   * @param AAD - Additional data, authenticated with the message but not sent with it; copied.
   * @throws TypeError or RangeError if an argument isn't of that form.
   */
  (key: Uint8Array, nonce: Uint8Array, AAD?: Uint8Array): Aead;
  /** 64 bytes. */
  readonly blockSize: number;
  /** In bytes. */
  readonly nonceLength: number;
  /** 16 bytes. */
  readonly tagLength: number;
}

const aead = (nonceLength: 12 | 24): AeadCipher =>
  Object.freeze(
    Object.assign(
      function (key: Uint8Array, nonce: Uint8Array, AAD?: Uint8Array): Aead {
        refuseSurplus(arguments, 3);
        return new Aead(new ChaChaPoly1305(nonceLength, key, nonce, AAD));
      },
      { blockSize: 64, nonceLength, tagLength: TAG_BYTES },
    ),
  );

/**
 * ChaCha20-Poly1305, RFC 8439 §2.8: key 32 bytes, nonce 12, tag 16 after the ciphertext.
 *
 * A nonce of 12 bytes is too short to be random: count, or use {@link xchacha20poly1305}.
 *
 * @throws TypeError, RangeError: see {@link AeadCipher}; `decrypt` throws Error `invalid tag`.
 * @example
 * ```ts
 * import { chacha20poly1305, randomBytes } from 'lanewise/chacha.js';
 * const key = randomBytes(32);
 * const nonce = new Uint8Array(12); // message number 0 under this key
 * const ciphertext = chacha20poly1305(key, nonce).encrypt(new TextEncoder().encode('hello'));
 * const plaintext = chacha20poly1305(key, nonce).decrypt(ciphertext);
 * ```
 */
export const chacha20poly1305: AeadCipher = /* @__PURE__ */ aead(12);

/**
 * XChaCha20-Poly1305, draft-irtf-cfrg-xchacha-03 §2: key 32 bytes, nonce 24, tag 16 after the ciphertext.
 *
 * @throws TypeError, RangeError: see {@link AeadCipher}; `decrypt` throws Error `invalid tag`.
 * @example
 * ```ts
 * import { xchacha20poly1305, randomBytes } from 'lanewise/chacha.js';
 * const key = randomBytes(32), nonce = randomBytes(24);
 * const header = new TextEncoder().encode('authenticated, not encrypted');
 * const ciphertext = xchacha20poly1305(key, nonce, header).encrypt(new TextEncoder().encode('hello'));
 * const plaintext = xchacha20poly1305(key, nonce, header).decrypt(ciphertext);
 * ```
 */
export const xchacha20poly1305: AeadCipher = /* @__PURE__ */ aead(24);

/**
 * HChaCha20 (draft-irtf-cfrg-xchacha-03 §2.2), on little-endian words: a subkey of 8 words from constants, key and the
 * first 16 bytes of a nonce. For building protocols; {@link xchacha20} derives its subkey itself.
 *
 * @param constants - 4 words: `expand 32-byte k`.
 * @param key - 8 words.
 * @param input - 4 words.
 * @param out - 8 words, which are overwritten.
 * @throws TypeError if an argument isn't a Uint32Array, RangeError if it has another length.
 * @example
 * ```ts
 * import { hchacha } from 'lanewise/chacha.js';
 * const constants = new Uint32Array([0x61707865, 0x3320646e, 0x79622d32, 0x6b206574]);
 * const subkey = new Uint32Array(8);
 * hchacha(constants, new Uint32Array(8), new Uint32Array(4), subkey);
 * ```
 */
export function hchacha(constants: Uint32Array, key: Uint32Array, input: Uint32Array, out: Uint32Array): void {
  refuseSurplus(arguments, 4);
  extendWords(chachaInstance, constants, key, input, out);
}
