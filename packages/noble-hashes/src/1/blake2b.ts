/** `@noble/hashes/blake2b`, version 1: an older path of BLAKE2b. */
export { BLAKE2b, blake2b } from './blake2.ts';
