// How the modules of ChaCha8Rand use public numbers.
import { COMMON, type Numbers } from '../../public-numbers/lists.ts';

export const randomNumbers: Numbers = {
  parameters: { generate: 'count' },
  permitted: [
    ...COMMON,
    {
      reason: 'The number of a block is its counter, a word of the state. C2SP chacha8rand.md',
      uses: ['mix i32.xor'],
      of: ['loop'],
    },
  ],
  thresholds: [],
  limits: { periods: { loop: 2 }, renamed: {} },
};
