/**
 * The memory map of SHA-2: the same for both sizes of words, of 4 and of 8 bytes, so areas have the size for the larger.
 *
 *      offset  bytes  name
 *           0    640  CONSTANTS  the round constants, public; written once by the binding
 *         640    640  SCHEDULE   the message schedule
 *         896    256  SUMS       SHA-256 in vectors: the sums of its words and of the constants
 *        1408     64  STATE      the chaining value, words as the machine has them
 *        1472     64  INITIAL    the initial chaining value of the hash function
 *        1536     64  INNER      the chaining value of HMAC after the key and the inner pad
 *        1600     64  OUTER      the one after the key and the outer pad
 *        1664    128  DIGEST     a digest, big-endian; for HMAC, the last block of its outer hash
 *        1792     64  SUM        PBKDF2: the exclusive or of the digests, big-endian
 *        2048  65536  STAGE      bytes of the caller
 *       67584    256  PADDING    that of a message which fills the stage
 */
export const CONSTANTS = 0;
export const SCHEDULE = 640;
/** In the second half of the schedule of longer words. */
export const SUMS = 896;
export const STATE = 1408;
export const STATE_BYTES = 64;
export const INITIAL = 1472;
export const INNER = 1536;
export const OUTER = 1600;
export const DIGEST = 1664;
export const SUM = 1792;
/** From INNER up to here is all that PBKDF2 keeps from one slice to the next. */
export const SUM_END = 1856;
export const STAGE = 2048;
export const STAGE_BYTES = 65536;
export const PADDING_BYTES = 256;
/** The first byte that no call writes. */
export const END = 67840;
export const PAGES = 2;

/*
 * The memory map of messages of SHA-256 side by side, one in each lane.
 *
 *      offset  bytes  name
 *           0    256  CONSTANTS
 *         640   1024  SCHEDULE        word 0 of each lane, word 1 of each …
 *        1664    128  LANES_STATE     the chaining values, in the same order
 *        1792     32  LANES_INITIAL   the initial chaining value
 *        1824    128  LANES_DIGESTS   the digests, big-endian, one after the other
 *        2048  61440  LANES_STAGE     bytes of the callers, LANE_BYTES for each lane
 */
export const LANES = 4;
export const LANES_STATE = 1664;
export const LANES_INITIAL = 1792;
export const LANES_DIGESTS = 1824;
export const LANES_STAGE = 2048;
export const LANE_BYTES = 15360;
export const LANES_PAGES = 1;
