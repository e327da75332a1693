/** The rows of secretbox in the table of docs/speed.md. */
import type { Figure } from '../../readme/figure.ts';

const rivals = ['libsodium.js', 'noble', 'tweetnacl'];

export const figures: readonly Figure[] = [
  {
    title: 'secretbox, 64 KiB',
    contest: 'platforms/secretbox/seal/65536',
    result: 'out',
    rivals,
    shown: true,
  },
  { title: 'secretbox, 64 B', contest: 'platforms/secretbox/seal/64', result: 'out', rivals },
  { title: 'secretbox, 64 B', contest: 'platforms/secretbox/seal-allocated/64', result: 'allocated', rivals },
];
