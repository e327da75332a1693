/** Secretbox in the memory map of keystream/map.ts: its message begins in the block of the one-time key. */
import { STAGE } from '../keystream/map.ts';
import { BLOCK_BYTES } from '../poly1305/map.ts';

/** The bytes of a message that are in the block of the one-time key. */
export const FIRST_BYTES = 32;
/** The address of the message; its tag is in front of it. */
export const BOX = STAGE - FIRST_BYTES;
export const TAG_BYTES = BLOCK_BYTES;
