/** The variants of Salsa20, each a set of parameters: nonce, counter, rounds. */
import { binding, salsaInstance } from './binding.ts';
import { secretboxChachaInstance } from './xchacha-binding.ts';
import { secretboxOf, type SecretboxCipher } from './secretbox.ts';
import { refuseSurplus } from '../calls/checks.ts';
import { streamCipher, type Cipher, type StreamCipher } from '../keystream/cipher.ts';
import { extendWords } from '../keystream/subkey.ts';

const original = (rounds: Cipher['rounds']): StreamCipher =>
  streamCipher({ binding, rounds, nonceLength: 8, counterBits: 64, shortKeys: true });
const extended = (rounds: Cipher['rounds']): StreamCipher =>
  streamCipher({ binding, rounds, nonceLength: 24, counterBits: 64, shortKeys: false });

/**
 * Salsa20 ("Salsa20 specification", 2005, §10): key 32 or 16 bytes, nonce 8, a counter of 64 bits.
 *
 * Unauthenticated: take {@link secretbox} unless a protocol asks for this. A nonce of 8 bytes is too short to be random.
 *
 * @throws TypeError, RangeError: see {@link StreamCipher}.
 * @example
 * ```ts
 * import { salsa20, randomBytes } from 'lanewise/salsa.js';
 * const key = randomBytes(32), nonce = new Uint8Array(8); // message number 0 under this key
 * const ciphertext = salsa20(key, nonce, new Uint8Array([1, 2, 3]));
 * const plaintext = salsa20(key, nonce, ciphertext); // 1, 2, 3
 * const stream = salsa20.stream(key, nonce);
 * stream.seek(1).update(ciphertext.subarray(1)); // 2, 3
 * ```
 */
export const salsa20: StreamCipher = /* @__PURE__ */ original(20);

/**
 * Salsa20/12 of the eSTREAM portfolio: 12 rounds, otherwise {@link salsa20}.
 * @throws TypeError, RangeError: see {@link StreamCipher}.
 * @example
 * ```ts
 * import { salsa12, randomBytes } from 'lanewise/salsa.js';
 * const ciphertext = salsa12(randomBytes(32), new Uint8Array(8), new Uint8Array(100));
 * ```
 */
export const salsa12: StreamCipher = /* @__PURE__ */ original(12);

/**
 * Salsa20/8: 8 rounds, otherwise {@link salsa20}.
 * @throws TypeError, RangeError: see {@link StreamCipher}.
 * @example
 * ```ts
 * import { salsa8, randomBytes } from 'lanewise/salsa.js';
 * const data = salsa8(randomBytes(16), new Uint8Array(8), new Uint8Array(100), undefined, 2n ** 40n);
 * ```
 */
export const salsa8: StreamCipher = /* @__PURE__ */ original(8);

/**
 * XSalsa20 ("Extending the Salsa20 nonce", 2011, §2): key 32 bytes, nonce 24, long enough to be random; a counter of 64 bits.
 * @throws TypeError, RangeError: see {@link StreamCipher}.
 * @example
 * ```ts
 * import { xsalsa20, randomBytes } from 'lanewise/salsa.js';
 * const data = new TextEncoder().encode('in place');
 * xsalsa20(randomBytes(32), randomBytes(24), data, data);
 * ```
 */
export const xsalsa20: StreamCipher = /* @__PURE__ */ extended(20);

/**
 * XSalsa20 with 12 rounds (and HSalsa20/12 for the subkey), otherwise {@link xsalsa20}.
 * @throws TypeError, RangeError: see {@link StreamCipher}.
 * @example
 * ```ts
 * import { xsalsa12, randomBytes } from 'lanewise/salsa.js';
 * const data = xsalsa12(randomBytes(32), randomBytes(24), new Uint8Array(100));
 * ```
 */
export const xsalsa12: StreamCipher = /* @__PURE__ */ extended(12);

