// Where the kernels of BLAKE3 leave bytes that depend on secrets.
import * as blake3 from '../../../../lanewise/src/blake3/map.ts';
import { always, each, from, wiped, type Left, type LeftBy } from '../../claims/left.ts';

const staged = (length: number): Left => wiped(from(blake3.SETS, blake3.secretsTo(length)));

export const blake3Left: LeftBy = {
  hash: (length) => wiped(from(blake3.secretsFrom(length), blake3.secretsTo(length))),
  ...each('tree chunk prepare', staged),
  ...each('parent copyUp', always(wiped(from(blake3.CVS, blake3.BLOCK)))),
  many: (count, blocks) => staged(64 * count * blocks + 1024),
  // Only one byte of the last block may be requested.
  output: (_length, _low, _high, _flags, blocks) => wiped(from(blake3.SETS, blake3.STAGE + 64 * blocks + 1024)),
};
