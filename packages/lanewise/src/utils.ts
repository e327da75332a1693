/**
 * Small tools around the ciphers: random bytes, comparison, hex.
 * @module
 */
import { kindOf, lengthOf } from './checks.ts';
import { Bytes, fillBytes } from './engine/intrinsics.ts';

export { isBytes } from './checks.ts';
export { managedNonce, type ManagedCipher, type NonceCipher } from './managed-nonce.ts';
export { randomBytes } from './random.ts';

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
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
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
  for (const bytes of arrays) lengthOf(bytes, 'bytes');
  for (const bytes of arrays) fillBytes(bytes, 0);
}

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
  for (let i = 0; i < length; i++) hex += bytes[i].toString(16).padStart(2, '0');
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
  if (hex.length % 2 || /[^\da-f]/i.test(hex))
    throw new RangeError(`"hex" expected pairs of hexadecimal digits, got length=${hex.length}`);
  const bytes = new Bytes(hex.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = parseInt(hex.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}
