/** Bytes from the host's generator. */
import { Bytes, part } from './engine/intrinsics.ts';

/** The Web Crypto API gives at most so many bytes a call. */
const MOST = 65536;

type Host = { getRandomValues(bytes: Uint8Array): Uint8Array } | undefined;
const host = (): Host => (globalThis as { crypto?: Host }).crypto;
/** Taken when loaded, so that nobody can put another in its place; hosts that bring theirs later are asked again. */
const loaded = /* @__PURE__ */ host();

/**
 * Random bytes of the host's cryptographic generator (`crypto.getRandomValues`).
 *
 * @param length - How many; not limited to 65,536. 32 unless given.
 * @returns Fresh bytes.
 * @throws RangeError if the length is no integer from 0 up, Error if the host has no such generator: never weaker ones.
 * @example
 * ```ts
 * import { randomBytes } from 'lanewise/utils.js';
 * const key = randomBytes(32);
 * ```
 */
export function randomBytes(length = 32): Uint8Array<ArrayBuffer> {
  if (typeof length !== 'number') throw new TypeError(`"length" expected integer, got type=${typeof length}`);
  if (!Number.isSafeInteger(length) || length < 0)
    throw new RangeError(`"length" expected integer from 0 up, got ${length}`);
  const generator = loaded ?? host();
  if (typeof generator?.getRandomValues !== 'function') throw new Error('crypto.getRandomValues is not available');
  const bytes = new Bytes(length);
  for (let from = 0; from < length; from += MOST) generator.getRandomValues(part(bytes, from, Math.min(MOST, length - from)));
  return bytes;
}
