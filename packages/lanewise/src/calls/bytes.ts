/** Small tools around the ciphers: comparison, hexadecimal, wiping. */
import { kindOf, lengthOf, refuseExtra } from './checks.ts';
import { Bytes, fillBytes } from '../engine/intrinsics.ts';

/**
 * Whether two tags or keys are equal, in a time that depends on their lengths only.
 *
 * @throws TypeError if an argument is no Uint8Array.
 * @example
 * ```ts
 * import { equalBytes } from 'lanewise/utils.js';
 * equalBytes(new Uint8Array([1, 2]), new Uint8Array([1, 2])); // true
 * ```
 */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean;
export function equalBytes(a: Uint8Array, b: Uint8Array, extra?: unknown): boolean {
  refuseExtra(extra, 2);
  const length = lengthOf(a, 'a');
  if (lengthOf(b, 'b') !== length) return false;
  let differences = 0;
  for (let i = 0; i < length; i++) differences |= a[i] ^ b[i];
  return differences === 0;
}

/**
 * Overwrites bytes with zeros. What the engine or the garbage collector copied elsewhere it can't reach.
 *
 * @throws TypeError if an argument is no Uint8Array.
 * @example
 * ```ts
 * import { clean, randomBytes } from 'lanewise/utils.js';
 * const key = randomBytes(32);
 * clean(key);
 * ```
 */
export function clean(...arrays: readonly Uint8Array[]): void {
  for (let i = 0; i < arrays.length; i++) lengthOf(arrays[i], 'bytes');
  for (let i = 0; i < arrays.length; i++) fillBytes(arrays[i], 0);
}

const DIGITS = '0123456789abcdef';
const CAPITALS = '0123456789ABCDEF';

/**
 * Lower-case hexadecimal. Not in constant time.
 *
 * @throws TypeError if the argument is no Uint8Array.
 * @example
 * ```ts
 * import { bytesToHex } from 'lanewise/utils.js';
 * bytesToHex(new Uint8Array([202, 254])); // 'cafe'
 * ```
 */
export function bytesToHex(bytes: Uint8Array): string {
  const length = lengthOf(bytes, 'bytes');
  let hex = '';
  for (let i = 0; i < length; i++) {
    const byte = bytes[i];
    hex += DIGITS[byte >> 4] + DIGITS[byte & 15];
  }
  return hex;
}

/**
 * Bytes of hexadecimal, upper or lower case. Not in constant time.
 *
 * @throws TypeError if the argument is no string, RangeError if it is not hexadecimal or has an odd length.
 * @example
 * ```ts
 * import { hexToBytes } from 'lanewise/utils.js';
 * hexToBytes('cafe'); // 202, 254
 * ```
 */
export function hexToBytes(hex: string): Uint8Array<ArrayBuffer> {
  if (typeof hex !== 'string') throw new TypeError(`"hex" expected string, got ${kindOf(hex)}`);
  const bytes = new Bytes(hex.length >> 1);
  let wrong = hex.length & 1;
  for (let i = 0; i < hex.length; i++) {
    const value = digitOf(hex[i]);
    bytes[i >> 1] = (bytes[i >> 1] << 4) | value;
    wrong |= value >> 4;
  }
  if (wrong) throw new RangeError(`"hex" expected pairs of hexadecimal digits, got length=${hex.length}`);
  return bytes;
}

/** What a digit is worth; 16 if it is none. */
function digitOf(digit: string): number {
  let value = 0;
  while (value < 16 && digit !== DIGITS[value] && digit !== CAPITALS[value]) value++;
  return value;
}
