/**
 * Recipients of X25519 (C2SP age, "The X25519 recipient type") by the engine's own cryptography, so that a file for them loads nothing of
 * `age-encryption`, whose 50 files are mostly for other recipients.
 */
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import type { Stanza } from 'age-encryption';
import { chacha20poly1305 } from 'lanewise/chacha.js';
import { unpadded } from './base64.ts';
import { x25519KeyOf } from './keys.ts';

const NAME = 'X25519';
const INFO = new TextEncoder().encode('age-encryption.org/v1/X25519');
const KEY_BYTES = 32;

/**
 * The stanza of a recipient.
 *
 * @returns A promise of it; of undefined for recipients of other kinds, and where the engine refuses the work: it has no X25519, or the key
 * is a point of small order. `age-encryption` then has an answer or an error.
 */
export async function x25519Stanza(recipient: string, fileKey: Uint8Array): Promise<Stanza | undefined> {
  const key = x25519KeyOf(recipient);
  const agreed = key && (await agreedWith(key).catch(() => undefined));
  if (!agreed) return undefined;
  const { share, secret } = agreed;
  let wrapKey: Uint8Array | undefined;
  try {
    const salt = new Uint8Array(2 * KEY_BYTES);
    salt.set(share);
    salt.set(key, KEY_BYTES);
    wrapKey = hkdf(sha256, secret, salt, INFO, KEY_BYTES);
    // The one nonce, which is right because each key encrypts one message only.
    const body = chacha20poly1305(wrapKey, new Uint8Array(12)).encrypt(fileKey);
    // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- the class has no methods, and loads 50 files
    return { args: [NAME, unpadded(share)], body };
  } finally {
    secret.fill(0);
    wrapKey?.fill(0);
  }
}

/** The share of a new key pair, and the secret that it has with a public key. Its private key stays in the engine. */
async function agreedWith(
  key: Uint8Array<ArrayBuffer>,
): Promise<{ readonly share: Uint8Array; readonly secret: Uint8Array }> {
  const { subtle } = crypto;
  const [own, its] = await Promise.all([
    subtle.generateKey({ name: NAME }, false, ['deriveBits']),
    subtle.importKey('raw', key, { name: NAME }, false, []),
  ]);
  const share = new Uint8Array(await subtle.exportKey('raw', own.publicKey));
  const secret = new Uint8Array(await subtle.deriveBits({ name: NAME, public: its }, own.privateKey, 8 * KEY_BYTES));
  // Drafts of the standard left this check to the caller. It looks at all bytes (RFC 7748 §6.1).
  if (secret.reduce((all, byte) => all | byte, 0) === 0) throw new Error('a point of small order');
  return { share, secret };
}
