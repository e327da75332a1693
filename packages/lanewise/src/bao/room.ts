/** The room of verified streaming for tools: the sizes of its bundles. Its kernel is that of BLAKE3. */
import type { Room } from '../engine/description.ts';

export const room: Room = {
  lines: 1_700,
  modules: [],
  budgets: [
    { name: 'verified streaming', code: `export * from 'lanewise/bao.js';`, limit: 22_000 },
    { name: 'verified streaming, outboards only', code: `export { outboard } from 'lanewise/bao.js';`, limit: 16_600 },
  ],
};
