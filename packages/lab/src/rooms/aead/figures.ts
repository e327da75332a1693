/** The rows of ChaCha20-Poly1305 and XChaCha20-Poly1305 in the table of docs/speed.md. */
import type { Figure } from '../../readme/figure.ts';

const rivals = ['libsodium.js', 'noble', 'node:crypto'];

const short = (size: string, length: number): readonly Figure[] => {
  const title = `XChaCha20-Poly1305, ${size}`;
  return [
    {
      title,
      contest: `platforms/xchacha20poly1305/seal/${length}`,
      result: 'out',
      rivals,
      shown: length === 1024,
    },
    { title, contest: `platforms/xchacha20poly1305/seal-allocated/${length}`, result: 'allocated', rivals },
  ];
};

export const figures: readonly Figure[] = [
  {
    title: 'ChaCha20-Poly1305, 64 KiB',
    contest: 'platforms/chacha20poly1305/seal/65536',
    result: 'out',
    rivals,
    shown: true,
  },
  ...short('1 KiB', 1024),
  ...short('64 B', 64),
];
