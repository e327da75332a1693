/** The room of streams for tools: the sizes of its bundles. It has no module of its own. */
import type { Room } from '../engine/description.ts';

export const room: Room = {
  lines: 2_610,
  modules: [],
  budgets: [
    { name: 'streams, three formats', code: `export * from 'lanewise/stream.js';`, limit: 32_950 },
    {
      name: 'chunked streams',
      code: `export { chunked } from 'lanewise/stream.js';`,
      limit: 25_300,
      hasNot: [/its FINAL message/],
    },
  ],
};
