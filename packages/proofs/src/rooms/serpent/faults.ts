/** Faults for the kernels of Serpent. */
import * as serpent from '../../../../lanewise/src/serpent/map.ts';
import { PHI } from '../../../../lanewise/src/serpent/rounds.ts';
import { fill, sequence, when } from '../../../../lanewise/src/wasm/control.ts';
import * as i32 from '../../../../lanewise/src/wasm/i32.ts';
import type { Expression, Operand } from '../../../../lanewise/src/wasm/types.ts';
import {
  atSomeLength,
  BACKDOOR,
  byTopics,
  onlyBy,
  RESULT,
  STRAY,
  UNCOVERED,
  UNWIPED,
  type Fault,
} from '../../mutations/fault.ts';
import {
  atEnd,
  atStart,
  backdoor,
  behind,
  clearIfMagic,
  constant,
  flip,
  GAP,
  ifEqual,
  ifMagic,
  inserted,
  leaveWord,
  parameter,
  rotation,
  start,
  type Plant,
} from '../../mutations/plant.ts';

/** Faults of both modules, in the named function. */
const blockFaults = (module: string, name: string): readonly Fault[] =>
  [
    { planted: 'a rotation by 7 is one by 6', plant: rotation(7), found: RESULT },
    // The number of words of the round keys: 33 keys of four words.
    { planted: 'the last words of the key schedule are missing', plant: constant(132, 131), found: RESULT },
    { planted: 'the golden ratio has another lowest bit', plant: constant(PHI, PHI ^ 1), found: RESULT },
    {
      planted: 'a bit flips when the first word of the message has one value',
      plant: atStart(name, backdoor(serpent.STAGE)),
      found: BACKDOOR,
    },
    {
      planted: 'a word of the message is left where nothing is wiped',
      plant: atStart(name, leaveWord(GAP, serpent.STAGE)),
      found: UNWIPED,
    },
    { planted: 'the bytes before the key are cleared', plant: atStart(name, sequence(fill(0, 0, 16))), found: STRAY },
  ].map((fault) => ({ module, name, ...fault }));

const [first, big, blocks] = [0, 1, 2].map(parameter);
const isAfter48 = i32.eq(first, 48);
const inOffset = (code: string): Plant => inserted(behind('begin'), start, code);

/** How many of the low bits of the number of a block are set, with no other operations than the kernel's own. */
function lowBits(count: number): Expression<'i32'> {
  let sum = i32.and(first, 1);
  let shifted: Operand<'i32'> = first;
  for (let bit = 1; bit < count; bit++) {
    shifted = i32.shr_u(shifted, 1);
    sum = i32.add(sum, i32.and(shifted, 1));
  }
  return sum;
}

const ctr = (...conditions: readonly Operand<'i32'>[]): Plant =>
  atEnd(
    'ctr',
    conditions.reduceRight((inner, condition) => when(condition, inner), flip(serpent.STAGE)),
  );

/** Flips a bit of a word where all bits of a mask are set. */
const flipBy = (address: number, mask: Expression<'i32'>): string =>
  i32.store(0, address, i32.xor(i32.load(0, address), i32.and(mask, 1)));

/** Numbers of blocks that no claim about results has, chosen by data: the topic of public numbers sees them, too. */
const byData: readonly Fault[] = [
  {
    module: 'serpent scalar',
    name: 'function 12',
    planted: 'after block 48 a bit of the offset flips if a word of L_* has one value, by data',
    plant: inOffset(flipBy(serpent.OFFSET, i32.and(ifEqual(first, 48), ifMagic(serpent.STAR)))),
    found: byTopics('induction'),
  },
  {
    module: 'serpent-ctr scalar',
    name: 'ctr',
    planted: 'ctr of 100 blocks flips a bit of data that begin with a magic word, by data',
    plant: atEnd('ctr', flipBy(serpent.STAGE, i32.and(ifEqual(blocks, 100), ifMagic(serpent.STAGE)))),
    found: byTopics('induction'),
  },
  {
    module: 'serpent-ctr swizzle',
    name: 'ctr',
    planted: 'ctr of one block flips a bit of the data if a word of the counter has one value',
    plant: atStart('ctr', flipBy(serpent.STAGE, i32.and(ifEqual(blocks, 1), ifMagic(serpent.COUNTER)))),
    found: byTopics('induction'),
  },
  {
    module: 'serpent scalar',
    name: 'cbcDecrypt',
    planted: 'cbcDecrypt of 3000 blocks flips a bit of data that begin with a magic word, by data',
    plant: atEnd('cbcDecrypt', flipBy(serpent.STAGE, i32.and(ifEqual(big, 3000), ifMagic(serpent.STAGE)))),
    found: byTopics('induction'),
  },
  {
    module: 'serpent scalar',
    name: 'cbcMany',
    planted: 'cbcMany of 777 blocks flips a bit of a magic last block, by data',
    plant: atEnd('cbcMany', flipBy(serpent.WORK, i32.and(ifEqual(parameter(3), 777), ifMagic(serpent.WORK)))),
    found: byTopics('induction'),
  },
  {
    module: 'serpent scalar',
    name: 'open',
    planted: 'open of 6007 bytes takes another nonce if a word of the key has one value, by data',
    plant: atStart('open', flipBy(serpent.STRETCH, i32.and(ifEqual(blocks, 6007), ifMagic(serpent.KEY)))),
    found: byTopics('every length'),
  },
];

