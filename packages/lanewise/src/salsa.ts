/**
 * Salsa20 and secretbox: D. J. Bernstein's ciphers before ChaCha, as NaCl and libsodium have them.
 *
 * | name | nonce | counter | use |
 * |---|---|---|---|
 * | {@link secretbox} = {@link xsalsa20poly1305} | 24 bytes, may be random | | compatible with NaCl, libsodium and TweetNaCl |
 * | {@link secretbox_xchacha20poly1305} | 24 | | the same layout with XChaCha20 |
 * | {@link xsalsa20}, {@link xsalsa12}, {@link xsalsa8} | 24 | 64 bits | raw |
 * | {@link salsa20}, {@link salsa12}, {@link salsa8} | 8 | 64 bits | raw |
 * @module
 */
export {
  salsa20,
  salsa12,
  salsa8,
  xsalsa20,
  xsalsa12,
  xsalsa8,
  xsalsa20poly1305,
  secretbox,
  secretbox_xchacha20poly1305,
  hsalsa,
} from './salsa/ciphers.ts';
export type { Secretbox, SecretboxCipher } from './salsa/secretbox.ts';
export type { CipherStream, StreamCipher } from './keystream/cipher.ts';
export { managedNonce, type ManagedCipher } from './calls/managed-nonce.ts';
export { randomBytes } from './calls/random.ts';
