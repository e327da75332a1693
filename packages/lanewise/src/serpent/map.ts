/**
 * The memory map of Serpent and its modes.
 *
 *      offset  bytes  name
 *          64     32  KEY      of 256 bits: a shorter one is padded by the caller
 *          96    528  ROUND    the 33 round keys, with the constants of the S-boxes
 *         640    256  SETS     up to four sets of four blocks: word w of the four blocks of set s at 64·s + 16·w
 *         896    256  WORK     up to sixteen blocks: counters and keystream, or values between two additions
 *        1152    256  OFFSETS  OCB: of up to sixteen blocks
 *        1408     16  STAR     OCB: L_*
 *        1424     16  DOLLAR   OCB: L_$
 *        1440    512  L        OCB: L_0 to L_31
 *        1952     32  STRETCH  OCB: the nonce, then the stretched block
 *        1984     16  OFFSET   OCB: of the last block
 *        2000     16  CHECKSUM OCB: of the plaintext
 *        2016     16  SUM      OCB: of the additional data
 *        2032     16  TAG      OCB: the tag that a message came with
 *        2048   1024  AAD      OCB: additional data of a message that takes one call
 *        3072     16  COUNTER  CTR: of the next block, always little-endian; 16 spare bytes after it
 *        3104     16  IV       CBC: the block before the first
 *        3120         STAGE    the message, and OCB's tag after it
 */

export const KEY = 64;
export const KEY_BYTES = 32;
export const ROUND = KEY + KEY_BYTES;
export const SETS = 640;
export const WORK = 896;
export const WORK_BYTES = 256;
export const OFFSETS = WORK + WORK_BYTES;
export const STAR = 1408;
export const DOLLAR = STAR + 16;
export const L = DOLLAR + 16;
export const STRETCH = 1952;
export const OFFSET = STRETCH + 32;
export const CHECKSUM = OFFSET + 16;
export const SUM = CHECKSUM + 16;
export const TAG = SUM + 16;
export const AAD = 2048;
export const AAD_BYTES = 1024;
export const COUNTER = AAD + AAD_BYTES;
export const IV = 3104;
export const STAGE = IV + 16;
/**
 * The most bytes that one call takes: whole groups of sixteen blocks, so that a longer message goes on where the call
 * stopped.
 */
export const STAGE_BYTES = 122880;
/** The bytes that may be written after the message: a tag, padding, or blocks that fill a pair of sets. */
export const MARGIN = 128;
/** The size of the memory in pages of 64 KiB. */
export const PAGES = 2;
export const BLOCK = 16;
