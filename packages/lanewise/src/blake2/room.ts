/** The room of BLAKE2b and BLAKE2s for tools: their modules and the sizes of their bundles. */
import type { KernelModule, Room } from '../engine/description.ts';
import type { Module } from '../wasm/module.ts';
import * as map from './map.ts';
import { blake2bModule, blake2bText, blake2sModule, blake2sText } from './module.ts';

const described = (name: string, make: () => Module, module: () => Module): KernelModule => ({
  name,
  forms: ['scalar'],
  make,
  hexadecimal: true,
  pages: map.PAGES,
  map: [
    ['H', map.H, 64],
    ['V', map.V, map.V_BYTES],
    ['STAGE', map.STAGE, map.STAGE_BYTES],
  ],
  functions: ['compress', 'start'],
  text: { file: `${name}.ts`, name, source: 'blake2/module.ts', module },
  mostSteps: 200_000,
});

export const room: Room = {
  lines: 690,
  modules: [described('blake2b', blake2bModule, blake2bText), described('blake2s', blake2sModule, blake2sText)],
  budgets: [
    { name: 'BLAKE2b', code: `export { blake2b } from 'lanewise/blake2.js';`, limit: 8_000 },
    { name: 'BLAKE2s', code: `export { blake2s } from 'lanewise/blake2.js';`, limit: 8_000 },
  ],
};
