// The places in these kernels that claims about results do not reach.
import type { Exception } from '../../claims/exceptions.ts';

export const diskExceptions: readonly Exception[] = [
  {
    reason:
      'Disk encryption knows one kind of state: its nonces are all extended, so no constants are those of short keys.',
    kernels: ['disk relaxed', 'disk swizzle'],
    places: ['function 6 1: if always holds', 'function 6 8: if never holds', 'function 6 16: if always holds'],
  },
  {
    reason: 'The same in the scalar form.',
    kernels: ['disk scalar'],
    places: ['function 2 1: if always holds', 'function 2 17: if never holds', 'function 2 34: if always holds'],
  },
  {
    reason: 'The same in the text.',
    kernels: ['disk js'],
    places: ['inner1 1: condition always holds', 'inner1 2: condition never holds', 'inner1 3: condition always holds'],
  },
  {
    reason:
      'With vectors, the subkeys of several pages are made in lanes, and this function makes that of a single one.',
    kernels: ['disk relaxed', 'disk swizzle'],
    places: ['function 18 44: br_if never holds'],
  },
  {
    reason: 'Without vectors there are no groups of units, and a piece of a message has at least one unit.',
    kernels: ['disk scalar'],
    places: ['nh 11: if always holds'],
  },
  {
    reason: 'The same in the text.',
    kernels: ['disk js'],
    places: ['nh 1: condition always holds'],
  },
];
