/** Poly1305 of one message under a key that is used once. States for a message in pieces are the original's. */
import { poly1305 } from 'lanewise/poly1305.js';
import { equalBytes } from 'lanewise/utils.js';
import type { Conversions } from './conversions.ts';
import type { Original, Replacements } from './original.ts';

const KEY_BYTES = 32;
const TAG_BYTES = 16;

export const oneTimeAuth = (_: Original, { bytesOf, exactly, isFormat, formatted }: Conversions): Replacements => ({
  crypto_onetimeauth: (theirs) => (message, key, format) => {
    const bytes = bytesOf(message);
    const keyBytes = exactly(key, KEY_BYTES);
    return bytes && keyBytes && isFormat(format)
      ? formatted(poly1305(bytes, keyBytes), format)
      : theirs(message, key, format);
  },
  crypto_onetimeauth_verify: (theirs) => (hash, message, key) => {
    const tag = exactly(hash, TAG_BYTES);
    const bytes = bytesOf(message);
    const keyBytes = exactly(key, KEY_BYTES);
    return tag && bytes && keyBytes ? equalBytes(poly1305(bytes, keyBytes), tag) : theirs(hash, message, key);
  },
});
