/** The cost of hashers of SHA-2 and BLAKE2, and of a MAC, which take a message byte by byte. */
import { blake2b } from 'lanewise/blake2.js';
import { hmac, sha256 } from 'lanewise/sha2.js';
import type { Cost } from './cost.ts';

const one = new Uint8Array(1);

export const ofHashers = (
  lanewise: (title: string, covers: readonly string[], run: Cost['run'], least?: number) => Cost,
  times: (n: number, work: () => unknown) => void,
): readonly Cost[] => [
  lanewise(
    'hashers of SHA-2 and BLAKE2, and a MAC',
    ['Sha2.update', 'Sha2.clone', 'Blake2.update', 'Blake2.clone', 'Hmac.update'],
    (n) => {
      for (const its of [sha256.create(), blake2b.create(), hmac.create(sha256, one)]) {
        times(n, () => its.update(one));
        its.digest();
      }
    },
    5000,
  ),
];
