/** Objects of `lanewise/disk.js` that work by turns with all others. */
import type { Family } from '../../support/interleaved/actor.ts';
import * as disk from '../../support/interleaved/disk.ts';

export const families: readonly Family[] = [disk.pages, disk.pages];
