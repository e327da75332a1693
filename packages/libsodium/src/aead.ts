/** The AEADs: ChaCha20-Poly1305 in its IETF and its first form, and XChaCha20-Poly1305. */
import { sizeOf } from '../../drop-ins/src/message.ts';
import { ChaChaPoly1305 } from '../../lanewise/src/chacha/aead.ts';
import type { Conversions } from './conversions.ts';
import { FirstChaChaPoly1305 } from './first-aead.ts';
import type { Original, Replacements } from './original.ts';
import { messagesOf, type Sealing } from './sealing.ts';

const KEY_BYTES = 32;
const FAILURE = 'ciphertext cannot be decrypted using that key';

interface Construction {
  /** The first part of the names of its functions. */
  readonly name: string;
  readonly nonceLength: number;
  /** The length of the shortest message that takes us less time than the original. */
  readonly shortest: number;
  readonly make: (key: Uint8Array, nonce: Uint8Array, ad: Uint8Array | undefined) => Sealing;
}

const CONSTRUCTIONS: readonly Construction[] = [
  {
    name: 'crypto_aead_chacha20poly1305',
    nonceLength: 8,
    shortest: 8192,
    make: (key, nonce, ad) => new FirstChaChaPoly1305(key, nonce, ad),
  },
  {
    name: 'crypto_aead_chacha20poly1305_ietf',
    nonceLength: 12,
    shortest: 0,
    make: (key, nonce, ad) => new ChaChaPoly1305(12, key, nonce, ad),
  },
  {
    name: 'crypto_aead_xchacha20poly1305_ietf',
    nonceLength: 24,
    shortest: 0,
    make: (key, nonce, ad) => new ChaChaPoly1305(24, key, nonce, ad),
  },
];

/** Arguments are in the original's order. The secret nonce has no effect in any construction, but must be bytes if it is given. */
function callsOf({ name, nonceLength, shortest, make }: Construction, conversions: Conversions): Replacements {
  const { exactly, optional } = conversions;
  const { sealed, detached, opened, openedDetached } = messagesOf(conversions, shortest);

  const under = (secretNonce: unknown, ad: unknown, nonce: unknown, key: unknown): Sealing | undefined => {
    const adBytes = optional(ad);
    const nonceBytes = exactly(nonce, nonceLength);
    const keyBytes = exactly(key, KEY_BYTES);
    // An array for no additional data would be one to copy and to wipe.
    return (
      optional(secretNonce) &&
      adBytes &&
      nonceBytes &&
      keyBytes &&
      make(keyBytes, nonceBytes, sizeOf(adBytes) > 0 ? adBytes : undefined)
    );
  };

  return {
    [`${name}_encrypt`]: (theirs) => (message, ad, secretNonce, nonce, key, format) =>
      sealed(message, format, under(secretNonce, ad, nonce, key)) ??
      theirs(message, ad, secretNonce, nonce, key, format),
    [`${name}_encrypt_detached`]: (theirs) => (message, ad, secretNonce, nonce, key, format) =>
      detached(message, format, under(secretNonce, ad, nonce, key)) ??
      theirs(message, ad, secretNonce, nonce, key, format),
    [`${name}_decrypt`]: (theirs) => (secretNonce, ciphertext, ad, nonce, key, format) =>
      opened(ciphertext, format, under(secretNonce, ad, nonce, key), FAILURE) ??
      theirs(secretNonce, ciphertext, ad, nonce, key, format),
    [`${name}_decrypt_detached`]: (theirs) => (secretNonce, ciphertext, mac, ad, nonce, key, format) =>
      openedDetached(ciphertext, mac, format, under(secretNonce, ad, nonce, key), FAILURE) ??
      theirs(secretNonce, ciphertext, mac, ad, nonce, key, format),
  };
}

export const aeads = (_: Original, conversions: Conversions): Replacements =>
  Object.assign({}, ...CONSTRUCTIONS.map((construction) => callsOf(construction, conversions))) as Replacements;
