// The places in these kernels that claims about results do not reach.
import type { Exception } from '../../claims/exceptions.ts';

export const chachaExceptions: readonly Exception[] = [
  {
    reason: 'A message that is long enough for the woven loop has blocks that the cipher does before it.',
    kernels: ['chacha long relaxed', 'chacha long swizzle'],
    places: ['encrypt 33: if always holds'],
  },
  {
    reason: 'A message that is put aside has at least the block of the one-time key.',
    kernels: ['chacha long relaxed', 'chacha long swizzle'],
    places: ['open 21: if always holds'],
  },
  {
    reason: 'The same, without the choice between short messages and long ones.',
    kernels: ['chacha short relaxed', 'chacha short swizzle'],
    places: ['open 17: if always holds'],
  },
  {
    reason: 'With vectors, the kernels for short messages XOR one block or two and are never called for none or more.',
    kernels: ['chacha short relaxed', 'chacha short swizzle'],
    places: ['function 2 12: if always holds'],
  },
];
