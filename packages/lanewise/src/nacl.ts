/**
 * TweetNaCl's `secretbox`, `verify` and `randomBytes`, with TweetNaCl's own signatures: a program that uses only these can
 * switch the import.
 *
 * ```ts
 * import nacl from 'lanewise/nacl.js'; // was: 'tweetnacl'
 * ```
 *
 * The order of arguments (message, nonce, key) and the errors are TweetNaCl's, and a forgery returns null. New code
 * should use {@link secretbox} of salsa.js, whose results are the same bytes.
 * @module
 */
export { secretbox, verify, type NaclSecretbox, default } from './salsa/nacl.ts';
export { randomBytes } from './calls/random.ts';
