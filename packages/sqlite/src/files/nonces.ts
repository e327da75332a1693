/** Nonces of XChaCha20-Poly1305, random ones: a call of the generator for each costs more than half of a page's encryption. */
import { randomBytes } from 'lanewise/utils.js';

export const NONCE_BYTES = 24;
const POOL_BYTES = 64 * NONCE_BYTES;

let pool = new Uint8Array(0);
let used = 0;

/** Writes the next nonce. None is given twice. */
export function writeNonce(into: Uint8Array, at: number): void {
  if (used === pool.length) {
    pool = randomBytes(POOL_BYTES);
    used = 0;
  }
  into.set(pool.subarray(used, used + NONCE_BYTES), at);
  used += NONCE_BYTES;
}
