/**
 * The memory map of BLAKE3.
 *
 *      offset  bytes  name
 *           0     48  MASKS   byte rotations, and a multiplier; public, and the only thing that stays after a call
 *          64   2304  SETS    four sets of four compressions, 576 bytes each: see blake3/lanes.ts
 *        2368   4096  CVS     chaining values of a tree from its second level on, 2, 4, 8 …, and room for lanes that are not filled
 *        6464     32  KEY     the start of chunks and parents: the key, or the initial value
 *        6528     64  CV      a chaining value, and with it the other half of an output block
 *        6592     64  BLOCK   the block of the root node
 *        6720  65536  STAGE   the message, or output
 *       72256  15360          the bytes that unfilled lanes read and write
 */
import * as blake3 from './rounds.ts';

export const MASKS = 0;
export const MASKS_BYTES = 48;
export const SETS = 64;
export const CVS = SETS + 2304;
export const KEY = CVS + 4096;
export const CV = KEY + 64;
export const BLOCK = CV + 64;
export const STAGE = 6720;
export const STAGE_BYTES = 65536;
export const PAGES = 2;
export const CV_BYTES = 32;
/** Where the secrets begin that a call with `length` bytes in STAGE leaves: one chunk needs neither sets nor a tree. */
export const secretsFrom = (length: number): number => (length <= blake3.CHUNK ? KEY : SETS);
/**
 * Where these secrets end: the last block of a message is padded, and lanes may write after the last block of output.
 */
export const secretsTo = (length: number): number =>
  STAGE + length + (length <= blake3.CHUNK ? blake3.BLOCK_BYTES : 1024);
