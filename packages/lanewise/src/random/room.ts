/** The room of ChaCha8Rand for tools: its module and the size of its bundle. */
import { EVERY_FORM, type Room } from '../engine/description.ts';
import * as map from './map.ts';
import { randomModule } from './module.ts';

export const room: Room = {
  lines: 430,
  modules: [
    {
      name: 'random',
      forms: EVERY_FORM,
      make: (lanes) => randomModule({ lanes }),
      hexadecimal: true,
      pages: map.PAGES,
      map: [
        ['MASKS', map.MASKS, map.MASKS_BYTES],
        ['STATE', map.STATE, 64],
        ['STAGE', map.STAGE, Infinity],
      ],
      functions: ['generate'],
      text: {
        file: 'random.ts',
        name: 'random',
        source: 'random/module.ts',
        module: () => randomModule({}),
      },
      mostSteps: 200_000,
    },
  ],
  budgets: [
    {
      name: 'ChaCha8Rand, three engines',
      code: `export { chacha8rand } from 'lanewise/random.js';`,
      limit: 6_480,
    },
  ],
};
