// Where the kernels of Serpent leave bytes that depend on secrets.
import * as serpent from '../../../../lanewise/src/serpent/map.ts';
import { always, each, from, nothing, wiped, type Left, type LeftBy } from '../../claims/left.ts';

const serpentTo = (end: number): Left => wiped(from(serpent.KEY, end + serpent.MARGIN));

export const serpentLeft: LeftBy = {
  // The last block may be padding.
  ...each('ecbEncrypt ecbDecrypt cbcEncrypt cbcDecrypt', (_keys, blocks) =>
    serpentTo(serpent.STAGE + Math.max(16 * blocks - 16, 0)),
  ),
  ...each('seal open', (_bottom, _aadLength, length) => serpentTo(serpent.STAGE + length)),
  ...each('begin finish', always(wiped(from(serpent.KEY, serpent.STAGE)))),
  hash: (_address, _number, length) => serpentTo(serpent.STAGE + length),
  ...each('encrypt decrypt', (_number, length) => serpentTo(serpent.STAGE + length)),
  cbcMany: always(serpentTo(serpent.STAGE + serpent.STAGE_BYTES)),
  verify: always(nothing),
  /** The last block may have one byte. */
  ctr: (_keys, _big, blocks) => serpentTo(serpent.STAGE + Math.max(16 * blocks - 15, 0)),
};
