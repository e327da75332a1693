/** Random calls of scrypt's functions. */
import { CONSTANTS, ROWS, SCHEDULE, STAGE } from '../../../../lanewise/src/scrypt/map.ts';
import { range } from '../../claims/compare.ts';
import type { RandomCalls } from '../../mutations/random-calls.ts';
import { rowOf } from './claims.ts';

export const scryptRandomCalls: RandomCalls = {
  calls: {
    start: () => [],
    compress: (random) => [STAGE, random.between(1, 3)],
    fill: (random) => [ROWS, random.between(1, 3), random.between(1, 3)],
    mix: (random) => {
      const r = random.between(1, 4);
      return [ROWS + rowOf(r), ROWS, ROWS + 2 * rowOf(r), r];
    },
  },
  scratch: { compress: () => [range(CONSTANTS, 256), range(SCHEDULE, 256)] },
  most: () => 3,
};
