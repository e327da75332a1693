/**
 * Lanewise: symmetric cryptography at the speed of 128-bit SIMD.
 *
 * The root exports everything that the modules below export. Bundlers leave unused code out, so a bundle has the same bytes
 * whether it imports from the root or from these modules. Without a bundler, import from these modules, which load less:
 *
 * | import | exports |
 * |---|---|
 * | `lanewise/box.js` | one box for messages, fields and files, under a key or a keyring |
 * | `lanewise/chacha.js` | ChaCha20, XChaCha20, and their AEADs with Poly1305 |
 * | `lanewise/siv.js` | ChaCha20-Poly1305-SIV, which resists repeated nonces and commits to its key |
 * | `lanewise/poly1305.js` | Poly1305 alone |
 * | `lanewise/blake2.js` | BLAKE2b and BLAKE2s, with key, salt and personalization |
 * | `lanewise/blake3.js` | BLAKE3 |
 * | `lanewise/sha2.js` | SHA-2, HMAC, HKDF, PBKDF2; the root exports it as `sha2` |
 * | `lanewise/bao.js` | verified streaming: contents and ranges of them proven against a BLAKE3 hash; the root exports it as `bao` |
 * | `lanewise/salsa.js` | Salsa20, XSalsa20, secretbox |
 * | `lanewise/nacl.js` | secretbox with TweetNaCl's function names and arguments; the root exports it as `nacl` |
 * | `lanewise/serpent.js` | Serpent in OCB, CTR, CBC and ECB mode |
 * | `lanewise/disk.js` | Adiantum and HPolyC for pages and sectors, encrypted files |
 * | `lanewise/random.js` | ChaCha8Rand: reproducible random numbers, the same as Go's |
 * | `lanewise/scrypt.js` | scrypt: keys from passwords, in slices or at once |
 * | `lanewise/argon2.js` | Argon2id, Argon2i, Argon2d: keys from passwords, in slices or at once |
 * | `lanewise/stream.js` | authenticated streams of any size, in three formats |
 * | `lanewise/stream-node.js` | the same as Transforms of Node; not in the root |
 * | `lanewise/pool.js` | the same on all cores; not in the root, because bundlers make a file for the worker |
 * | `lanewise/engine.js` | the engine that runs, and the reason; the root exports it as `engine` |
 * | `lanewise/utils.js` | random bytes, comparison, hex |
 * @module
 */
export * from './argon2.ts';
export * from './blake2.ts';
export * from './blake3.ts';
export * from './box.ts';
export * from './chacha.ts';
export * from './disk.ts';
export * from './poly1305.ts';
export * from './random.ts';
export * from './salsa.ts';
export * from './scrypt.ts';
export * from './serpent.ts';
export * from './siv.ts';
export * from './stream.ts';
export * from './utils.ts';
export * as bao from './bao.ts';
export * as engine from './engine.ts';
export { default as nacl } from './nacl.ts';
export * as sha2 from './sha2.ts';

/**
 * The version of the package.
 * @example
 * ```ts
 * import { version } from 'lanewise';
 * console.log(version);
 * ```
 */
export const version = '0.1.0';
