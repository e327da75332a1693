/**
 * Lanewise: symmetric cryptography at the speed of 128-bit SIMD. The root exports the version only; what there is:
 *
 * | import | what |
 * |---|---|
 * | `lanewise/chacha.js` | ChaCha20, XChaCha20, and their AEADs with Poly1305 |
 * | `lanewise/poly1305.js` | Poly1305 alone |
 * | `lanewise/blake3.js` | BLAKE3 |
 * | `lanewise/salsa.js` | Salsa20, XSalsa20, secretbox |
 * | `lanewise/nacl.js` | secretbox as TweetNaCl's users call it |
 * | `lanewise/serpent.js` | Serpent in OCB, CTR, CBC and ECB mode |
 * | `lanewise/engine.js` | which engine runs, and why |
 * | `lanewise/utils.js` | random bytes, comparison, hex |
 * @module
 */

/**
 * The version of the package.
 * @example
 * ```ts
 * import { version } from 'lanewise';
 * console.log(version);
 * ```
 */
export const version = '0.1.0';
