/**
 * ChaCha and its AEADs with Poly1305: RFC 8439, the original of D. J. Bernstein, and XChaCha.
 *
 * | name | nonce | counter | use |
 * |---|---|---|---|
 * | {@link xchacha20poly1305} | 24 bytes, may be random | | recommended |
 * | {@link chacha20poly1305} | 12 bytes, must be counted | | protocols: TLS, SSH, WireGuard |
 * | {@link xchacha20}, {@link xchacha12}, {@link xchacha8} | 24 | 64 bits | raw |
 * | {@link chacha20}, {@link chacha12}, {@link chacha8} | 12 | 32 bits | raw |
 * | {@link chacha20orig}, {@link chacha12orig}, {@link chacha8orig} | 8 | 64 bits | raw |
 * @module
 */
export {
  chacha20,
  chacha12,
  chacha8,
  chacha20orig,
  chacha12orig,
  chacha8orig,
  xchacha20,
  xchacha12,
  xchacha8,
  chacha20poly1305,
  xchacha20poly1305,
  hchacha,
  type AeadCipher,
} from './chacha/ciphers.ts';
export type { Aead, Detached } from './calls/aead.ts';
export type { CipherStream, StreamCipher } from './keystream/cipher.ts';
export { managedNonce, type ManagedCipher } from './calls/managed-nonce.ts';
export { randomBytes } from './calls/random.ts';
