/**
 * The memory map of Argon2. Each derivation has a memory of its own, as large as its parameters demand.
 *
 *      offset  bytes  name
 *           0     88  AGREED   only if threads share the memory: 32-bit words ENDED, whether the derivation has ended; ACTIVE, how many threads
 *                              are at a job; LANES, how many jobs of each lane have begun
 *        1024   1024  ZERO     the block of zeros that addresses are made with; nothing writes to it
 *        2048  61440  SCRATCH  of each lane, if threads fill them, 3 KiB: the block Z within G (RFC 9106 §3.5); ADDRESSES, 128 pairs J1, J2
 *                              (§3.4.1.2), which are public, and BETWEEN, from which they are made
 *       65536         BLOCKS   the matrix B, of m' blocks, lane after lane
 */
export const ZERO = 1024;
/** The numbers of the words that threads agree by. */
export const ENDED = 0;
export const ACTIVE = 1;
export const LANES = 2;
export const SCRATCH = 2048;
export const SCRATCH_BYTES = 3072;
/** The most lanes that threads fill. */
export const MOST_THREADS = 20;
/** The places of ADDRESSES and BETWEEN after Z. */
export const ADDRESSES = 1024;
export const BETWEEN = 2048;
export const BLOCKS = 65536;
/** The size of the memory in pages of 64 KiB, before it grows for a derivation; and the most that addresses reach. */
export const PAGES = 2;
export const MOST_PAGES = 65536;
