/** Random calls of Serpent's functions. */
import {
  AAD_BYTES,
  CHECKSUM,
  COUNTER,
  STAGE,
  KEY,
  MARGIN,
  OFFSETS,
  SETS,
  STAR,
  STRETCH,
  TAG,
  WORK,
} from '../../../../lanewise/src/serpent/map.ts';
import { range as at } from '../../claims/compare.ts';
import type { Range } from '../../execute/machine.ts';
import type { CallOf, RandomCalls, ScratchOf } from '../../mutations/random-calls.ts';
import type { Random } from '../../mutations/random.ts';

const blocks = (random: Random, most: number): number =>
  random.of([() => random.between(1, 5), () => random.between(1, Math.floor(most / 16))])();
const length = (random: Random, most: number): number =>
  random.of([
    () => random.below(40),
    () => random.below(most + 1),
    () => 16 * random.below(Math.floor(most / 16) + 1),
  ])();
const number = (random: Random): number => 16 * random.of([0, 1, 2, 3, 255, random.below(1 << 20)]);
const inBlocks: CallOf = (random, _, most) => [random.below(2), blocks(random, most)];
const message: CallOf = (random, _, most) => [
  random.below(64),
  length(random, Math.min(most, AAD_BYTES)),
  length(random, most),
];

const SERPENT_CTR: Readonly<Record<string, CallOf>> = {
  ctr(random, memory, most) {
    // A counter close to a carry.
    for (let i = 0; i < random.below(4); i++)
      memory.setUint32(COUNTER + 4 * i, random.between(0xfffffff0, 0xffffffff), true);
    return [random.below(2), random.below(2), blocks(random, most)];
  },
};

const SERPENT: Readonly<Record<string, CallOf>> = {
  ecbEncrypt: inBlocks,
  ecbDecrypt: inBlocks,
  cbcEncrypt: inBlocks,
  cbcDecrypt: inBlocks,
  cbcMany: (random) => [random.below(2), random.between(1, 16), 80, random.between(1, 5)],
  seal: message,
  open: message,
  begin: (random) => [random.below(64)],
  hash: (random, _, most) => [STAGE, number(random), length(random, most)],
  encrypt: (random, _, most) => [number(random), length(random, most)],
  decrypt: (random, _, most) => [number(random), length(random, most)],
  finish: () => [],
  verify(random, memory) {
    // The tags are equal, or differ in one bit.
    for (let i = 0; i < 16; i++) memory.setUint8(CHECKSUM + i, memory.getUint8(TAG + i));
    if (random.below(2)) {
      const at = CHECKSUM + random.below(16);
      memory.setUint8(at, memory.getUint8(at) ^ (1 << random.below(8)));
    }
    return [];
  },
};

/** Sets, keystream and offsets of the last group; and after the message, the rest of its last set, or padding. */
const WORKED = [at(SETS, WORK - SETS), at(WORK, OFFSETS - WORK), at(OFFSETS, 256)];
const behind = (size: number): Range => at(STAGE + size, MARGIN);
/** L_* is for a block that is cut short, which only the last of a message is. */
const unwanted = (size: number): Range[] => (size % 16 ? [at(STAR, 16)] : []);
const inBlocksScratch: ScratchOf = (_key, count) => [...WORKED, behind(16 * count)];
/** The library wipes all of it. */
const ALL = at(KEY, STAGE - KEY);

const SERPENT_CTR_SCRATCH: Readonly<Record<string, ScratchOf>> = { ctr: () => WORKED };

const SERPENT_SCRATCH: Readonly<Record<string, ScratchOf>> = {
  ecbEncrypt: inBlocksScratch,
  ecbDecrypt: inBlocksScratch,
  cbcEncrypt: inBlocksScratch,
  cbcDecrypt: inBlocksScratch,
  cbcMany: (_key, streams) => [at(SETS, WORK - SETS), at(WORK + 16 * streams, 256 - 16 * streams)],
  seal: (_bottom, _aadLength, size) => [ALL, behind(size + 16)],
  open: (_bottom, _aadLength, size) => [ALL, behind(size)],
  begin: () => [at(STRETCH + 16, 16)],
  hash: (address, _number, size) => [...WORKED, at(address + size, -size & 15)],
  encrypt: (_number, size) => [...WORKED, behind(size), ...unwanted(size)],
  decrypt: (_number, size) => [...WORKED, behind(size), ...unwanted(size)],
  finish: () => [],
};

const most = (): number => 1000;
export const serpentRandomCalls: RandomCalls = { calls: SERPENT, scratch: SERPENT_SCRATCH, most };
export const serpentCtrRandomCalls: RandomCalls = { calls: SERPENT_CTR, scratch: SERPENT_CTR_SCRATCH, most };
