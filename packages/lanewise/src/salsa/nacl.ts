/** Secretbox with TweetNaCl's signatures: its order of arguments, its errors. */
import { isBytes, refuseSurplus } from '../calls/checks.ts';
import { byteLengthOf, Bytes, freeze } from '../engine/intrinsics.ts';
import { openInto, TAG_BYTES } from '../calls/aead.ts';
import { lend } from '../calls/lifetime.ts';
import { randomBytes } from '../calls/random.ts';
import { INPUT_BYTES } from '../keystream/input.ts';
import { salsaInstance } from './binding.ts';
import { KEY_BYTES, NONCE_BYTES, SecretboxSealing } from './secretbox.ts';
import { equalBytes } from '../calls/bytes.ts';

function checkTypes(...values: readonly unknown[]): void {
  for (let i = 0; i < values.length; i++)
    if (!isBytes(values[i])) throw new TypeError('unexpected type, use Uint8Array');
}

/** Seals and opens under this key and nonce. */
function sealingOf(nonce: Uint8Array, key: Uint8Array): SecretboxSealing {
  if (byteLengthOf(key) !== KEY_BYTES) throw new Error('bad key size');
  if (byteLengthOf(nonce) !== NONCE_BYTES) throw new Error('bad nonce size');
  return new SecretboxSealing(salsaInstance, key, nonce);
}

function seal(msg: Uint8Array, nonce: Uint8Array, key: Uint8Array): Uint8Array<ArrayBuffer> {
  refuseSurplus(arguments, 3);
  checkTypes(msg, nonce, key);
  return lend(sealingOf(nonce, key), 0, INPUT_BYTES, sealWith, msg);
}

function sealWith(sealing: SecretboxSealing, msg: Uint8Array): Uint8Array<ArrayBuffer> {
  const length = byteLengthOf(msg);
  const box = new Bytes(TAG_BYTES + length);
  sealing.seal(msg, length, box, undefined);
  return box;
}

function open(box: Uint8Array, nonce: Uint8Array, key: Uint8Array): Uint8Array<ArrayBuffer> | null {
  refuseSurplus(arguments, 3);
  checkTypes(box, nonce, key);
  return lend(sealingOf(nonce, key), 0, INPUT_BYTES, openWith, box);
}

function openWith(sealing: SecretboxSealing, box: Uint8Array): Uint8Array<ArrayBuffer> | null {
  const length = byteLengthOf(box) - TAG_BYTES;
  if (length < 0) return null;
  const msg = new Bytes(length);
  return openInto(sealing, box, length, undefined, msg, true) ? msg : null;
}

/** {@link secretbox} with TweetNaCl's signatures. */
export interface NaclSecretbox {
  /** Tag and ciphertext of a message, in fresh bytes. */
  (msg: Uint8Array, nonce: Uint8Array, key: Uint8Array): Uint8Array<ArrayBuffer>;
  /**
   * Opens a box.
   *
   * @param box - Tag and ciphertext.
   * @param nonce - 24 bytes, as when it was sealed.
   * @param key - 32 bytes, as when it was sealed.
   * @returns The message, in fresh bytes; null if the box is too short or a forgery, or nonce or key is another.
   * @throws TypeError `unexpected type, use Uint8Array`, Error `bad key size` and `bad nonce size`.
   */
  open(box: Uint8Array, nonce: Uint8Array, key: Uint8Array): Uint8Array<ArrayBuffer> | null;
  /** 32 bytes. */
  readonly keyLength: number;
  /** 24 bytes. */
  readonly nonceLength: number;
  /** 16 bytes, by which a box is longer than its message. */
  readonly overheadLength: number;
}

/**
 * `nacl.secretbox`: XSalsa20-Poly1305.
 *
 * @throws TypeError `unexpected type, use Uint8Array`, Error `bad key size` and `bad nonce size`.
 * @example
 * ```ts
 * import { secretbox, randomBytes } from 'lanewise/nacl.js';
 * const key = randomBytes(secretbox.keyLength), nonce = randomBytes(secretbox.nonceLength);
 * const box = secretbox(new TextEncoder().encode('hello'), nonce, key);
 * const msg = secretbox.open(box, nonce, key); // null for a forgery
 * ```
 */
export const secretbox: NaclSecretbox = /* @__PURE__ */ freeze(
  /* @__PURE__ */ Object.assign(seal, {
    open,
    keyLength: KEY_BYTES,
    nonceLength: NONCE_BYTES,
    overheadLength: TAG_BYTES,
  }),
);

/**
 * `nacl.verify`: whether two byte strings are equal and not empty, in a time that depends on their lengths only.
 *
 * @throws TypeError `unexpected type, use Uint8Array`.
 * @example
 * ```ts
 * import { verify } from 'lanewise/nacl.js';
 * verify(new Uint8Array([1, 2]), new Uint8Array([1, 2])); // true
 * ```
 */
export function verify(x: Uint8Array, y: Uint8Array): boolean {
  refuseSurplus(arguments, 2);
  checkTypes(x, y);
  return byteLengthOf(x) > 0 && equalBytes(x, y);
}

/**
 * The same together, as TweetNaCl exports it.
 *
 * @example
 * ```ts
 * import nacl from 'lanewise/nacl.js';
 * const key = nacl.randomBytes(nacl.secretbox.keyLength), nonce = nacl.randomBytes(nacl.secretbox.nonceLength);
 * const box = nacl.secretbox(new Uint8Array([1, 2, 3]), nonce, key);
 * nacl.verify(box, nacl.secretbox(new Uint8Array([1, 2, 3]), nonce, key)); // true
 * ```
 */
const nacl: {
  /** {@link secretbox} */
  readonly secretbox: NaclSecretbox;
  /** {@link randomBytes} */
  readonly randomBytes: (length: number) => Uint8Array<ArrayBuffer>;
  /** {@link verify} */
  readonly verify: typeof verify;
} = /* @__PURE__ */ freeze({ secretbox, randomBytes, verify });
export default nacl;
