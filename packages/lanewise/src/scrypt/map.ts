/**
 * The memory map of scrypt. Each derivation has a memory of its own, which is as large as its parameters demand.
 *
 *      offset  bytes  name
 *           0    256  CONSTANTS  of SHA-256, public; every call that needs them writes them
 *         256    256  SCHEDULE   the message schedule of SHA-256
 *         512     32  STATE      the chaining value of SHA-256, big-endian: at the end it is the digest
 *         544     32  INNER      the chaining value of HMAC after the key and the inner pad
 *         576     32  OUTER      the one after the key and the outer pad
 *         608     32  STARTED    the one after INNER and all whole blocks of PBKDF2's salt
 *         640     64  DIGEST     the last block of HMAC: a digest, padded
 *        1024   3072  STAGE      bytes of the caller; then the last blocks of PBKDF2's salt, padded
 *        4096         ROWS       V, then X and Y of RFC 7914 §5, rows of 128 r bytes; after them B of §6
 */
export const CONSTANTS = 0;
export const SCHEDULE = 256;
export const STATE = 512;
export const STATE_BYTES = 32;
export const INNER = 544;
export const OUTER = 576;
export const STARTED = 608;
export const DIGEST = 640;
export const STAGE = 1024;
export const STAGE_BYTES = 3072;
/** A multiple of the size of a page of memory, so that no row of r = 8 lies in two of them. */
export const ROWS = 4096;

/** The blocks of Salsa20 and of SHA-256. */
export const BLOCK_BYTES = 64;
/** The size of the memory in pages of 64 KiB, before it grows for a derivation; and the most that addresses reach. */
export const PAGES = 1;
export const MOST_PAGES = 65536;
