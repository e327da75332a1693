/** AEADs and secretbox in noble's shapes: the inner functions of the originals' `wrapCipher`. It does the checks that come first. */
import type { AeadCipher } from 'lanewise/chacha.js';
import type { SecretboxCipher } from 'lanewise/salsa.js';
import { isBytesOf, isMessage, isOutput, partOf, sizeOf } from './plain.ts';

/** One message under one key and nonce, as the originals have it. `output.length` must be 2: `wrapCipher` reads it. */
export interface Wrapped {
  readonly encrypt: (plaintext: Uint8Array, output?: Uint8Array) => Uint8Array<ArrayBuffer>;
  readonly decrypt: (ciphertext: Uint8Array, output?: Uint8Array) => Uint8Array<ArrayBuffer>;
}

/** Makes a {@link Wrapped}. Arguments may be anything. */
export type Construct = (key: Uint8Array, nonce: Uint8Array, AAD?: Uint8Array) => Wrapped;

const KEY_BYTES = 32;
const TAG_BYTES = 16;

/**
 * Key, nonce and additional data are read when a message is encrypted or decrypted, not before: the originals keep the caller's
 * arrays, so a change to them after the construction changes the result.
 */
export const aeadOf =
  (ours: AeadCipher, theirs: Construct): Construct =>
  (key, nonce, AAD) => {
    const isPlain = (): boolean =>
      isBytesOf(key, KEY_BYTES) && isBytesOf(nonce, ours.nonceLength) && (AAD === undefined || isMessage(AAD));
    const make = (): ReturnType<AeadCipher> => ours(key, nonce, AAD);
    return {
      encrypt(plaintext: Uint8Array, output?: Uint8Array) {
        if (!isPlain() || !isMessage(plaintext) || !isOutput(output, sizeOf(plaintext) + TAG_BYTES))
          return theirs(key, nonce, AAD).encrypt(plaintext, output);
        const cipher = make();
        try {
          return cipher.encrypt(plaintext, output as undefined);
        } finally {
          cipher.destroy();
        }
      },
      decrypt(ciphertext: Uint8Array, output?: Uint8Array) {
        const length = isMessage(ciphertext) ? sizeOf(ciphertext) - TAG_BYTES : -1;
        if (length < 0 || !isPlain() || !isOutput(output, length))
          return theirs(key, nonce, AAD).decrypt(ciphertext, output);
        const cipher = make();
        try {
          return cipher.decrypt(ciphertext, output as undefined);
        } finally {
          cipher.destroy();
        }
      },
    };
  };

/** The bytes that the originals put into the caller's `output` before the tag, and wipe: they compute the one-time key there. */
const SCRATCH_BYTES = 16;
const DECRYPTED_AT = 48;

/** secretbox; `theirs` also answers wrong messages with an `output`, which the versions of the original leave in different states. */
export const secretboxOf =
  (ours: SecretboxCipher, theirs: Construct): Construct =>
  (key, nonce) => {
    const isPlain = (): boolean => isBytesOf(key, KEY_BYTES) && isBytesOf(nonce, ours.nonceLength);
    return {
      encrypt(plaintext: Uint8Array, output?: Uint8Array) {
        if (!isPlain() || !isMessage(plaintext) || !isOutput(output, sizeOf(plaintext) + 2 * TAG_BYTES))
          return theirs(key, nonce).encrypt(plaintext, output);
        const box = ours(key, nonce);
        try {
          const result = box.encrypt(plaintext, (output && partOf(output, SCRATCH_BYTES)) as undefined);
          output?.fill(0, 0, SCRATCH_BYTES);
          return result;
        } finally {
          box.destroy();
        }
      },
      decrypt(ciphertext: Uint8Array, output?: Uint8Array) {
        const length = isMessage(ciphertext) ? sizeOf(ciphertext) - TAG_BYTES : -1;
        if (length < 0 || !isPlain() || !isOutput(output, length + DECRYPTED_AT))
          return theirs(key, nonce).decrypt(ciphertext, output);
        const box = ours(key, nonce);
        try {
          const result = box.decrypt(ciphertext, (output && partOf(output, DECRYPTED_AT)) as undefined);
          output?.fill(0, 0, DECRYPTED_AT);
          return result;
        } catch (error) {
          // Nothing is written yet.
          if (output) return theirs(key, nonce).decrypt(ciphertext, output);
          throw error;
        } finally {
          box.destroy();
        }
      },
    };
  };