/**
 * XSalsa20 with 8 rounds (and HSalsa20/8 for the subkey), otherwise {@link xsalsa20}.
 * @throws TypeError, RangeError: see {@link StreamCipher}.
 * @example
 * ```ts
 * import { xsalsa8, randomBytes } from 'lanewise/salsa.js';
 * const data = xsalsa8(randomBytes(32), randomBytes(24), new Uint8Array(100));
 * ```
 */
export const xsalsa8: StreamCipher = /* @__PURE__ */ extended(8);

/**
 * XSalsa20-Poly1305, NaCl's `crypto_secretbox` ("Cryptography in NaCl", 2009, §9): key 32 bytes, nonce 24, tag 16 in front
 * of the ciphertext. There are no additional data.
 *
 * @throws TypeError, RangeError: see {@link SecretboxCipher}; `decrypt` throws Error `invalid tag`.
 * @example
 * ```ts
 * import { xsalsa20poly1305, randomBytes } from 'lanewise/salsa.js';
 * const key = randomBytes(32), nonce = randomBytes(24);
 * const ciphertext = xsalsa20poly1305(key, nonce).encrypt(new TextEncoder().encode('hello'));
 * const plaintext = xsalsa20poly1305(key, nonce).decrypt(ciphertext);
 * ```
 */
export const xsalsa20poly1305: SecretboxCipher = /* @__PURE__ */ secretboxOf(salsaInstance);

/**
 * {@link xsalsa20poly1305} by NaCl's name. {@link managedNonce} makes the nonces.
 *
 * @throws TypeError, RangeError: see {@link SecretboxCipher}; `open` throws Error `invalid tag`.
 * @example
 * ```ts
 * import { secretbox, randomBytes } from 'lanewise/salsa.js';
 * const key = randomBytes(32), nonce = randomBytes(24);
 * const box = secretbox(key, nonce).seal(new TextEncoder().encode('hello'));
 * const plaintext = secretbox(key, nonce).open(box);
 * ```
 */
export const secretbox: SecretboxCipher = xsalsa20poly1305;

/**
 * The layout of {@link secretbox} with XChaCha20, as libsodium's `crypto_secretbox_xchacha20poly1305_easy` has it. Not the
 * AEAD of chacha.js, which has its tag after the ciphertext, and more under it.
 *
 * @throws TypeError, RangeError: see {@link SecretboxCipher}; `open` throws Error `invalid tag`.
 * @example
 * ```ts
 * import { secretbox_xchacha20poly1305, randomBytes } from 'lanewise/salsa.js';
 * const key = randomBytes(32), nonce = randomBytes(24);
 * const box = secretbox_xchacha20poly1305(key, nonce).seal(new TextEncoder().encode('hello'));
 * const plaintext = secretbox_xchacha20poly1305(key, nonce).open(box);
 * ```
 */
export const secretbox_xchacha20poly1305: SecretboxCipher = /* @__PURE__ */ secretboxOf(secretboxChachaInstance);

/**
 * HSalsa20 ("Extending the Salsa20 nonce", 2011, §2), on little-endian words: a subkey of 8 words from constants, key and the
 * first 16 bytes of a nonce. For building protocols; {@link xsalsa20} does it by itself.
 *
 * @param constants - 4 words: `expand 32-byte k`.
 * @param key - 8 words.
 * @param input - 4 words.
 * @param out - 8 words, which are overwritten.
 * @throws TypeError if an argument isn't a Uint32Array, RangeError if it has another length.
 * @example
 * ```ts
 * import { hsalsa } from 'lanewise/salsa.js';
 * const constants = new Uint32Array([0x61707865, 0x3320646e, 0x79622d32, 0x6b206574]);
 * const subkey = new Uint32Array(8);
 * hsalsa(constants, new Uint32Array(8), new Uint32Array(4), subkey);
 * ```
 */
export function hsalsa(constants: Uint32Array, key: Uint32Array, input: Uint32Array, out: Uint32Array): void {
  refuseSurplus(arguments, 4);
  extendWords(salsaInstance, constants, key, input, out);
}
