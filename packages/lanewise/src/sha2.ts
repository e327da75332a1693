/**
 * SHA-2 (FIPS 180-4), with HMAC (RFC 2104), HKDF (RFC 5869) and PBKDF2 (RFC 8018), synchronous in every engine, in the shapes of
 * `@noble/hashes`: for protocols that name them. For a hash of your own choice take BLAKE3, which is faster; for passwords scrypt.
 * @module
 */
export { sha224, sha256, sha384, sha512, sha512_256, type Sha2Function } from './sha2/hashes.ts';
export type { Sha2 } from './sha2/hasher.ts';
export { hashMany } from './sha2/many.ts';
export { hmac, type Hmac, type HmacFunction } from './sha2/hmac.ts';
export { expand, extract, hkdf } from './sha2/hkdf.ts';
export { pbkdf2, pbkdf2Sync, type Pbkdf2Options, type Pbkdf2SyncOptions } from './sha2/pbkdf2.ts';
