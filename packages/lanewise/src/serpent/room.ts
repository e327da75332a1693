/** The room of Serpent for tools: its modules and the size of its bundle. */
import { PLAIN_FORMS, SIGMA_MARK, type Room } from '../engine/description.ts';
import { serpentCtrModule } from './ctr-module.ts';
import * as map from './map.ts';
import { serpentModule } from './module.ts';

/** Serpent rotates by nothing that a swizzle could do, so its vectors use no relaxed instruction. */
const common = {
  forms: PLAIN_FORMS,
  pages: map.PAGES,
  map: [
    ['KEY', map.KEY, map.KEY_BYTES],
    ['ROUND', map.ROUND, 528],
    ['SETS', map.SETS, 256],
    ['WORK', map.WORK, map.WORK_BYTES],
    ['OFFSETS', map.OFFSETS, map.STRETCH - map.OFFSETS],
    ['STRETCH', map.STRETCH, map.AAD - map.STRETCH],
    ['AAD', map.AAD, map.AAD_BYTES],
    ['COUNTER', map.COUNTER, 16],
    ['IV', map.IV, 16],
    ['STAGE', map.STAGE, Infinity],
  ],
  mostSteps: 1_000_000,
} as const;

export const room: Room = {
  lines: 1_535,
  modules: [
    {
      name: 'serpent',
      make: (lanes) => serpentModule({ lanes: lanes !== undefined }),
      functions:
        'begin cbcDecrypt cbcEncrypt cbcMany decrypt ecbDecrypt ecbEncrypt encrypt finish hash open seal verify'.split(
          ' ',
        ),
      text: {
        file: 'serpent.ts',
        name: 'serpent',
        source: 'serpent/module.ts',
        module: () => serpentModule({}),
      },
      ...common,
    },
    {
      name: 'serpent-ctr',
      make: (lanes) => serpentCtrModule({ lanes: lanes !== undefined }),
      functions: ['ctr'],
      text: {
        file: 'serpent-ctr.ts',
        name: 'serpentCtr',
        source: 'serpent/ctr-module.ts',
        module: () => serpentCtrModule({}),
      },
      ...common,
    },
  ],
  budgets: [
    {
      name: 'Serpent CTR, three engines',
      code: `export { ctr } from 'lanewise/serpent.js';`,
      limit: 8_880,
      hasNot: [SIGMA_MARK],
    },
  ],
};