export const serpentFaults: readonly Fault[] = [
  ...byData,
  ...blockFaults('serpent', 'ecbEncrypt'),
  ...blockFaults('serpent-ctr', 'ctr'),

  {
    module: 'serpent scalar',
    name: 'function 12',
    planted: 'after block 48 a word of the offset is cleared if a word of L_* has one value',
    plant: inOffset(when(isAfter48, clearIfMagic(serpent.OFFSET, serpent.STAR))),
    found: byTopics('serpent'),
  },
  ...[100, 3000].map((count) => ({
    module: 'serpent-ctr scalar',
    name: 'ctr',
    planted: `ctr of ${count} blocks clears the first word`,
    plant: atEnd('ctr', when(i32.eq(blocks, count), i32.store(0, serpent.STAGE, 0))),
    found: UNCOVERED,
  })),
  {
    module: 'serpent scalar',
    name: 'function 12',
    planted: 'after block 48 a word of the offset is cleared',
    plant: inOffset(when(isAfter48, i32.store(0, serpent.OFFSET, 0))),
    found: byTopics('serpent'),
  },

  {
    module: 'serpent scalar',
    name: 'function 12',
    planted: 'the checksum forgets all blocks before number 2^17 and its multiples, whose bits are counted one by one',
    plant: inOffset(
      when(lowBits(17), sequence(), sequence(...[0, 4, 8, 12].map((at) => i32.store(0, serpent.CHECKSUM + at, 0)))),
    ),
    found: atSomeLength('serpent'),
  },

  ...['ecbEncrypt', 'ecbDecrypt', 'cbcEncrypt', 'cbcDecrypt', 'cbcMany'].map((name) => ({
    module: 'serpent scalar',
    name,
    planted: `${name} flips a bit`,
    plant: atEnd(name, flip(serpent.STAGE)),
    found: onlyBy(name),
  })),
  ...[
    // Claims about results have no call with two streams.
    {
      kind: 'bounds',
      name: 'cbcMany',
      planted: 'cbcMany of two streams writes before the sets',
      plant: atStart('cbcMany', i32.store8(i32.sub(serpent.SETS, i32.and(parameter(1), 2)), 0, 0)),
    },
    {
      kind: 'OCB',
      name: 'function 12',
      planted: 'an offset far from the first block flips a bit',
      plant: inOffset(when(i32.shr_u(first, 20), flip(serpent.OFFSET))),
    },
    { kind: 'OCB seal', name: 'seal', planted: 'seal flips a bit', plant: atEnd('seal', flip(serpent.STAGE)) },
    { kind: 'OCB open', name: 'open', planted: 'open flips a bit', plant: atEnd('open', flip(serpent.STAGE)) },
    // A message in one call begins with block 0.
    ...['encrypt', 'decrypt'].map((name) => ({
      kind: `OCB ${name}`,
      name,
      planted: `${name} of later blocks flips a bit`,
      plant: atEnd(name, when(first, flip(serpent.STAGE))),
    })),
  ].map(({ kind, ...fault }) => ({ module: 'serpent scalar', ...fault, found: onlyBy(kind) })),
  ...[
    {
      kind: 'CTR, big-endian',
      planted: 'ctr of more than 16 blocks, big-endian',
      plant: ctr(big, i32.lt_u(16, blocks)),
    },
    {
      kind: 'CTR, little-endian, keys of 16 and 24 bytes',
      planted: 'ctr of one block, little-endian',
      plant: ctr(i32.eqz(big), i32.eq(blocks, 1)),
    },
    { kind: 'CTR', planted: 'ctr that continues', plant: ctr(i32.eqz(first)) },
  ].map(({ kind, planted, plant }) => ({
    module: 'serpent-ctr scalar',
    name: 'ctr',
    planted: `${planted} flips a bit`,
    plant,
    found: onlyBy(kind),
  })),
];
