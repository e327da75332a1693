/** The row of Serpent in the table of docs/speed.md. */
import type { Figure } from '../../readme/figure.ts';

export const figures: readonly Figure[] = [
  {
    title: 'Serpent-256-CTR, 64 KiB',
    contest: 'platforms/serpent-ctr/encrypt/65536',
    result: 'out',
    rivals: ['bcrypto', 'native libgcrypt'],
    shown: true,
  },
];
