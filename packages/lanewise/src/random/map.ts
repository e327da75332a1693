/**
 * The memory map of ChaCha8Rand. MASKS and STATE are where ChaCha's kernels look for them.
 *
 *      offset  bytes  name
 *           0     48  MASKS   byte rotations, and a multiplier, public; after a call only they stay
 *        2624     64  STATE   ChaCha's input: constants, key, and a counter and a nonce of zero
 *        2880  62528  STAGE   the output, and after it the key of the next iteration
 */
import * as keystream from '../keystream/map.ts';

export { MASKS, MASKS_BYTES } from '../keystream/map.ts';
export const STATE = keystream.STATE;
/** The key is the second and the third row of ChaCha's input. */
export const KEY = STATE + 16;
export const KEY_BYTES = 32;
export const STAGE = keystream.STAGE;
/** One iteration makes sixteen blocks: 992 bytes of output, and 32 that are the key of the next. */
export const BLOCKS_BYTES = 1024;
export const OUTPUT_BYTES = 992;
/** The most iterations that one call makes. */
export const MOST_ITERATIONS = 63;
/** The size of the memory in pages of 64 KiB. */
export const PAGES = 1;
