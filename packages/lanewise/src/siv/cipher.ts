/** ChaCha20-Poly1305-SIV as an AEAD of the usual shape. */
import { Aead } from '../calls/aead.ts';
import { lengthOf, refuseSurplus } from '../calls/checks.ts';
import { freeze } from '../engine/intrinsics.ts';
import { BLOCK_BYTES } from '../keystream/map.ts';
import { KEY_BYTES, NONCE_BYTES, TAG_BYTES } from './map.ts';
import { ChaChaPoly1305Siv } from './sealing.ts';

/** Makes the object that encrypts or decrypts one message: {@link chacha20poly1305siv}. */
export interface SivCipher {
  /**
   * @param key - 32 bytes; copied.
   * @param nonce - 16 bytes, for each message another one: counted, or random for up to 2^48 messages under one key. Copied.
   * @param AAD - Additional data, which is authenticated with the message and not sent with it; copied.
   * @throws TypeError or RangeError if an argument is not of that form.
   */
  (key: Uint8Array, nonce: Uint8Array, AAD?: Uint8Array): Aead;
  /** 64 bytes. */
  readonly blockSize: number;
  /** 16 bytes. */
  readonly nonceLength: number;
  /** 32 bytes. */
  readonly tagLength: number;
}

/**
 * ChaCha20-Poly1305-SIV (C2SP chacha20-poly1305-siv.md v0.0.1): key 32 bytes, nonce 16, tag 32 after the ciphertext.
 *
 * A repeated nonce gives away only whether all else is repeated, too, and ciphertexts commit to key and nonce. The scheme is
 * young: no analysis of its own is published.
 *
 * @throws TypeError, RangeError: see {@link SivCipher}; `decrypt` throws Error `invalid tag`.
 * @example
 * ```ts
 * import { chacha20poly1305siv, randomBytes } from 'lanewise/siv.js';
 * const key = randomBytes(32), nonce = randomBytes(16);
 * const header = new TextEncoder().encode('authenticated, not encrypted');
 * const ciphertext = chacha20poly1305siv(key, nonce, header).encrypt(new TextEncoder().encode('hello'));
 * const plaintext = chacha20poly1305siv(key, nonce, header).decrypt(ciphertext);
 * ```
 */
export const chacha20poly1305siv: SivCipher = /* @__PURE__ */ freeze(
  /* @__PURE__ */ Object.assign(
    function (key: Uint8Array, nonce: Uint8Array, AAD?: Uint8Array): Aead {
      refuseSurplus(arguments, 3);
      lengthOf(key, 'key', KEY_BYTES);
      lengthOf(nonce, 'nonce', NONCE_BYTES);
      return new Aead(new ChaChaPoly1305Siv(key, nonce, AAD));
    },
    { blockSize: BLOCK_BYTES, nonceLength: NONCE_BYTES, tagLength: TAG_BYTES },
  ),
);
