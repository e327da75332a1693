/**
 * Base64 with padding and its standard alphabet (RFC 4648 §4), from bytes to bytes. It serves public data: armor around
 * ciphertext. Tables are therefore allowed.
 */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const PADDING = 61;

const digits = Uint8Array.from(ALPHABET, (digit) => digit.charCodeAt(0));
/** The value of each character; 64 for characters outside the alphabet. */
const values = new Uint8Array(256).fill(64);
for (const [value, digit] of digits.entries()) values[digit] = value;

/** Writes the base64 of `bytes` from `to` on. Returns the position after it. */
export function encodeTo(out: Uint8Array, to: number, bytes: Uint8Array): number {
  const whole = bytes.length - (bytes.length % 3);
  let i = 0;
  for (; i < whole; i += 3) {
    const word = (bytes[i] << 16) | (bytes[i + 1] << 8) | bytes[i + 2];
    out[to++] = digits[word >> 18];
    out[to++] = digits[(word >> 12) & 63];
    out[to++] = digits[(word >> 6) & 63];
    out[to++] = digits[word & 63];
  }
  if (i === bytes.length) return to;
  const two = bytes.length - i === 2;
  const word = (bytes[i] << 16) | (two ? bytes[i + 1] << 8 : 0);
  out[to++] = digits[word >> 18];
  out[to++] = digits[(word >> 12) & 63];
  out[to++] = two ? digits[(word >> 6) & 63] : PADDING;
  out[to++] = PADDING;
  return to;
}

/**
 * Decodes the base64 in `text` to the bytes from `to` on.
 *
 * @returns The position after it; -1 if the text is not canonical: a wrong length, another character, padding within, or bits
 * that stand for nothing and are not zero (RFC 4648 §3.5).
 */
export function decodeTo(out: Uint8Array, to: number, text: Uint8Array): number {
  const { length } = text;
  if (length % 4 !== 0) return -1;
  let padding = 0;
  while (padding < 2 && padding < length && text[length - 1 - padding] === PADDING) padding++;
  const whole = padding ? length - 4 : length;
  let wrong = 0;
  for (let i = 0; i < whole; i += 4) {
    const [a, b, c, d] = [values[text[i]], values[text[i + 1]], values[text[i + 2]], values[text[i + 3]]];
    wrong |= a | b | c | d;
    const word = (a << 18) | (b << 12) | (c << 6) | d;
    out[to++] = word >> 16;
    out[to++] = (word >> 8) & 255;
    out[to++] = word & 255;
  }
  if (padding) {
    const [a, b] = [values[text[whole]], values[text[whole + 1]]];
    const c = padding === 1 ? values[text[whole + 2]] : 0;
    wrong |= a | b | c;
    const word = (a << 18) | (b << 12) | (c << 6);
    out[to++] = word >> 16;
    if (padding === 1) out[to++] = (word >> 8) & 255;
    if ((padding === 1 ? word & 255 : word & 0xffff) !== 0) return -1;
  }
  return wrong & 64 ? -1 : to;
}

/** Base64 without padding (RFC 4648 §3.2). */
export function unpadded(bytes: Uint8Array): string {
  const out = new Uint8Array(4 * Math.ceil(bytes.length / 3));
  encodeTo(out, 0, bytes);
  return new TextDecoder().decode(out).replace(/=+$/, '');
}
