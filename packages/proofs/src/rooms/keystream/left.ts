// Where kernels with a keystream leave bytes that depend on secrets.
import * as stream from '../../../../lanewise/src/keystream/map.ts';
import { range } from '../../claims/compare.ts';
import { always, each, from, nothing, wiped, type LeftBy } from '../../claims/left.ts';

/** Of messages in parts: secretbox has no additional data. */
export const streamParts = (first: number): LeftBy =>
  each(
    'begin absorb encrypt decrypt finish',
    always(wiped(from(first, stream.DATA + stream.DATA_BYTES + stream.MARGIN))),
  );

export const STREAM: LeftBy = {
  /** The last block may have one byte. */
  xor: (_kind, _doubleRounds, _address, blocks) =>
    blocks === 0
      ? wiped(range(stream.STATE, 80))
      : wiped(from(stream.secretsFrom(64 * blocks), stream.DATA + 64 * blocks - 63 + stream.MARGIN)),
  extend: always(wiped(from(stream.STATE, stream.DATA))),
  // The tags that it compares are wiped with the rest.
  verify: always(nothing),
};
