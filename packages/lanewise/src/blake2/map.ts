/**
 * The memory map of BLAKE2b and BLAKE2s.
 *
 *      offset  bytes  name
 *           0     64  H      the chaining value: at first the parameter block, at the end the digest
 *          64    128  V      the work vector of a kernel that keeps it in memory
 *         256  64512  STAGE  blocks of the message
 */
export const H = 0;
export const V = 64;
export const V_BYTES = 128;
export const STAGE = 256;
export const STAGE_BYTES = 64512;
/** The size of the memory in pages of 64 KiB. */
export const PAGES = 1;
