/** Random calls of Argon2's function. */
import { BLOCKS, SCRATCH, SCRATCH_BYTES } from '../../../../lanewise/src/argon2/map.ts';
import { range } from '../../claims/compare.ts';
import type { RandomCalls } from '../../mutations/random-calls.ts';
import { BLOCK_BYTES } from './claims.ts';

export const argon2RandomCalls: RandomCalls = {
  calls: {
    compress(random) {
      const [x, y, to] = [0, 1, 2].map((i) => BLOCKS + BLOCK_BYTES * i);
      return [x, y, to, random.between(0, 1), SCRATCH + SCRATCH_BYTES * random.between(0, 3)];
    },
  },
  scratch: { compress: (_x, _y, _to, _onto, z) => [range(z, BLOCK_BYTES)] },
  most: () => 3,
};
