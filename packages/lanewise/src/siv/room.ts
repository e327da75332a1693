/** The room of ChaCha20-Poly1305-SIV for tools: the size of its bundle. Its kernels are those of ChaCha. */
import { SIGMA_MARK, type Room } from '../engine/description.ts';

export const room: Room = {
  lines: 235,
  modules: [],
  budgets: [
    {
      name: 'ChaCha20-Poly1305-SIV, three engines',
      code: `export { chacha20poly1305siv } from 'lanewise/siv.js';`,
      limit: 12_300,
      has: [SIGMA_MARK],
    },
  ],
};
