/** Texts: UTF-8, and base64url without padding (RFC 4648 §5). Not in constant time: what is encoded is ciphertext. */
import { bytesOrText, typeOf } from '../calls/checks.ts';
import { Bytes, codeAt, copyOf, floor, utf8Of } from '../engine/intrinsics.ts';

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

export function toBase64url(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const word = (bytes[i] << 16) | ((bytes[i + 1] | 0) << 8) | (bytes[i + 2] | 0);
    text += DIGITS[word >> 18] + DIGITS[(word >> 12) & 63];
    if (i + 1 < bytes.length) text += DIGITS[(word >> 6) & 63];
    if (i + 2 < bytes.length) text += DIGITS[word & 63];
  }
  return text;
}

/** The bytes of a text in its only form: no padding, no spaces, no bits beyond the last byte. */
export function fromBase64url(text: unknown, name: string): Uint8Array<ArrayBuffer> {
  if (typeof text !== 'string') throw new TypeError(`"${name}" expected string, got ${typeOf(text)}`);
  const wrong = (): RangeError =>
    new RangeError(`"${name}" expected base64url without padding, got another text of length=${text.length}`);
  const values = new Bytes(128).fill(64);
  for (let i = 0; i < 64; i++) values[codeAt(DIGITS, i)] = i;
  const bytes = new Bytes(floor((text.length * 3) / 4));
  let word = 0;
  let at = 0;
  for (let i = 0; i < text.length; i++) {
    const value = values[codeAt(text, i)];
    // Beyond the table there is no number.
    if (!(value < 64)) throw wrong();
    word = ((word << 6) | value) & 0xffffff;
    if (i % 4 > 0) bytes[at++] = word >> (6 - 2 * (i % 4));
  }
  if (text.length % 4 === 1 || word & ((1 << ((6 * text.length) % 8)) - 1)) throw wrong();
  return bytes;
}

/** The bytes of a text; a copy, which may be wiped. */
export function toUtf8(text: string, name = ''): Uint8Array<ArrayBuffer> {
  if (!utf8Of) throw new Error('TextEncoder is not available: give bytes');
  return copyOf(bytesOrText(text, name));
}

/** The text of bytes that are UTF-8. */
export function fromUtf8(bytes: Uint8Array): string {
  const Decoder = (globalThis as { TextDecoder?: typeof TextDecoder }).TextDecoder;
  if (!Decoder) throw new Error('TextDecoder is not available: take open()');
  return new Decoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}
