/** The module of `hash-wasm`, version 4, in both formats: Argon2 is ours, and all other names are the original's. */
export * from 'hash-wasm';
// A name that this module exports itself is not taken from there.
export { argon2d, argon2i, argon2id, argon2Verify } from '../argon2.ts';
