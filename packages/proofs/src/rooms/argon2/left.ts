// Where the kernels of Argon2 leave bytes that depend on secrets: in the result and in Z, and where the caller put them;
// but not in the block of zeros, which addresses are made with.
import { ZERO } from '../../../../lanewise/src/argon2/map.ts';
import { range } from '../../claims/compare.ts';
import { wiped, type LeftBy } from '../../claims/left.ts';
import { BLOCK_BYTES } from './claims.ts';

export const argon2Left: LeftBy = {
  compress: (x, y, to, _onto, z) =>
    wiped(...[x, y, to, z].filter((at) => at !== ZERO).map((at) => range(at, BLOCK_BYTES))),
};
