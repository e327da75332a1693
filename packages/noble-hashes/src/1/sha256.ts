/** `@noble/hashes/sha256`, version 1: an older path of SHA-2. */
export { SHA224, sha224, SHA256, sha256 } from './sha2.ts';
