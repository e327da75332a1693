/** The questions of D. J. Bernstein's "Salsa20 speed". */
import type { Study } from '../study.ts';
import { page } from './page.ts';

export const study: Study = {
  id: 'salsa20-speed',
  title: 'The ten questions of “Salsa20 speed”',
  summary:
    'processors, lengths, alignment, keys, many messages, positions, caches, code and directions, a plot each, with AES beside',
  order: 5,
  contests: [
    'studies/salsa20-speed/',
    'platforms/salsa20/encrypt/65536',
    'length/chacha20/encrypt/',
    'many/chacha20/update',
    'many/blake3/update',
    'parallel/first-byte/chacha20/encrypt',
    'parallel/workers/chacha20/encrypt/4194304',
  ],
  page,
};
