/** Step 10: one call for four whole chunks. The words are transposed in linear memory, by shuffles of vectors. */
import { hashByGroups, type Group } from './groups.ts';

export const four: Group = { chunks: 4, whole: false };

export const hash = (message: Uint8Array): Uint8Array => hashByGroups(message, [four]);
