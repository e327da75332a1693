/** The room of boxes for tools: the sizes of its bundles. It has no module of its own. */
import type { Room } from '../engine/description.ts';

export const room: Room = {
  lines: 615,
  modules: [],
  budgets: [
    { name: 'a box', code: `export { createBox } from 'lanewise/box.js';`, limit: 21_100, target: 15_000 },
    { name: 'a box with keyrings', code: `export * from 'lanewise/box.js';`, limit: 33_300 },
  ],
};
