/** Objects of `lanewise/nacl.js` that work by turns with all others. */
import type { Family } from '../../support/interleaved/actor.ts';
import * as sealers from '../../support/interleaved/sealers.ts';

export const families: readonly Family[] = [sealers.naclBox];
