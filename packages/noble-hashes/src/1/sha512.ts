/** `@noble/hashes/sha512`, version 1: an older path of SHA-2. */
export { SHA384, sha384, SHA512, sha512, SHA512_224, sha512_224, SHA512_256, sha512_256 } from './sha2.ts';
