/**
 * Lanewise: symmetric cryptography at the speed of 128-bit SIMD.
 *
 * The root exports everything that the doors export, and bundlers leave out unused exports: a bundle has the same bytes
 * whichever is imported. Without a bundler, import from a door, which loads less:
 *
 * | import | what |
 * |---|---|
 * | `lanewise/chacha.js` | ChaCha20, XChaCha20, and their AEADs with Poly1305 |
 * | `lanewise/siv.js` | ChaCha20-Poly1305-SIV, which forgives a repeated nonce and commits to its key |
 * | `lanewise/poly1305.js` | Poly1305 alone |
 * | `lanewise/blake3.js` | BLAKE3 |
 * | `lanewise/salsa.js` | Salsa20, XSalsa20, secretbox |
 * | `lanewise/nacl.js` | secretbox as TweetNaCl's users call it; here `nacl` |
 * | `lanewise/serpent.js` | Serpent in OCB, CTR, CBC and ECB mode |
 * | `lanewise/disk.js` | Adiantum and HPolyC for pages and sectors, encrypted files |
 * | `lanewise/random.js` | ChaCha8Rand: random numbers that can be repeated, those of Go |
 * | `lanewise/stream.js` | streams of any size, in three formats |
 * | `lanewise/engine.js` | which engine runs, and why; here `engine` |
 * | `lanewise/utils.js` | random bytes, comparison, hex |
 * @module
 */
export * from './blake3.ts';
export * from './chacha.ts';
export * from './disk.ts';
export * from './poly1305.ts';
export * from './random.ts';
export * from './salsa.ts';
export * from './serpent.ts';
export * from './siv.ts';
export * from './stream.ts';
export * from './utils.ts';
export * as engine from './engine.ts';
export { default as nacl } from './nacl.ts';

/**
 * The version of the package.
 * @example
 * ```ts
 * import { version } from 'lanewise';
 * console.log(version);
 * ```
 */
export const version = '0.1.0';
