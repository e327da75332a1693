/** The room of BLAKE3 for tools: its module and the size of its bundle. */
import { EVERY_FORM, SIGMA_MARK, type Room } from '../engine/description.ts';
import * as map from './map.ts';
import { blake3Module } from './module.ts';

export const room: Room = {
  lines: 1_770,
  modules: [
    {
      name: 'blake3',
      // Messages of up to two chunks take the scalar form on every engine.
      forms: EVERY_FORM,
      make: (lanes) => blake3Module({ lanes }),
      pages: map.PAGES,
      map: [
        ['MASKS', map.MASKS, map.MASKS_BYTES],
        ['SETS', map.SETS, map.CVS - map.SETS],
        ['CVS', map.CVS, map.KEY - map.CVS],
        ['KEY', map.KEY, map.CV_BYTES],
        ['CV', map.CV, 64],
        ['BLOCK', map.BLOCK, 64],
        ['STAGE', map.STAGE, map.STAGE_BYTES],
        ['BEHIND', map.STAGE + map.STAGE_BYTES, Infinity],
      ],
      functions: 'chunk copyUp hash many output parent prepare tree'.split(' '),
      text: {
        file: 'blake3.ts',
        name: 'blake3',
        source: 'blake3/module.ts',
        module: () => blake3Module({}),
      },
      mostSteps: 5_000_000,
    },
  ],
  budgets: [
    {
      name: 'BLAKE3, three engines',
      code: `export { blake3 } from 'lanewise/blake3.js';`,
      limit: 11_950,
      target: 10_500,
      hasNot: [SIGMA_MARK],
    },
    { name: 'BLAKE3, digests alone', code: `export { hash } from 'lanewise/blake3.js';`, limit: 10_700 },
  ],
};
