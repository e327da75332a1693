// Where the kernels of secretbox leave bytes that depend on secrets.
import * as stream from '../../../../lanewise/src/keystream/map.ts';
import { BOX, TAG_BYTES } from '../../../../lanewise/src/salsa/map.ts';
import { range } from '../../claims/compare.ts';
import { from, given, wiped, type LeftBy } from '../../claims/left.ts';
import { STREAM, streamParts } from '../keystream/left.ts';

export const secretboxLeft: LeftBy = {
  ...STREAM,
  ...streamParts(stream.SETS),
  seal: (_kind, length) => given(range(BOX - TAG_BYTES, TAG_BYTES + length)),
  open: (_kind, length) => wiped(from(stream.secretsFrom(length), BOX + length + stream.MARGIN)),
};
