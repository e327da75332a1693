/** libsodium.js: C compiled to WebAssembly. It takes no output buffers and allocates its results. */
import type { CipherContestant, MacContestant } from './contestant.ts';
import { rival } from './rival.ts';
import { needWebAssembly } from './needs.ts';

needWebAssembly();
const { default: sodium } = await import('libsodium-wrappers-sumo');
await sodium.ready;

export const libsodium: CipherContestant & MacContestant = {
  ...rival('libsodium.js', 'libsodium-wrappers-sumo'),
  aead: (name, key, nonce) =>
    name === 'xchacha20poly1305'
      ? {
          seal: (plaintext) =>
            sodium.crypto_aead_xchacha20poly1305_ietf_encrypt(plaintext, null, null, nonce, key, 'uint8array'),
          open: (sealed) =>
            sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(null, sealed, null, nonce, key, 'uint8array'),
        }
      : {
          seal: (plaintext) =>
            sodium.crypto_aead_chacha20poly1305_ietf_encrypt(plaintext, null, null, nonce, key, 'uint8array'),
          open: (sealed) =>
            sodium.crypto_aead_chacha20poly1305_ietf_decrypt(null, sealed, null, nonce, key, 'uint8array'),
        },
  chacha20: (key, nonce) => (data) => sodium.crypto_stream_chacha20_ietf_xor_ic(data, nonce, 0, key, 'uint8array'),
  poly1305: (key) => (message) => sodium.crypto_onetimeauth(message, key, 'uint8array'),
};

export const libsodiumSha256 = {
  ...libsodium,
  hash: (message: Uint8Array): Uint8Array => sodium.crypto_hash_sha256(message, 'uint8array'),
};

/** @param costs - `m` is the memory in KiB. */
export const libsodiumArgon2id = (
  password: Uint8Array,
  salt: Uint8Array,
  { m, t, dkLen }: { readonly m: number; readonly t: number; readonly dkLen: number },
): Uint8Array =>
  sodium.crypto_pwhash(dkLen, password, salt, t, 1024 * m, sodium.crypto_pwhash_ALG_ARGON2ID13, 'uint8array');
