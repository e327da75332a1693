/**
 * BLAKE2b and BLAKE2s (RFC 7693): hashes and MACs with digests of any length up to 64 and 32 bytes, with salt and
 * personalization. New formats may prefer BLAKE3 of `lanewise/blake3.js`, which has lanes and is several times as fast.
 * @module
 */
export { blake2b, blake2s, type Blake2Function } from './blake2/function.ts';
export type { Blake2 } from './blake2/hasher.ts';
export type { Blake2Options } from './blake2/options.ts';
