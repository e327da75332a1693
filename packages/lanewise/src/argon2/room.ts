/** The room of Argon2 for tools: its module and the sizes of its bundles. */
import { PLAIN_FORMS, type Room } from '../engine/description.ts';
import * as map from './map.ts';
import { argon2Module, argon2Text } from './module.ts';

export const room: Room = {
  lines: 1_150,
  modules: [
    {
      name: 'argon2',
      forms: PLAIN_FORMS,
      make: argon2Module,
      hexadecimal: true,
      pages: map.PAGES,
      mostPages: map.MOST_PAGES,
      map: [
        ['AGREED', map.ENDED, 4 * (map.LANES + map.MOST_THREADS)],
        ['ZERO', map.ZERO, 1024],
        ['SCRATCH', map.SCRATCH, map.SCRATCH_BYTES * map.MOST_THREADS],
        ['BLOCKS', map.BLOCKS, Infinity],
      ],
      functions: ['compress'],
      text: { file: 'argon2.ts', name: 'argon2', source: 'argon2/module.ts', module: argon2Text },
      mostSteps: 400_000,
    },
  ],
  budgets: [{ name: 'Argon2id', code: `export { argon2id } from 'lanewise/argon2.js';`, limit: 13_750, target: 9_000 }],
};
