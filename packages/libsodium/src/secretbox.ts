/** secretbox, and box, which is secretbox under the shared key of two key pairs. */
import { partOf } from '../../drop-ins/src/message.ts';
import { salsaInstance } from '../../lanewise/src/salsa/binding.ts';
import { KEY_BYTES, NONCE_BYTES, SecretboxSealing } from '../../lanewise/src/salsa/secretbox.ts';
import type { Conversions } from './conversions.ts';
import type { Original, Replacements } from './original.ts';
import { messagesOf, type Sealing } from './sealing.ts';

/** Of X25519: public and secret keys. */
const BOX_KEY_BYTES = 32;

const WRONG_SECRET_KEY = 'wrong secret key for the given ciphertext';
const INCORRECT_SECRET_KEY = 'incorrect secret key for the given ciphertext';
const INCORRECT_KEY_PAIR = 'incorrect key pair for the given ciphertext';

export function boxes(original: Original, conversions: Conversions): Replacements {
  const { exactly } = conversions;
  const { sealed, detached, opened, openedDetached } = messagesOf(conversions);

  const under = (nonce: unknown, key: unknown): Sealing | undefined => {
    const nonceBytes = exactly(nonce, NONCE_BYTES);
    const keyBytes = exactly(key, KEY_BYTES);
    return nonceBytes && keyBytes && new SecretboxSealing(salsaInstance, keyBytes, nonceBytes);
  };
  /** Undefined also for keys that have no shared key: each call of the original has its own error for these. */
  const between = (nonce: unknown, publicKey: unknown, privateKey: unknown): Sealing | undefined => {
    const [theirs, own] = [exactly(publicKey, BOX_KEY_BYTES), exactly(privateKey, BOX_KEY_BYTES)];
    if (!theirs || !own) return undefined;
    let shared;
    try {
      // Views of their bytes: the original asks an array for its length, and may get another answer than we did.
      shared = original.crypto_box_beforenm(partOf(theirs, 0), partOf(own, 0)) as Uint8Array;
    } catch {
      return undefined;
    }
    try {
      return under(nonce, shared);
    } finally {
      shared.fill(0);
    }
  };

  return {
    crypto_secretbox_easy: (theirs) => (message, nonce, key, format) =>
      sealed(message, format, under(nonce, key)) ?? theirs(message, nonce, key, format),
    crypto_secretbox_detached: (theirs) => (message, nonce, key, format) => {
      const result = detached(message, format, under(nonce, key));
      return result ? { mac: result.mac, cipher: result.ciphertext } : theirs(message, nonce, key, format);
    },
    crypto_secretbox_open_easy: (theirs) => (ciphertext, nonce, key, format) =>
      opened(ciphertext, format, under(nonce, key), WRONG_SECRET_KEY) ?? theirs(ciphertext, nonce, key, format),
    crypto_secretbox_open_detached: (theirs) => (ciphertext, mac, nonce, key, format) =>
      openedDetached(ciphertext, mac, format, under(nonce, key), WRONG_SECRET_KEY) ??
      theirs(ciphertext, mac, nonce, key, format),

    crypto_box_easy_afternm: (theirs) => (message, nonce, sharedKey, format) =>
      sealed(message, format, under(nonce, sharedKey)) ?? theirs(message, nonce, sharedKey, format),
    crypto_box_open_easy_afternm: (theirs) => (ciphertext, nonce, sharedKey, format) =>
      opened(ciphertext, format, under(nonce, sharedKey), INCORRECT_SECRET_KEY) ??
      theirs(ciphertext, nonce, sharedKey, format),

    crypto_box_easy: (theirs) => (message, nonce, publicKey, privateKey, format) =>
      sealed(message, format, between(nonce, publicKey, privateKey)) ??
      theirs(message, nonce, publicKey, privateKey, format),
    crypto_box_detached: (theirs) => (message, nonce, publicKey, privateKey, format) =>
      detached(message, format, between(nonce, publicKey, privateKey)) ??
      theirs(message, nonce, publicKey, privateKey, format),
    crypto_box_open_easy: (theirs) => (ciphertext, nonce, publicKey, privateKey, format) =>
      opened(ciphertext, format, between(nonce, publicKey, privateKey), INCORRECT_KEY_PAIR) ??
      theirs(ciphertext, nonce, publicKey, privateKey, format),
    crypto_box_open_detached: (theirs) => (ciphertext, mac, nonce, publicKey, privateKey, format) =>
      openedDetached(ciphertext, mac, format, between(nonce, publicKey, privateKey), INCORRECT_KEY_PAIR) ??
      theirs(ciphertext, mac, nonce, publicKey, privateKey, format),
  };
}
