/**
 * Hashes of passwords as text: `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`, as Argon2's reference writes them (PHC string format). Texts
 * come from databases and files, so they are read strictly: one text for each hash, and nothing that is skipped.
 */
import { Bytes, codeAt, floor } from '../engine/intrinsics.ts';
import { ARGON2D, ARGON2I, ARGON2ID, type Kind, type Parameters } from './parameters.ts';

export interface Encoded {
  readonly kind: Kind;
  readonly version: 0x10 | 0x13;
  readonly m: number;
  readonly t: number;
  readonly p: number;
  readonly salt: Uint8Array<ArrayBuffer>;
  readonly hash: Uint8Array<ArrayBuffer>;
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Base64 of RFC 4648 §4, without padding. */
function base64(bytes: Uint8Array, length: number): string {
  let text = '';
  for (let bit = 0; bit < 8 * length; bit += 6) {
    const at = bit >> 3;
    const pair = (bytes[at] << 8) | (at + 1 < length ? bytes[at + 1] : 0);
    text += DIGITS[(pair >> (10 - (bit & 7))) & 63];
  }
  return text;
}

/** The bytes; undefined if the text isn't what {@link base64} makes of any. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  const bytes = new Bytes(floor((6 * text.length) / 8));
  let rest = 0;
  for (let i = 0, at = 0, bits = 0; i < text.length; i++) {
    const digit = DIGITS.indexOf(text[i]);
    if (digit < 0) return undefined;
    rest = ((rest << 6) | digit) & 0x3fff;
    bits += 6;
    if (bits >= 8) bytes[at++] = rest >> (bits -= 8);
    if (i === text.length - 1 && (bits >= 6 || rest & ((1 << bits) - 1))) return undefined;
  }
  return bytes;
}

const KINDS = { d: ARGON2D, i: ARGON2I, id: ARGON2ID } as const;
const NAMES = ['d', 'i', 'id'] as const;

export const encode = ({ kind, version, m, t, p, dkLen }: Parameters, salt: Uint8Array, hash: Uint8Array): string =>
  `$argon2${NAMES[kind]}${version === 0x13 ? '$v=19' : '$v=16'}$m=${m},t=${t},p=${p}` +
  `$${base64(salt, salt.length)}$${base64(hash, dkLen)}`;

/** Longer than any text whose parts have the lengths below. */
const MOST_CHARACTERS = 256;
const FORM =
  /^\$argon2(d|i|id)(?:\$v=(16|19))?\$m=([1-9][0-9]{0,9}),t=([1-9][0-9]{0,9}),p=([1-9][0-9]{0,7})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{16,86})$/;

/**
 * Reads a text. The salt has 8 to 64 bytes, the hash 12 to 64; a text without a version is of version 0x10.
 *
 * @returns Undefined if the text isn't of that form.
 */
export function decode(text: string): Encoded | undefined {
  if (text.length > MOST_CHARACTERS || codeAt(text, text.length - 1) < 32) return undefined;
  const parts = FORM.exec(text);
  if (!parts) return undefined;
  const [, kind, version, m, t, p] = parts;
  const [salt, hash] = [fromBase64(parts[6]), fromBase64(parts[7])];
  if (!salt || !hash) return undefined;
  return { kind: KINDS[kind as 'id'], version: version === '19' ? 0x13 : 0x10, m: +m, t: +t, p: +p, salt, hash };
}
