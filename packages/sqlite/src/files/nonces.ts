/**
 * Nonces of XChaCha20-Poly1305, random ones. A call of the host's generator for each costs more than half of a page's encryption, so several
 * are drawn at once; but none is kept once the code that asked has returned to the event loop. If a virtual machine is copied
 * while it runs, the copies would otherwise go on with the same nonces, and use them for different pages.
 */
import { randomBytes } from 'lanewise/utils.js';

export const NONCE_BYTES = 24;
/** How many are drawn at first, and at most: a small transaction needs a few. */
const FEWEST = 8;
const MOST = 64;

let pool = new Uint8Array(0);
let used = 0;
let count = FEWEST;

function forget(): void {
  pool = new Uint8Array(0);
  used = 0;
  count = FEWEST;
}

/** Fills up to 24 bytes, with a nonce or the identity of a journal. None is given twice. */
export function writeRandom(into: Uint8Array): void {
  if (used === pool.length) {
    if (pool.length === 0) queueMicrotask(forget);
    pool = randomBytes(count * NONCE_BYTES);
    used = 0;
    count = Math.min(2 * count, MOST);
  }
  into.set(pool.subarray(used, used + into.length));
  used += NONCE_BYTES;
}
