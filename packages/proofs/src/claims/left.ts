// Where a call of a kernel may leave what depends on secrets. A kernel and the public modules around it agree on that: the
// claims of left-lengths.ts show at every length that a kernel leaves secrets nowhere else, and those of wiping.ts that all
// of it is wiped behind every call that was taken down.
import * as blake3 from '../../../lanewise/src/blake3/map.ts';
import * as disk from '../../../lanewise/src/disk/map.ts';
import * as stream from '../../../lanewise/src/keystream/map.ts';
import * as poly1305 from '../../../lanewise/src/poly1305/map.ts';
import { BOX, TAG_BYTES } from '../../../lanewise/src/salsa/map.ts';
import * as serpent from '../../../lanewise/src/serpent/map.ts';
import type { Range } from '../execute/machine.ts';
import type { Family } from '../kernels.ts';
import { range } from './compare.ts';

export interface Left {
  /** What the call is for: ciphertext and tag of an encryption. */
  readonly given: readonly Range[];
  /** What whoever calls has to wipe. */
  readonly wiped: readonly Range[];
}

type LeftBy = Readonly<Record<string, (...parameters: number[]) => Left>>;

const from = (start: number, end: number): Range => ({ from: start, to: end });
const nothing: Left = { given: [], wiped: [] };
const given = (...ranges: readonly Range[]): Left => ({ given: ranges, wiped: [] });
const wiped = (...ranges: readonly Range[]): Left => ({ given: [], wiped: ranges });
/** The same whatever the parameters are. */
const always =
  (left: Left): (() => Left) =>
  () =>
    left;
const each = (names: string, left: (...parameters: number[]) => Left): LeftBy =>
  Object.fromEntries(names.split(' ').map((name) => [name, left]));

/** Of messages in parts: secretbox has no additional data. */
const streamParts = (first: number): LeftBy =>
  each(
    'begin absorb encrypt decrypt finish',
    always(wiped(from(first, stream.DATA + stream.DATA_BYTES + stream.MARGIN))),
  );

const STREAM: LeftBy = {
  /** The last block may have one byte. */
  xor: (_kind, _doubleRounds, _address, blocks) =>
    blocks === 0
      ? wiped(range(stream.STATE, 80))
      : wiped(from(stream.secretsFrom(64 * blocks), stream.DATA + 64 * blocks - 63 + stream.MARGIN)),
  extend: always(wiped(from(stream.STATE, stream.DATA))),
  // What it compares is wiped with the rest.
  verify: always(nothing),
};

const opened = (first: number, message: number, length: number): Left =>
  wiped(from(first, message + length + stream.MARGIN));

const CHACHA: LeftBy = {
  ...STREAM,
  ...streamParts(stream.AAD),
  seal: (_kind, _aadLength, length) => given(range(stream.DATA, length + TAG_BYTES)),
  open: (_kind, aadLength, length) => opened(aadLength ? stream.AAD : stream.secretsFrom(length), stream.DATA, length),
};

const SECRETBOX: LeftBy = {
  ...STREAM,
  ...streamParts(stream.SETS),
  seal: (_kind, length) => given(range(BOX - TAG_BYTES, TAG_BYTES + length)),
  open: (_kind, length) => opened(stream.secretsFrom(length), BOX, length),
};

const POLY1305: LeftBy = {
  mac: (length) => wiped(from(poly1305.STATE, poly1305.STAGE + length + poly1305.BLOCK)),
  ...each('start absorb finish', always(wiped(from(poly1305.STATE, poly1305.STAGE + poly1305.STAGE_BYTES)))),
};

const staged = (length: number): Left => wiped(from(blake3.SETS, blake3.secretsTo(length)));
const BLAKE3: LeftBy = {
  hash: (length) => wiped(from(blake3.secretsFrom(length), blake3.secretsTo(length))),
  ...each('tree chunk prepare', staged),
  ...each('parent copyUp', always(wiped(from(blake3.CVS, blake3.BLOCK)))),
  many: (count, blocks) => staged(64 * count * blocks + 1024),
  // The last block may be asked for one byte.
  output: (_length, _low, _high, _flags, blocks) => wiped(from(blake3.SETS, blake3.STAGE + 64 * blocks + 1024)),
};

const serpentTo = (end: number): Left => wiped(from(serpent.KEY, end + serpent.MARGIN));
const SERPENT: LeftBy = {
  // The last block may be padding.
  ...each('ecbEncrypt ecbDecrypt cbcEncrypt cbcDecrypt', (_keys, blocks) =>
    serpentTo(serpent.DATA + Math.max(16 * blocks - 16, 0)),
  ),
  ...each('seal open', (_bottom, _aadLength, length) => serpentTo(serpent.DATA + length)),
  ...each('begin finish', always(wiped(from(serpent.KEY, serpent.DATA)))),
  hash: (_address, _number, length) => serpentTo(serpent.DATA + length),
  ...each('encrypt decrypt', (_number, length) => serpentTo(serpent.DATA + length)),
  cbcMany: always(serpentTo(serpent.DATA + serpent.DATA_BYTES)),
  verify: always(nothing),
  /** The last block may have one byte. */
  ctr: (_keys, _big, blocks) => serpentTo(serpent.DATA + Math.max(16 * blocks - 15, 0)),
};

const diskParts = always(wiped(from(disk.MIDDLE, disk.DATA + disk.DATA_BYTES + disk.MARGIN)));
/** Pages of whole sets leave nothing beside themselves. */
const SET = 256;
const DISK: LeftBy = {
  derive: always(wiped(from(disk.MIDDLE, disk.DATA + disk.KEYS_BYTES + SET))),
  // Of heads, which are lengths and tweaks.
  heads: (_at, slot, _step, count) => wiped(range(disk.HEADS, slot * count)),
  pages(back, _nh, _doubleRounds, _headLength, slot, pageLength, stride, count) {
    const work = from(disk.MIDDLE, disk.HEADS + slot * count);
    const pages = stride * (count - 1) + pageLength;
    return back === 0 && pageLength % SET === 0
      ? { given: [range(disk.DATA, pages)], wiped: [work] }
      : wiped(work, range(disk.DATA, pages + disk.MARGIN));
  },
  ...each('begin absorb turn stream end', diskParts),
};

const LEFT: Readonly<Record<Family, LeftBy>> = {
  chacha: CHACHA,
  secretbox: SECRETBOX,
  poly1305: POLY1305,
  blake3: BLAKE3,
  serpent: SERPENT,
  'serpent-ctr': SERPENT,
  disk: DISK,
};

/** What a call may leave, if the kernel has such a function. */
export function leftBy(family: Family, name: string, parameters: readonly number[]): Left {
  const left = LEFT[family][name];
  if (!left) throw new Error(`nothing is known of what ${name} of ${family} leaves`);
  return left(...parameters);
}

/** Whether all addresses of a range are in others. */
export function covers(ranges: readonly Range[], { from: start, to }: Range): boolean {
  let at = start;
  for (;;) {
    if (at >= to) return true;
    const next = ranges.find((one) => one.from <= at && at < one.to);
    if (!next) return false;
    at = next.to;
  }
}
