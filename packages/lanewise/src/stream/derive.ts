/** The keys of one stream of C2SP chunked-encryption, "Key derivation". */
import { Bytes, copyBytes, copyOf, fillBytes, part } from '../engine/intrinsics.ts';

export const SALT_BYTES = 24;
export const COMMITMENT_BYTES = 32;

/** A text of ASCII characters. */
const ascii = (text: string): Uint8Array => {
  const bytes = new Bytes(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
};

/** One after the other. */
export function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  let length = 0;
  for (let i = 0; i < parts.length; i++) length += parts[i].length;
  const whole = new Bytes(length);
  for (let i = 0, at = 0; i < parts.length; at += parts[i].length, i++) copyBytes(whole, parts[i], at);
  return whole;
}

/** The keys of a stream. */
export interface StreamKeys {
  readonly key: Uint8Array;
  readonly baseNonce: Uint8Array;
  readonly commitment: Uint8Array;
}

/**
 * Derives the keys of a stream by HKDF-Expand with SHA-512 (RFC 5869 §2.3), without Extract, because the key is uniform.
 *
 * @param aead - The name in IANA's registry of AEAD algorithms.
 * @param lengths - Those of its key and nonce.
 * @param key - As long as the AEAD's; the library's own, wiped afterwards.
 */
export async function deriveKeys(
  aead: string,
  [keyLength, nonceLength]: readonly [key: number, nonce: number],
  key: Uint8Array<ArrayBuffer>,
  salt: Uint8Array,
  context: Uint8Array,
): Promise<StreamKeys> {
  // All arrays that hold secrets, to be wiped.
  const used: Uint8Array[] = [key];
  const use = (bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => (used[used.length] = bytes);
  try {
    const subtle = (globalThis as { crypto?: Partial<Crypto> }).crypto?.subtle;
    if (!subtle) throw new Error('crypto.subtle is not available: pages need HTTPS to have it');
    const hmac = await subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-512' }, false, ['sign']);
    const info = joined(ascii(`c2sp.org/chunked-encryption@v1+${aead}\0`), salt, context);
    const block = async (previous: Uint8Array, number: number): Promise<Uint8Array> =>
      use(new Bytes(await subtle.sign('HMAC', hmac, use(joined(previous, info, new Bytes([number]))))));
    // T(1) and T(2) are 128 bytes; an AEAD's key and nonce and the commitment are 60 to 76.
    const first = await block(new Bytes(0), 1);
    const output = use(joined(first, await block(first, 2)));
    const cut = (from: number, length: number): Uint8Array => copyOf(part(output, from, length), length);
    return {
      key: cut(0, keyLength),
      baseNonce: cut(keyLength, nonceLength),
      commitment: cut(keyLength + nonceLength, COMMITMENT_BYTES),
    };
  } finally {
    for (let i = 0; i < used.length; i++) fillBytes(used[i], 0);
  }
}
