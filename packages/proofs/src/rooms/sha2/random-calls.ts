/** Random calls of SHA-2's functions. */
import { DIGEST, INITIAL, INNER, OUTER, SCHEDULE, STAGE, STATE } from '../../../../lanewise/src/sha2/map.ts';
import { range } from '../../claims/compare.ts';
import type { RandomCalls } from '../../mutations/random-calls.ts';
import { endsOf } from './setting.ts';
import type { Size } from './specification.ts';

const schedule = () => [range(SCHEDULE, STATE - SCHEDULE)];
const each = (names: string) => Object.fromEntries(names.split(' ').map((name) => [name, schedule]));

export const sha2RandomCalls = (size: Size): RandomCalls => ({
  calls: {
    begin: (random) => [random.of([INITIAL, INNER, OUTER])],
    compress: (random) => [STAGE, random.between(1, 3)],
    digest: (random) => [DIGEST, random.of(endsOf(size))],
    key: () => [],
    outer: (random) => [random.of(endsOf(size))],
    iterate: (random) => [random.between(1, 3), random.of(endsOf(size))],
  },
  scratch: each('compress key outer iterate'),
  most: () => 3,
});

export const lanesRandomCalls: RandomCalls = {
  calls: {
    begin: (random) => [random.between(0, 3)],
    compress: (random) => [random.between(1, 3)],
    digests: () => [],
  },
  scratch: { compress: () => [range(SCHEDULE, 1024)] },
  most: () => 3,
};
