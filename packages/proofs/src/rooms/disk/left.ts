// Where the kernels of disk encryption leave bytes that depend on secrets.
import * as disk from '../../../../lanewise/src/disk/map.ts';
import { range } from '../../claims/compare.ts';
import { always, each, from, wiped, type LeftBy } from '../../claims/left.ts';

const diskParts = always(wiped(from(disk.MIDDLE, disk.STAGE + disk.STAGE_BYTES + disk.MARGIN)));
/** The length of a set: pages of whole sets leave no bytes outside of themselves. */
const SET = 256;

export const diskLeft: LeftBy = {
  derive: always(wiped(from(disk.MIDDLE, disk.STAGE + disk.KEYS_BYTES + SET))),
  // The heads, which are lengths and tweaks.
  heads: (_at, slot, _step, count) => wiped(range(disk.HEADS, slot * count)),
  pages(back, _nh, _doubleRounds, _headLength, slot, pageLength, stride, count) {
    const work = from(disk.MIDDLE, disk.HEADS + slot * count);
    const pages = stride * (count - 1) + pageLength;
    return back === 0 && pageLength % SET === 0
      ? { given: [range(disk.STAGE, pages)], wiped: [work] }
      : wiped(work, range(disk.STAGE, pages + disk.MARGIN));
  },
  ...each('begin absorb turn stream end', diskParts),
};
