/** Random calls of BLAKE3's functions. */
import * as blake3 from '../../../../lanewise/src/blake3/map.ts';
import { range as at } from '../../claims/compare.ts';
import type { Range } from '../../execute/machine.ts';
import { length, type CallOf, type RandomCalls, type ScratchOf } from '../../mutations/random-calls.ts';
import type { Random } from '../../mutations/random.ts';

const counter = (random: Random): readonly [number, number] =>
  random.of([
    () => [random.below(100), 0] as const,
    () => [random.word() | 0, random.word() | 0] as const,
    () => [random.between(-40, -1), random.below(3)] as const,
  ])();
const flags = (random: Random): number => random.of([0, 16, 32, 64]);

const BLAKE3: Readonly<Record<string, CallOf>> = {
  chunk: (random) => [length(random, 1024), ...counter(random), flags(random), random.of([0, 8])],
  prepare: (random) => [length(random, 1024), ...counter(random), flags(random)],
  tree: (random, _, most) => [1025 + length(random, most - 1025), ...counter(random), flags(random)],
  many: (random) => {
    const blocks = random.between(1, 16);
    return [random.between(1, 64), blocks, random.between(blocks > 1 ? 1 : 0, 64), flags(random)];
  },
  copyUp: () => [],
  parent: (random) => [flags(random) | random.of([0, 8])],
  hash: (random, _, most) => [length(random, most), flags(random)],
  output: (random) => [
    random.between(0, 64),
    ...counter(random),
    flags(random) | random.of([8, 12, 11]),
    random.below(70),
  ],
};

const MERGED = at(blake3.SETS, blake3.KEY - blake3.SETS);
const LANES = at(blake3.SETS, blake3.CVS - blake3.SETS);
const HALF = at(blake3.CV + 32, 32);
const BEHIND = at(blake3.STAGE + blake3.STAGE_BYTES, 15_360);
const blockPadding = (length: number): Range => at(blake3.STAGE + length, length ? -length & 63 : 64);
const ROOT = 8;
/** The root's output uses both halves of the state. */
const half = (flags: number): Range[] => (flags & ROOT ? [] : [HALF]);

const BLAKE3_SCRATCH: Readonly<Record<string, ScratchOf>> = {
  chunk: (length, _low, _high, _flags, last) => [blockPadding(length), ...half(last)],
  prepare: (length) => [blockPadding(length), HALF],
  tree: (length) => [
    LANES,
    at(blake3.CVS + 64, blake3.KEY - blake3.CVS - 64),
    at(blake3.CV, 64),
    blockPadding(length),
    BEHIND,
  ],
  many: (count) => [
    LANES,
    at(blake3.CVS + 32 * count, blake3.KEY - blake3.CVS - 32 * count),
    at(blake3.CV, 64),
    BEHIND,
  ],
  parent: (flags) => half(flags),
  // One chunk needs neither sets nor a tree, and the library wipes neither.
  hash: (length) => (length <= 1024 ? [blockPadding(length)] : [MERGED, blockPadding(length), BEHIND]),
  output: (_length, _low, _high, _flags, blocks) => [LANES, at(blake3.STAGE + 64 * blocks, 1024)],
};

export const blake3RandomCalls: RandomCalls = { calls: BLAKE3, scratch: BLAKE3_SCRATCH, most: () => 24_000 };
