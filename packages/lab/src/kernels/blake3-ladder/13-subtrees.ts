/** Step 13: subtrees of 64 KiB. Most levels of the tree then have enough parents for all lanes of all sets. */
import { four } from './10-whole-chunks.ts';
import { sixteenToOne } from './12-parents.ts';
import { hashByGroups, type Group } from './groups.ts';

const sixtyFourToOne: Group = { chunks: 64, whole: true };

export const hash = (message: Uint8Array): Uint8Array => hashByGroups(message, [sixtyFourToOne, sixteenToOne, four]);
