// How the modules of Argon2 use public numbers.
import { COMMON, type Numbers } from '../../public-numbers/lists.ts';

export const argon2Numbers: Numbers = {
  parameters: { compress: 'x y to onto z' },
  permitted: [...COMMON],
  thresholds: [],
  limits: { periods: {}, renamed: {} },
};
