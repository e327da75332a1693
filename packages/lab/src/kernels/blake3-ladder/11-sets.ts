/**
 * Step 11: one call for sixteen chunks. Four sets of four lanes take their rounds in turns, so that a processor finds instructions that do
 * not wait for each other.
 */
import { four } from './10-whole-chunks.ts';
import { hashByGroups, type Group } from './groups.ts';

const sixteen: Group = { chunks: 16, whole: false };

export const hash = (message: Uint8Array): Uint8Array => hashByGroups(message, [sixteen, four]);
