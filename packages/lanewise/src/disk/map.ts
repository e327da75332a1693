/**
 * The memory map of Adiantum and HPolyC. The areas of ChaCha that both need (MASKS, SETS, STATE, POLY, HEAD) stay where
 * keystream/map.ts has them; the others lie around these.
 *
 *      offset  bytes  name
 *           0     48  MASKS    of ChaCha, public
 *          48     64  ROWS     of AES: byte permutations, public
 *         112    128  MIDDLE   AES's input or output blocks of up to eight pages
 *         240    256  TWEAKED  the results of the tweak's hash for up to eight pages: see hash-kernel.ts
 *         496    256  SUBKEYS  of up to eight pages
 *        1088   1024  SETS     ChaCha's; also AES's SLICES: the state of its computation
 *        2624     80  STATE    ChaCha's
 *        2704     16  HASH     the hash of a page
 *        2720     64  POLY     Poly1305
 *        2816     64  HEAD     ChaCha's: room for a block
 *        2880     32  KEY      the cipher's own key, and XChaCha's
 *        2912    240  ROUND    the 15 round keys of AES, with the constant of the S-box
 *        3152     32  POLY_KEY r for the tweak, and for the message
 *        3184   1072  NH_KEY   Adiantum only
 *        4256   1920  SLICED   the round keys as AES adds them
 *        6176   2080  NH       hashes of the pieces of a page
 *        8256   8192  HEADS    the bytes hashed before each page's message: lengths and tweak
 *       16448         STAGE    the pages, and room after them for the rest of a last set
 */
import { HEAD, MASKS_BYTES, SETS, TAG } from '../keystream/map.ts';

export { BLOCK_BYTES as STREAM_BLOCK, HEAD, MASKS, POLY, SETS, STATE } from '../keystream/map.ts';

export const ROWS = MASKS_BYTES;
export const MIDDLE = ROWS + 64;
/** AES's blocks. */
export const BLOCK = 16;
export const MOST_PAGES = 8;
export const TWEAKED = MIDDLE + MOST_PAGES * BLOCK;
export const TWEAKED_BYTES = 32;
export const SUBKEYS = TWEAKED + MOST_PAGES * TWEAKED_BYTES;
export const SUBKEY_BYTES = 32;
export const SLICES = SETS;
export const HASH = TAG;
export const KEY = HEAD + 64;
export const KEY_BYTES = 32;
export const ROUND = KEY + KEY_BYTES;
export const ROUND_BYTES = 240;
export const POLY_KEY = ROUND + ROUND_BYTES;
export const NH_KEY = POLY_KEY + 32;
export const NH_KEY_BYTES = 1072;
/** The bytes of keys that a cipher keeps between calls: for Adiantum all, for HPolyC without the keys of NH. */
export const KEYS_BYTES = NH_KEY + NH_KEY_BYTES - KEY;
export const SHORT_KEYS_BYTES = NH_KEY - KEY;
export const SLICED = NH_KEY + NH_KEY_BYTES;
export const SLICED_BYTES = 1920;
export const NH = SLICED + SLICED_BYTES;
export const NH_BYTES = 2080;
export const HEADS = NH + NH_BYTES;
export const HEADS_BYTES = 8192;
export const STAGE = HEADS + HEADS_BYTES;
export const STAGE_BYTES = 65536;
/** The bytes after the last page that may be written, because sets of four blocks are written whole. */
export const MARGIN = 256;
/** The size of the memory in pages of 64 KiB. */
export const PAGES = 2;
