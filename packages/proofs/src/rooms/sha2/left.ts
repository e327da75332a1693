// Where the kernels of SHA-2 leave bytes that depend on secrets: wherever they write, and where the caller put them.
import {
  DIGEST,
  INITIAL,
  INNER,
  LANES,
  LANES_INITIAL,
  LANES_STAGE,
  LANES_STATE,
  SCHEDULE,
  STATE,
  SUM_END,
} from '../../../../lanewise/src/sha2/map.ts';
import { range } from '../../claims/compare.ts';
import { always, from, wiped, type LeftBy } from '../../claims/left.ts';
import { bytesIn } from './setting.ts';
import { BLOCK, stageOf } from './lanes-claims.ts';
import type { Size } from './specification.ts';

export function sha2Left(size: Size): LeftBy {
  const { value, block } = bytesIn(size);
  const hashing = from(SCHEDULE, INITIAL);
  return {
    begin: (at) => wiped(range(STATE, value), range(at, value)),
    compress: (address, blocks) => wiped(hashing, range(address, block * blocks)),
    digest: (to, end) => wiped(range(STATE, value), range(to, end)),
    key: always(wiped(from(SCHEDULE, DIGEST + block))),
    outer: always(wiped(hashing, from(INNER, DIGEST + block))),
    iterate: always(wiped(hashing, from(INNER, SUM_END))),
  };
}

export const lanesLeft: LeftBy = {
  begin: always(wiped(from(LANES_STATE, LANES_INITIAL + 32))),
  compress: (blocks) =>
    wiped(
      from(SCHEDULE, LANES_INITIAL),
      ...Array.from({ length: LANES }, (_, lane) => range(stageOf(lane), BLOCK * blocks)),
    ),
  digests: always(wiped(from(LANES_STATE, LANES_STAGE))),
};
