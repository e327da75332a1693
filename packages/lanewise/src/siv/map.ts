/**
 * The memory map of ChaCha20-Poly1305-SIV: places for its intermediate values in the map of ChaCha's kernels
 * (keystream/map.ts), which the functions that it calls do not use meanwhile.
 *
 *      place         bytes  name
 *      HEAD             16  MAC       the tag of Poly1305
 *      HEAD + 32        32  TAG_KEY   the second subkey, from which tag and encryption key are derived
 *      ASIDE + 256      32  TAG       the tag of the message
 *      ASIDE + 64       64  BLOCK     a block of ChaCha20; its second half is the encryption key
 */
import { ASIDE, HEAD } from '../keystream/map.ts';

export const MAC = HEAD;
export const TAG_KEY = HEAD + 32;
export const TAG = ASIDE + 256;
export const BLOCK = ASIDE + 64;

export const KEY_BYTES = 32;
export const NONCE_BYTES = 16;
/** Of the specification; a tag of Poly1305 has 16. */
export const TAG_BYTES = 32;
