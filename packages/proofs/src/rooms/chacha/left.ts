// Where the kernels of ChaCha leave bytes that depend on secrets.
import * as stream from '../../../../lanewise/src/keystream/map.ts';
import { range } from '../../claims/compare.ts';
import { from, given, wiped, type LeftBy } from '../../claims/left.ts';
import { STREAM, streamParts } from '../keystream/left.ts';

const TAG_BYTES = 16;

export const chachaLeft: LeftBy = {
  ...STREAM,
  ...streamParts(stream.AAD),
  seal: (_kind, _aadLength, length) => given(range(stream.STAGE, length + TAG_BYTES)),
  open: (_kind, aadLength, length) =>
    wiped(from(aadLength ? stream.AAD : stream.secretsFrom(length), stream.STAGE + length + stream.MARGIN)),
};
