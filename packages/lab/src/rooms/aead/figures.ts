/** The rows of ChaCha20-Poly1305 and XChaCha20-Poly1305 in the README's table of speeds. */
import type { Figure } from '../../readme/figure.ts';

const rivals = ['libsodium.js', 'noble', 'node:crypto'];

export const figures: readonly Figure[] = [
  { title: 'ChaCha20-Poly1305, 64 KiB', contest: 'platforms/chacha20poly1305/seal/65536', result: 'out', rivals },
  { title: 'XChaCha20-Poly1305, 1 KiB', contest: 'platforms/xchacha20poly1305/seal/1024', result: 'out', rivals },
  { title: 'XChaCha20-Poly1305, 64 B', contest: 'platforms/xchacha20poly1305/seal/64', result: 'out', rivals },
];
