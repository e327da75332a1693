// The places in these kernels that claims about results do not reach.
import type { Exception } from '../../claims/exceptions.ts';

export const salsaExceptions: readonly Exception[] = [
  {
    reason: 'A message that is long enough for the woven loop has blocks that the cipher does before it.',
    kernels: ['salsa long swizzle', 'secretbox-chacha relaxed', 'secretbox-chacha swizzle'],
    places: ['encrypt 33: if always holds'],
  },
  {
    reason: 'A message that is put aside has at least the block of the one-time key.',
    kernels: [
      'salsa long swizzle',
      'salsa long scalar',
      'secretbox-chacha relaxed',
      'secretbox-chacha swizzle',
      'secretbox-chacha scalar',
    ],
    places: ['open 21: if always holds'],
  },
  {
    reason: 'The same, without the choice between short messages and long ones.',
    kernels: ['salsa short swizzle', 'salsa short scalar'],
    places: ['open 17: if always holds'],
  },
  {
    reason: 'The same in the text.',
    kernels: ['salsa js', 'secretbox-chacha js'],
    places: ['open 2: condition always holds'],
  },
  {
    reason: 'With vectors, the kernels for short messages XOR one block or two and are never called for none or more.',
    kernels: ['salsa short swizzle'],
    places: ['function 2 12: if always holds'],
  },
];
