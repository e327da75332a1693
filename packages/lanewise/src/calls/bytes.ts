/** Utilities: comparison, hexadecimal, wiping. */
import { checkAttached, typeOf, lengthOf, refuseSurplus } from './checks.ts';
import { byteLengthOf, Bytes, codeAt, fillBytes, part, typeName } from '../engine/intrinsics.ts';

/**
 * Compares two tags or keys in a time that depends on their lengths only.
 *
 * @throws TypeError if an argument isn't a Uint8Array.
 * @example
 * ```ts
 * import { equalBytes } from 'lanewise/utils.js';
 * equalBytes(new Uint8Array([1, 2]), new Uint8Array([1, 2])); // true
 * ```
 */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  refuseSurplus(arguments, 2);
  const length = lengthOf(a, 'a');
  if (lengthOf(b, 'b') !== length) return false;
  let differences = 0;
  for (let i = 0; i < length; i++) differences |= a[i] ^ b[i];
  return differences === 0;
}

/**
 * Overwrites typed arrays of any kind with zeros. It can't reach copies that the engine or the garbage collector made.
 *
 * @throws TypeError if an argument isn't a typed array; then none is wiped.
 * @example
 * ```ts
 * import { clean, randomBytes } from 'lanewise/utils.js';
 * const key = randomBytes(32);
 * clean(key);
 * ```
 */
export function clean(...arrays: readonly TypedArray[]): void {
  const views: Uint8Array[] = [];
  for (let i = 0; i < arrays.length; i++) views[i] = bytesOf(arrays[i]);
  for (let i = 0; i < views.length; i++) fillBytes(views[i], 0);
}

/**
 * A typed array of any kind; a DataView is none.
 * @inline
 */
export type TypedArray = ArrayBufferView & { readonly BYTES_PER_ELEMENT: number };

function bytesOf(array: TypedArray): Uint8Array {
  if (typeName(array) === undefined) throw new TypeError(`"bytes" expected typed array, got ${typeOf(array)}`);
  checkAttached(array, 'bytes', 'typed array');
  return part(array as unknown as Uint8Array, 0, byteLengthOf(array));
}

const DIGITS = '0123456789abcdef';

/**
 * Encodes bytes as lower-case hexadecimal. Not in constant time.
 *
 * @throws TypeError if the argument isn't a Uint8Array.
 * @example
 * ```ts
 * import { bytesToHex } from 'lanewise/utils.js';
 * bytesToHex(new Uint8Array([202, 254])); // 'cafe'
 * ```
 */
export function bytesToHex(bytes: Uint8Array): string {
  const length = lengthOf(bytes, 'bytes');
  let hex = '';
  for (let i = 0; i < length; i++) hex += DIGITS[bytes[i] >> 4] + DIGITS[bytes[i] & 15];
  return hex;
}

/**
 * Decodes hexadecimal, upper or lower case. Not in constant time.
 *
 * @throws TypeError if the argument isn't a string, RangeError if it isn't hexadecimal or has an odd length.
 * @example
 * ```ts
 * import { hexToBytes } from 'lanewise/utils.js';
 * hexToBytes('cafe'); // 202, 254
 * ```
 */
export function hexToBytes(hex: string): Uint8Array<ArrayBuffer> {
  if (typeof hex !== 'string') throw new TypeError(`"hex" expected string, got ${typeOf(hex)}`);
  const bytes = new Bytes(hex.length >> 1);
  const wrong = (got: string): RangeError => new RangeError(`"hex" expected pairs of hexadecimal digits, got ${got}`);
  for (let i = 0; i < hex.length; i++) {
    const value = digitOf(codeAt(hex, i));
    if (value > 15)
      throw wrong(`another character at index ${i}${i === 1 && hex[0] + hex[1] === '0x' ? ': leave 0x out' : ''}`);
    bytes[i >> 1] = (bytes[i >> 1] << 4) | value;
  }
  if (hex.length & 1) throw wrong(`length=${hex.length}`);
  return bytes;
}

/** The value of a hexadecimal digit, of its code; 16 or more for any other character. */
const digitOf = (code: number): number => ((code ^ 48) < 10 ? code ^ 48 : (((code | 32) - 97) >>> 0) + 10);
