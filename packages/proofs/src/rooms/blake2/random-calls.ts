/** Random calls of BLAKE2's functions. */
import { STAGE, V, V_BYTES } from '../../../../lanewise/src/blake2/map.ts';
import { range } from '../../claims/compare.ts';
import type { RandomCalls } from '../../mutations/random-calls.ts';

export const blake2RandomCalls: RandomCalls = {
  calls: {
    start: () => [],
    compress: (random) => [
      STAGE,
      random.between(1, 3),
      random.between(0, 2 ** 31) * 2 + random.between(0, 1),
      random.between(0, 2 ** 20),
      -random.between(0, 1),
    ],
  },
  scratch: { compress: () => [range(V, V_BYTES)] },
  most: () => 3,
};
