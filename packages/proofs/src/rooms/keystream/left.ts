// Where kernels with a keystream leave bytes that depend on secrets.
import * as stream from '../../../../lanewise/src/keystream/map.ts';
import { range } from '../../claims/compare.ts';
import { always, from, nothing, wiped, type LeftBy } from '../../claims/left.ts';

const TAG_BYTES = 16;
/** Key, nonce and counter, the state of the MAC, and the block of the one-time key. */
const INSIDE = wiped(from(stream.STATE, stream.STAGE));

/** The bytes left by messages in parts; secretbox has no additional data. */
export const streamParts = (first: number): LeftBy => ({
  encrypt: (head, before, length) => ({
    given: [range(stream.STAGE, length)],
    wiped: [
      from(before ? first : Math.max(first, stream.secretsFrom(head + length)), stream.STAGE),
      range(stream.STAGE + length, stream.MARGIN),
    ],
  }),
  decrypt: (length) => wiped(from(Math.max(first, stream.SETS), stream.STAGE + length + stream.MARGIN)),
  begin: always(INSIDE),
  // The absorbed bytes, and their padding.
  absorb: (address, length) => wiped(...INSIDE.wiped, range(address, (length + 15) & -16)),
  finish: (...parameters) => wiped(...INSIDE.wiped, range(parameters.at(-1)!, TAG_BYTES)),
});

export const STREAM: LeftBy = {
  /** The last block may have one byte. */
  xor: (_kind, _doubleRounds, address, blocks) =>
    blocks === 0
      ? wiped(range(stream.STATE, 80))
      : wiped(
          from(stream.secretsFrom(64 * blocks), stream.STAGE),
          from(address, address + 64 * blocks - 63 + stream.MARGIN),
        ),
  extend: always(INSIDE),
  // The tags that it compares are wiped with the rest.
  verify: always(nothing),
};
