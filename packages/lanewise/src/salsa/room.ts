/** The room of Salsa20 and secretbox for tools: its modules and the size of its bundle. */
import { sized } from '../keystream/room.ts';
import { floats } from '../poly1305/floats.ts';
import { integers } from '../poly1305/kernel.ts';
import { EVERY_FORM, PLAIN_FORMS, SIGMA_MARK, type KernelModule, type Room } from '../engine/description.ts';
import { chachaVectors } from '../chacha/rows.ts';
import { secretboxModule } from './module.ts';
import { salsaVectors } from './rows.ts';

const source = 'salsa/module.ts';

/** Salsa20 rotates by nothing that a swizzle could do, so its vectors use no relaxed instruction. */
const salsa = (short: boolean): KernelModule => ({
  name: `salsa ${short ? 'short' : 'long'}`,
  forms: PLAIN_FORMS,
  make: (lanes) => secretboxModule(salsaVectors, { short, lanes, arithmetic: integers }),
  ...sized(short),
  ...(!short && {
    text: {
      file: 'salsa.ts',
      name: 'salsa',
      source,
      module: () => secretboxModule(salsaVectors, { arithmetic: floats }),
    },
  }),
});

const secretboxChacha: KernelModule = {
  name: 'secretbox-chacha',
  forms: EVERY_FORM,
  make: (lanes) => secretboxModule(chachaVectors, { lanes, arithmetic: integers }),
  ...sized(false),
  text: {
    file: 'secretbox-chacha.ts',
    name: 'secretboxChacha',
    source,
    module: () => secretboxModule(chachaVectors, { arithmetic: floats }),
  },
};

export const room: Room = {
  lines: 635,
  modules: [salsa(false), salsa(true), secretboxChacha],
  budgets: [
    {
      name: 'secretbox, three engines',
      code: `export { secretbox } from 'lanewise/salsa.js';`,
      limit: 11_110,
      has: [SIGMA_MARK],
    },
  ],
};
