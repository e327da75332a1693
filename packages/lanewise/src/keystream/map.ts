/**
 * The memory map of ChaCha and Salsa20.
 *
 *      offset  bytes  name
 *           0     48  MASKS   byte rotations, and a multiplier, public; after a call only they stay, and ciphertext in STAGE and ASIDE
 *          64   1024  AAD     additional data of a message that takes one call
 *        1088   1024  SETS    up to four sets of four blocks: word w of the four blocks of set s at 256·s + 16·w
 *        2112    512  ASIDE   a short ciphertext, while its place already holds plaintext and the MAC is not yet taken
 *        2624     64  STATE   the input in the order of keystream/core.ts: constants, key, counter and nonce
 *        2688      8          the last 8 bytes of a 24-byte nonce, whose first 16 are in the state
 *        2696      8          and the block counter that goes with it
 *        2704     16  TAG     the tag that a message came with
 *        2720     64  POLY    Poly1305: accumulator, r, s
 *        2816     64  HEAD    the block before the message, for the one-time key
 *        2880         STAGE   the message, and its tag after it
 */

export const MASKS = 0;
export const MASKS_BYTES = 48;
export const AAD = 64;
export const AAD_BYTES = 1024;
export const SETS = AAD + AAD_BYTES;
export const ASIDE = SETS + 1024;
export const STATE = ASIDE + 512;
export const TAG = STATE + 80;
export const POLY = TAG + 16;
export const HEAD = 2816;
export const STAGE = HEAD + 64;
/**
 * The most bytes that one call takes: whole groups of blocks, so that a longer message goes on where the call stopped.
 */
export const STAGE_BYTES = 122880;
/** The sizes of memories in pages of 64 KiB. One page has room for short messages, of no more than SHORT_BYTES. */
export const PAGES = 2;
export const SHORT_PAGES = 1;
export const SHORT_BYTES = 64;
export const BLOCK_BYTES = 64;
/** The bytes of a set: four blocks, which vectors compute together. The last set of a message is XORed whole … */
export const SET_BYTES = 256;
/** … so kernels write up to this many bytes after a message, its tag included. */
export const MARGIN = SET_BYTES;
export const word = (w: number): number => STATE + 4 * w;
/** The first address where a message of `length` bytes leaves secrets: up to three blocks don't go into sets. */
export const secretsFrom = (length: number): number => (length <= 2 * BLOCK_BYTES ? STATE : SETS);
/**
 * The contents of STATE when a call starts: everything, because the call continues the last one, or key and nonce without
 * constants.
 */
export const CONTINUE = 0;
export const PLAIN = 1;
/** A key of 16 bytes, twice: Salsa20's, and the original ChaCha's. */
export const SHORT_KEY = 2;
/** A nonce of 24 bytes, to be shortened. */
export const EXTENDED = 3;
