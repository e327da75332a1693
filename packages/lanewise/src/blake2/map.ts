/**
 * The memory map of BLAKE2b and BLAKE2s.
 *
 *      offset  bytes  name
 *           0    192  SIGMA  the places of the message's words in a block, 16 for each round; every call writes them
 *         256     64  H      the chaining value: at first the parameter block, at the end the digest
 *         320    128  V      the work vector of a kernel that keeps it in memory
 *         512  64512  STAGE  blocks of the message
 */
export const SIGMA = 0;
export const SIGMA_BYTES = 192;
export const H = 256;
export const V = 320;
export const V_BYTES = 128;
export const STAGE = 512;
export const STAGE_BYTES = 64512;
/** The size of the memory in pages of 64 KiB. */
export const PAGES = 1;
