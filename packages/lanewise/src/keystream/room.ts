/** The description that the rooms of ChaCha and Salsa20 share; there is no module of the keystream alone. */
import type { Area, KernelModule } from '../engine/description.ts';
import { STATE_BYTES } from '../poly1305/map.ts';
import * as map from './map.ts';

/** The memory map of a module with ChaCha or Salsa20. */
const areas: readonly Area[] = [
  ['MASKS', map.MASKS, map.MASKS_BYTES],
  ['AAD', map.AAD, map.AAD_BYTES],
  ['SETS', map.SETS, map.ASIDE - map.SETS],
  ['ASIDE', map.ASIDE, map.STATE - map.ASIDE],
  ['STATE', map.STATE, map.TAG - map.STATE],
  ['TAG', map.TAG, 16],
  ['POLY', map.POLY, STATE_BYTES],
  ['HEAD', map.HEAD, map.BLOCK_BYTES],
  ['STAGE', map.STAGE, Infinity],
];

/** A module for messages of all lengths, or one for short messages alone. */
export const sized = (short: boolean): Pick<KernelModule, 'pages' | 'map' | 'functions' | 'mostSteps'> => ({
  pages: short ? map.SHORT_PAGES : map.PAGES,
  map: areas,
  functions: 'absorb begin decrypt encrypt extend finish open seal verify xor'.split(' '),
  mostSteps: short ? 50_000 : 300_000,
});
