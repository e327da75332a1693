/** The room of pools for tools: the sizes of its bundles. It has no module of its own. */
import type { Room } from '../engine/description.ts';

export const room: Room = {
  lines: 1_045,
  modules: [],
  budgets: [
    {
      name: 'a pool',
      code: `export { createPool } from 'lanewise/pool.js';`,
      limit: 34_500,
      hasNot: [/whole chunks more/],
    },
    { name: 'the worker of a pool', code: `import 'lanewise/worker.js';`, limit: 41_900 },
  ],
};
