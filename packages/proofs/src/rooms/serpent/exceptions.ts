// The places in these kernels that claims about results do not reach.
import type { Exception } from '../../claims/exceptions.ts';

export const serpentExceptions: readonly Exception[] = [
  {
    reason: 'Where there are lanes, a block that comes without others is the only one that they do not encrypt.',
    kernels: ['serpent swizzle', 'serpent-ctr swizzle'],
    places: ['function 1 1243: br_if never holds'],
  },
  {
    reason: 'Nor do they make its counter, or XOR its keystream.',
    kernels: ['serpent-ctr swizzle'],
    places: [
      'function 2 147: br_if never holds',
      'function 3 8: if always holds',
      'function 3 64: br_if never holds',
      'function 3 70: br_if never holds',
    ],
  },
];
