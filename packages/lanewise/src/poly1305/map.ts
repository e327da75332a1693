/**
 * The memory map of Poly1305 alone.
 *
 *      offset  bytes  name
 *          64     64  STATE   accumulator, r, s: below
 *         128     16  TAG
 *         192  65280  STAGE   the message, and room after it for the padding of its last block
 */

export const STATE = 64;
export const TAG = 128;
export const STAGE = 192;
export const STAGE_BYTES = 65280;
export const PAGES = 1;

/**
 * The state, 64 bytes at an address of the caller's choice, the same in every engine:
 *
 *      0  h, the accumulator, five little-endian words, the last of them small
 *     32  r, clamped
 *     48  s
 *
 * so that a caller writes the one-time key (r ‖ s) at 32.
 */
export const KEY = 32;
export const STATE_BYTES = 64;
export const S = KEY + 16;
export const BLOCK_BYTES = 16;
