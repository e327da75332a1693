/** The rows of disk encryption in the table of docs/speed.md. */
import type { Figure } from '../../readme/figure.ts';

const rivals = ['noble, AES-256-CTR', 'Go, native', 'node:crypto, AES-256-XTS'];

export const figures: readonly Figure[] = [
  { title: 'Adiantum, 4096-byte pages', contest: 'platforms/adiantum/pages/65536', result: 'out', rivals },
  { title: 'HPolyC, 4096-byte pages', contest: 'platforms/hpolyc/pages/65536', result: 'out', rivals },
];
