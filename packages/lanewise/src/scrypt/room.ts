/** The room of scrypt for tools: its module and the size of its bundle. */
import type { Room } from '../engine/description.ts';
import * as map from './map.ts';
import { scryptModule } from './module.ts';

export const room: Room = {
  lines: 670,
  modules: [
    {
      name: 'scrypt',
      forms: ['scalar'],
      make: scryptModule,
      hexadecimal: true,
      pages: map.PAGES,
      mostPages: map.MOST_PAGES,
      map: [
        ['CONSTANTS', map.CONSTANTS, 256],
        ['SCHEDULE', map.SCHEDULE, 256],
        ['STATE', map.STATE, map.STATE_BYTES],
        ['INNER', map.INNER, map.STATE_BYTES],
        ['OUTER', map.OUTER, map.STATE_BYTES],
        ['STARTED', map.STARTED, map.STATE_BYTES],
        ['DIGEST', map.DIGEST, map.BLOCK_BYTES],
        ['STAGE', map.STAGE, map.STAGE_BYTES],
        ['ROWS', map.ROWS, Infinity],
      ],
      functions: ['compress', 'fill', 'mix', 'start'],
      text: { file: 'scrypt.ts', name: 'scrypt', source: 'scrypt/module.ts', module: scryptModule },
      mostSteps: 400_000,
    },
  ],
  budgets: [{ name: 'scrypt', code: `export { scrypt, scryptSync } from 'lanewise/scrypt.js';`, limit: 10_850 }],
};
