/** The row of ChaCha in the table of docs/speed.md. */
import type { Figure } from '../../readme/figure.ts';

export const figures: readonly Figure[] = [
  {
    title: 'ChaCha20, 64 KiB',
    contest: 'platforms/chacha20/encrypt/65536',
    result: 'out',
    rivals: ['libsodium.js', 'noble', 'node:crypto'],
  },
];
