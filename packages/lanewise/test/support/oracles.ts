/** Independent implementations: OpenSSL of `node:crypto`, and libsodium. */
import { createCipheriv } from 'node:crypto';
import sodium from 'libsodium-wrappers-sumo';
import { concat } from './bytes.ts';
import { keystream as byTheBook } from './reference.ts';

await sodium.ready;

/** OpenSSL takes counter and nonce as 16 bytes; with a nonce of 8 its counter has 64 bits. */
export function chacha20(
  key: Uint8Array,
  nonce: Uint8Array,
  data: Uint8Array,
  counter: number | bigint = 0,
): Uint8Array {
  const first = Buffer.alloc(8);
  first.writeBigUInt64LE(BigInt(counter));
  const cipher = createCipheriv('chacha20', key, concat(first.subarray(0, 16 - nonce.length), nonce));
  return concat(cipher.update(data), cipher.final());
}

export const hchacha20 = (key: Uint8Array, input: Uint8Array): Uint8Array =>
  sodium.crypto_core_hchacha20(input, key, null);

export const xchacha20 = (key: Uint8Array, nonce: Uint8Array, data: Uint8Array): Uint8Array =>
  sodium.crypto_stream_xchacha20_xor(data, nonce, key);

/** The keystream with a counter of 64 bits, which libsodium's JavaScript does not take. */
export const xchacha20At = (key: Uint8Array, nonce: Uint8Array, data: Uint8Array, counter: bigint): Uint8Array =>
  chacha20(hchacha20(key, nonce.subarray(0, 16)), nonce.subarray(16), data, counter);

/** Ciphertext and tag, with a nonce of either length. */
export function seal(key: Uint8Array, nonce: Uint8Array, aad: Uint8Array, plaintext: Uint8Array): Uint8Array {
  if (nonce.length === 24) return sodium.crypto_aead_xchacha20poly1305_ietf_encrypt(plaintext, aad, null, nonce, key);
  const cipher = createCipheriv('chacha20-poly1305', key, nonce, { authTagLength: 16 });
  cipher.setAAD(aad, { plaintextLength: plaintext.length });
  return concat(cipher.update(plaintext), cipher.final(), cipher.getAuthTag());
}

export const poly1305 = (message: Uint8Array, key: Uint8Array): Uint8Array => sodium.crypto_onetimeauth(message, key);

/** The keystream of any form: by OpenSSL where it knows the form, else by the book. */
export function keystream(
  key: Uint8Array,
  nonce: Uint8Array,
  rounds: 8 | 12 | 20,
  counter: bigint,
  length: number,
): Uint8Array {
  const data = new Uint8Array(length);
  if (rounds === 20 && key.length === 32)
    return nonce.length === 24 ? xchacha20At(key, nonce, data, counter) : chacha20(key, nonce, data, counter);
  return byTheBook(key, nonce, rounds, counter, length);
}
