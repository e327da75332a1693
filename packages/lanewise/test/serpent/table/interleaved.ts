/** Objects of `lanewise/serpent.js` that work by turns with all others. */
import type { Family } from '../../support/interleaved/actor.ts';
import * as serpent from '../../support/interleaved/serpent.ts';

export const families: readonly Family[] = [
  serpent.ocb,
  serpent.ctr,
  serpent.littleEndian,
  serpent.blocks,
  serpent.many,
];
