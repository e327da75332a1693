/**
 * ChaCha20-Poly1305-SIV (C2SP chacha20-poly1305-siv.md v0.0.1): an AEAD that resists repeated nonces and commits to its key.
 *
 * Use {@link chacha20poly1305siv} where nonces may repeat although they should not (a machine is restored from a snapshot, a
 * counter is lost, keys are wrapped with a fixed nonce), or where a ciphertext must not open under two keys (passwords,
 * several recipients). A repeated nonce then reveals only whether key, nonce, additional data and plaintext are all the
 * same. The price is a tag of 32 bytes, three more blocks of ChaCha20, and that no byte is encrypted before the last one is
 * read. The scheme is young: version 0.0.1 of 2025, without a published analysis of its own. Elsewhere use `xchacha20poly1305` of
 * `lanewise/chacha.js`.
 * @module
 */
export { chacha20poly1305siv, type SivCipher } from './siv/cipher.ts';
export type { Aead, Detached } from './calls/aead.ts';
export { managedNonce, type ManagedCipher } from './calls/managed-nonce.ts';
export { randomBytes } from './calls/random.ts';
