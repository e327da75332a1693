/** The room of Poly1305 for tools: its module and the size of its bundle. */
import { SIGMA_MARK, type Room } from '../engine/description.ts';
import { floats } from './floats.ts';
import { integers } from './kernel.ts';
import { PAGES, STAGE, STAGE_BYTES, STATE, STATE_BYTES, TAG } from './map.ts';
import { poly1305Module } from './module.ts';

export const room: Room = {
  lines: 515,
  modules: [
    {
      name: 'poly1305',
      forms: ['scalar'],
      make: () => poly1305Module(integers),
      hexadecimal: true,
      pages: PAGES,
      map: [
        ['STATE', STATE, STATE_BYTES],
        ['TAG', TAG, 16],
        ['STAGE', STAGE, STAGE_BYTES],
      ],
      functions: 'absorb finish mac start'.split(' '),
      text: {
        file: 'poly1305.ts',
        name: 'poly1305',
        source: 'poly1305/module.ts',
        module: () => poly1305Module(floats),
      },
      mostSteps: 50_000,
    },
  ],
  budgets: [
    {
      name: 'Poly1305 alone',
      code: `export { poly1305 } from 'lanewise/poly1305.js';`,
      limit: 5_400,
      hasNot: [SIGMA_MARK],
    },
  ],
};
