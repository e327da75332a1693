/** Raw stream ciphers: keystream, and messages under it. */
import { chacha20, chacha20orig, xchacha20, type StreamCipher } from 'lanewise/chacha.js';
import { isUnsigned, type Conversions } from './conversions.ts';
import type { Original, Replacements } from './original.ts';

const KEY_BYTES = 32;

/** For less keystream, zeros to XOR it onto would take more time than our kernels gain. */
const SHORTEST_KEYSTREAM = 2048;

const CIPHERS: readonly { readonly name: string; readonly cipher: StreamCipher }[] = [
  { name: 'crypto_stream_chacha20', cipher: chacha20orig },
  { name: 'crypto_stream_chacha20_ietf', cipher: chacha20 },
  { name: 'crypto_stream_xchacha20', cipher: xchacha20 },
];

export function streams(_: Original, { bytesOf, exactly, isFormat, formatted }: Conversions): Replacements {
  const xor = (
    cipher: StreamCipher,
    message: unknown,
    nonce: unknown,
    counter: unknown,
    key: unknown,
    format: unknown,
  ): Uint8Array | string | undefined => {
    const bytes = bytesOf(message);
    const nonceBytes = exactly(nonce, cipher.nonceLength);
    const keyBytes = exactly(key, KEY_BYTES);
    // A sum with 0 turns -0 into 0.
    return bytes && nonceBytes && keyBytes && isUnsigned(counter) && isFormat(format)
      ? formatted(cipher(keyBytes, nonceBytes, bytes, undefined, counter + 0), format)
      : undefined;
  };

  const callsOf = ({ name, cipher }: (typeof CIPHERS)[number]): Replacements => ({
    [name]: (theirs) => (length, key, nonce, format) =>
      (isUnsigned(length) && length >= SHORTEST_KEYSTREAM
        ? xor(cipher, new Uint8Array(length), nonce, 0, key, format)
        : undefined) ?? theirs(length, key, nonce, format),
    [`${name}_xor`]: (theirs) => (message, nonce, key, format) =>
      xor(cipher, message, nonce, 0, key, format) ?? theirs(message, nonce, key, format),
    [`${name}_xor_ic`]: (theirs) => (message, nonce, counter, key, format) =>
      xor(cipher, message, nonce, counter, key, format) ?? theirs(message, nonce, counter, key, format),
  });
  return Object.assign({}, ...CIPHERS.map((each) => callsOf(each))) as Replacements;
}
