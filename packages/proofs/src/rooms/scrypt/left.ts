// Where the kernels of scrypt leave bytes that depend on secrets: wherever they write, and where the caller put them.
import { SCHEDULE, STATE, STATE_BYTES } from '../../../../lanewise/src/scrypt/map.ts';
import { range } from '../../claims/compare.ts';
import { always, from, nothing, wiped, type LeftBy } from '../../claims/left.ts';
import { rowOf } from './claims.ts';

export const scryptLeft: LeftBy = {
  start: always(nothing),
  compress: (address, blocks) => wiped(from(SCHEDULE, STATE + STATE_BYTES), range(address, 64 * blocks)),
  fill: (address, r, count) => wiped(range(address, rowOf(r) * (count + 1))),
  mix: (x, row, y, r) => wiped(...[x, row, y].map((at) => range(at, rowOf(r)))),
};
