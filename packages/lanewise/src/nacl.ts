/**
 * The calls of TweetNaCl that this library has, in TweetNaCl's own shapes: one who uses no others can switch the import.
 *
 * ```ts
 * import nacl from 'lanewise/nacl.js'; // was: 'tweetnacl'
 * ```
 *
 * Arguments are in its order (message, nonce, key), errors are its errors, and a forgery gives null. What is new should take
 * {@link secretbox} of salsa.js, whose results are the same bytes.
 * @module
 */
export { secretbox, verify, type NaclSecretbox, default } from './salsa/nacl.ts';
export { randomBytes } from './calls/random.ts';
