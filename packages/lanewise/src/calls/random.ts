/** Bytes from the host's generator. */
import { refuseSurplus, sizeOf } from './checks.ts';
import { Bytes, min, part } from '../engine/intrinsics.ts';

/** The most bytes that one call of the Web Crypto API returns. */
const MOST = 65536;

/**
 * Returns random bytes from the host's cryptographic generator (`crypto.getRandomValues`).
 *
 * @param length - The number of bytes, also above 65,536; by default 32.
 * @returns Fresh bytes.
 * @throws RangeError if the length isn't an integer from 0 up, Error if the host has no such generator: the bytes are never weaker ones.
 * @example
 * ```ts
 * import { randomBytes } from 'lanewise/utils.js';
 * const key = randomBytes(32);
 * ```
 */
export function randomBytes(length = 32): Uint8Array<ArrayBuffer> {
  refuseSurplus(arguments, 1);
  sizeOf(length, 'length');
  // The generator is looked up when it is needed: in Node, reading `crypto` alone loads milliseconds of code.
  const generator = (globalThis as { crypto?: { getRandomValues(bytes: Uint8Array): Uint8Array } }).crypto;
  if (typeof generator?.getRandomValues !== 'function') throw new Error('crypto.getRandomValues is not available');
  const bytes = new Bytes(length);
  for (let from = 0; from < length; from += MOST)
    generator.getRandomValues(part(bytes, from, min(MOST, length - from)));
  return bytes;
}
