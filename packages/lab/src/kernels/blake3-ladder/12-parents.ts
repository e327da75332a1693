/** Step 12: parents in lanes. The same call makes one chaining value of the sixteen, level by level. */
import { four } from './10-whole-chunks.ts';
import { hashByGroups, type Group } from './groups.ts';

export const sixteenToOne: Group = { chunks: 16, whole: true };

export const hash = (message: Uint8Array): Uint8Array => hashByGroups(message, [sixteenToOne, four]);
