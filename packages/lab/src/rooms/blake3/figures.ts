/** The rows of BLAKE3 in the table of docs/speed.md. */
import type { Figure } from '../../readme/figure.ts';

const rivals = ['fuzdev', 'blake3-jit', 'hash-wasm', 'noble', 'native SSE4.1'];

export const figures: readonly Figure[] = [
  {
    title: 'BLAKE3, 64 KiB',
    contest: 'platforms/blake3/hash/65536',
    result: 'allocated',
    rivals,
    shown: true,
  },
  { title: 'BLAKE3, 96 B', contest: 'platforms/blake3/hash/96', result: 'allocated', rivals },
];
