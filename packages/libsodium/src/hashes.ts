/** SHA-2, and HMAC over it, of one message. States for a message in pieces are the original's. */
import { hmac, sha256, sha512, type Sha2Function } from 'lanewise/sha2.js';
import { equalBytes } from 'lanewise/utils.js';
import type { Conversions } from './conversions.ts';
import type { Original, Replacements } from './original.ts';
import { isSlow } from './speed.ts';

const KEY_BYTES = 32;

interface Mac {
  readonly name: string;
  readonly hash: Sha2Function;
  readonly tagBytes: number;
}

const HASHES = { crypto_hash: sha512, crypto_hash_sha256: sha256, crypto_hash_sha512: sha512 };
const MACS: readonly Mac[] = [
  { name: 'crypto_auth', hash: sha512, tagBytes: 32 },
  { name: 'crypto_auth_hmacsha256', hash: sha256, tagBytes: 32 },
  { name: 'crypto_auth_hmacsha512', hash: sha512, tagBytes: 64 },
  { name: 'crypto_auth_hmacsha512256', hash: sha512, tagBytes: 32 },
];

/** A MAC, or its first bytes: HMAC-SHA-512-256 isn't over SHA-512/256. */
function tagOf({ hash, tagBytes }: Mac, message: Uint8Array, key: Uint8Array): Uint8Array {
  const mac = hmac(hash, key, message);
  return mac.length === tagBytes ? mac : mac.slice(0, tagBytes);
}

export function hashes(_: Original, { bytesOf, exactly, isFormat, formatted }: Conversions): Replacements {
  const hashWith =
    (hash: Sha2Function): Replacements[string] =>
    (theirs) =>
    (message, format) => {
      const bytes = isSlow() ? undefined : bytesOf(message);
      return bytes && isFormat(format) ? formatted(hash(bytes), format) : theirs(message, format);
    };
  const authenticateWith =
    (mac: Mac): Replacements[string] =>
    (theirs) =>
    (message, key, format) => {
      const bytes = isSlow() ? undefined : bytesOf(message);
      const keyBytes = exactly(key, KEY_BYTES);
      return bytes && keyBytes && isFormat(format)
        ? formatted(tagOf(mac, bytes, keyBytes), format)
        : theirs(message, key, format);
    };
  const verifyWith =
    (mac: Mac): Replacements[string] =>
    (theirs) =>
    (tag, message, key) => {
      const tagBytes = exactly(tag, mac.tagBytes);
      const bytes = isSlow() ? undefined : bytesOf(message);
      const keyBytes = exactly(key, KEY_BYTES);
      return tagBytes && bytes && keyBytes
        ? equalBytes(tagOf(mac, bytes, keyBytes), tagBytes)
        : theirs(tag, message, key);
    };
  return Object.fromEntries([
    ...Object.entries(HASHES).map(([name, hash]) => [name, hashWith(hash)]),
    ...MACS.flatMap((mac) => [
      [mac.name, authenticateWith(mac)],
      [`${mac.name}_verify`, verifyWith(mac)],
    ]),
  ]) as Replacements;
}
