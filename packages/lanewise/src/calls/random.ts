/** Bytes from the host's generator. */
import { typeOf, refuseExtra } from './checks.ts';
import { Bytes, floor, min, part } from '../engine/intrinsics.ts';

/** The most bytes that one call of the Web Crypto API returns. */
const MOST = 65536;

interface Generator {
  getRandomValues(bytes: Uint8Array): Uint8Array;
}

/**
 * Random bytes of the host's cryptographic generator (`crypto.getRandomValues`).
 *
 * @param length - How many; not limited to 65,536. 32 unless given.
 * @returns Fresh bytes.
 * @throws RangeError if the length isn't an integer from 0 up, Error if the host has no such generator: never weaker ones.
 * @example
 * ```ts
 * import { randomBytes } from 'lanewise/utils.js';
 * const key = randomBytes(32);
 * ```
 */
export function randomBytes(length?: number): Uint8Array<ArrayBuffer>;
export function randomBytes(length = 32, extra?: unknown): Uint8Array<ArrayBuffer> {
  refuseExtra(extra, 1);
  if (typeof length !== 'number') throw new TypeError(`"length" expected integer, got ${typeOf(length)}`);
  if (length < 0 || length >= 2 ** 53 || floor(length) !== length)
    throw new RangeError(`"length" expected integer from 0 up, got ${length}`);
  // The generator is looked up when it is needed: in Node, reading `crypto` alone loads milliseconds of code.
  const generator = (globalThis as { crypto?: Generator }).crypto;
  if (typeof generator?.getRandomValues !== 'function') throw new Error('crypto.getRandomValues is not available');
  const bytes = new Bytes(length);
  for (let from = 0; from < length; from += MOST)
    generator.getRandomValues(part(bytes, from, min(MOST, length - from)));
  return bytes;
}
