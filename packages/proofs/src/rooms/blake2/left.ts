// Where the kernels of BLAKE2 leave bytes that depend on secrets: wherever they write, and where the caller put them.
import { H, V, V_BYTES } from '../../../../lanewise/src/blake2/map.ts';
import { range } from '../../claims/compare.ts';
import { always, from, wiped, type LeftBy } from '../../claims/left.ts';
import { blockBytes } from './claims.ts';
import type { Size } from './specification.ts';

export const blake2Left = (size: Size): LeftBy => ({
  start: always(wiped(range(H, blockBytes(size) / 2))),
  compress: (address, blocks) => wiped(from(H, V + V_BYTES), range(address, blockBytes(size) * blocks)),
});
