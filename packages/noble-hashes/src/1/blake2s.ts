/** `@noble/hashes/blake2s`, version 1: an older path of BLAKE2s. */
// eslint-disable-next-line @typescript-eslint/no-deprecated -- so is the path
export { B2S_IV, G1s, G2s } from 'noble-hashes-1/blake2s';
export { BLAKE2s, blake2s, compress } from './blake2.ts';
