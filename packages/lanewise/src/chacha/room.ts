/** The room of ChaCha for tools: its modules and the size of its bundle. */
import { sized } from '../keystream/room.ts';
import { floats } from '../poly1305/floats.ts';
import { integers } from '../poly1305/kernel.ts';
import { EVERY_FORM, SIGMA_MARK, type KernelModule, type Room } from '../engine/description.ts';
import { chachaModule } from './module.ts';

const chacha = (short: boolean): KernelModule => ({
  name: `chacha ${short ? 'short' : 'long'}`,
  forms: EVERY_FORM,
  make: (lanes) => chachaModule({ short, lanes, arithmetic: integers }),
  ...sized(short),
  ...(!short && {
    text: {
      file: 'chacha.ts',
      name: 'chacha',
      source: 'chacha/module.ts',
      module: () => chachaModule({ arithmetic: floats }),
    },
  }),
});

export const room: Room = {
  lines: 430,
  modules: [chacha(false), chacha(true)],
  budgets: [
    {
      name: 'XChaCha20-Poly1305, three engines',
      code: `export { xchacha20poly1305 } from 'lanewise/chacha.js';`,
      limit: 11_190,
      has: [SIGMA_MARK],
    },
    {
      name: 'the same from the root',
      code: `export { xchacha20poly1305 } from 'lanewise';`,
      limit: 11_190,
      has: [SIGMA_MARK],
    },
  ],
};
