/** The row of secretbox in the README's table of speeds. */
import type { Figure } from '../../readme/figure.ts';

export const figures: readonly Figure[] = [
  {
    title: 'secretbox, 64 KiB',
    contest: 'platforms/secretbox/seal/65536',
    result: 'out',
    rivals: ['libsodium.js', 'noble', 'tweetnacl'],
  },
];
