/** ChaCha20-Poly1305 (RFC 8439 §2.8) of one message without additional data, with an object that is wiped when the call ends. */
import { chacha20poly1305 } from '../chacha.ts';

/** Writes ciphertext and tag to `out`. */
export function sealOnce(key: Uint8Array, nonce: Uint8Array, plaintext: Uint8Array, out: Uint8Array): void {
  const aead = chacha20poly1305(key, nonce);
  try {
    aead.encrypt(plaintext, out);
  } finally {
    aead.destroy();
  }
}

/** Returns whether the tag is right; only then is anything written to `out`. */
export function openOnce(key: Uint8Array, nonce: Uint8Array, ciphertext: Uint8Array, out: Uint8Array): boolean {
  const aead = chacha20poly1305(key, nonce);
  try {
    aead.decrypt(ciphertext, out);
    return true;
  } catch (error) {
    // Anything else, such as an overflow of the stack, says nothing about the message.
    if ((error as Error).message !== 'invalid tag') throw error;
    return false;
  } finally {
    aead.destroy();
  }
}
