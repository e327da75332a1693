// Where the kernels of Poly1305 leave bytes that depend on secrets.
import * as poly1305 from '../../../../lanewise/src/poly1305/map.ts';
import { always, each, from, wiped, type LeftBy } from '../../claims/left.ts';

export const poly1305Left: LeftBy = {
  mac: (length) => wiped(from(poly1305.STATE, poly1305.STAGE + length + poly1305.BLOCK_BYTES)),
  ...each('start absorb finish', always(wiped(from(poly1305.STATE, poly1305.STAGE + poly1305.STAGE_BYTES)))),
};
