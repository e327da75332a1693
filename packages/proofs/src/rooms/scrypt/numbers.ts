// How the modules of scrypt use public numbers.
import { COMMON, type Numbers } from '../../public-numbers/lists.ts';

export const scryptNumbers: Numbers = {
  parameters: { start: '', compress: 'address blocks', fill: 'address r count', mix: 'from row to r' },
  permitted: [
    ...COMMON,
    {
      reason: 'The last block of a row is 64 bytes before its end, and a row is read from its last block on.',
      uses: ['subtract i32.sub 64'],
      of: ['r', 'loop'],
    },
    {
      reason: 'A row ends at the address behind it.',
      uses: ['compare i32.lt_u'],
      of: ['address', 'from', 'r', 'loop'],
    },
  ],
  thresholds: [],
  limits: { periods: {}, renamed: {} },
};
