/** BLAKE2b of one long message. States for a message in pieces are the original's. */
import { blake2b } from 'lanewise/blake2.js';
import { sizeOf } from '../../drop-ins/src/message.ts';
import { isUnsigned, type Conversions } from './conversions.ts';
import type { Original, Replacements } from './original.ts';
import { isSlow } from './speed.ts';

/** A shorter message is the original's, whose call costs less: ours gain only in the blocks. */
const SHORTEST = 16_384;
const MOST_BYTES = 64;

export const genericHash = (_: Original, { bytesOf, optional, isFormat, formatted }: Conversions): Replacements => ({
  crypto_generichash: (theirs) => (length, message, key, format) => {
    const bytes = bytesOf(message);
    const keyBytes = optional(key);
    const isOurs =
      bytes &&
      sizeOf(bytes) >= SHORTEST &&
      isUnsigned(length) &&
      length > 0 &&
      length <= MOST_BYTES &&
      keyBytes &&
      sizeOf(keyBytes) <= MOST_BYTES &&
      isFormat(format) &&
      !isSlow();
    if (!isOurs) return theirs(length, message, key, format);
    return formatted(blake2b(bytes, { dkLen: length, key: sizeOf(keyBytes) > 0 ? keyBytes : undefined }), format);
  },
});
