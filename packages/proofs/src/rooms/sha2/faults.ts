/** Faults for the kernels of SHA-2. */
import { DIGEST, INNER, LANES_STATE, SCHEDULE, STATE, SUM } from '../../../../lanewise/src/sha2/map.ts';
import { BACKDOOR, byTopics, onlyBy, RESULT, STRAY, UNWIPED, type Fault } from '../../mutations/fault.ts';
import {
  atEnd,
  atStart,
  backdoor,
  constant,
  flip,
  inLoop,
  leaveWord,
  parameter,
  strayWrite,
  whereChosen,
  whereStored,
} from '../../mutations/plant.ts';

/** Between the schedule and the chaining value, and after the sum: no area lies there. */
const UNUSED = 1900;
/** After the digests of the lanes. */
const LANES_UNUSED = 2000;
const [IPAD, PADS] = [0x36363636, 0x6a6a6a6a];

export const sha2Faults: readonly Fault[] = [
  ...(['sha256', 'sha512'] as const).flatMap((module) =>
    [
      { name: 'key', planted: 'another inner pad', plant: constant(IPAD, IPAD ^ 1), found: RESULT },
      { name: 'key', planted: 'another outer pad', plant: constant(PADS, PADS ^ 1), found: RESULT },
      {
        name: 'compress',
        planted: 'a bit flips when a word of the chaining value has one value',
        plant: atStart('compress', backdoor(STATE + 4)),
        found: BACKDOOR,
      },
      {
        name: 'iterate',
        planted: 'a bit flips when a word of the sum has one value',
        plant: atStart('iterate', backdoor(SUM)),
        found: BACKDOOR,
      },
      {
        name: 'outer',
        planted: 'a bit flips when a word of the inner hash has one value',
        plant: atStart('outer', backdoor(STATE + 4)),
        found: BACKDOOR,
      },
      {
        name: 'compress',
        planted: 'compress leaves a word of the chaining value where nothing is wiped',
        plant: atEnd('compress', leaveWord(UNUSED, STATE)),
        found: UNWIPED,
      },
      {
        name: 'key',
        planted: 'key leaves a word of the inner value where nothing is wiped',
        plant: atEnd('key', leaveWord(UNUSED, INNER)),
        found: UNWIPED,
      },
      {
        name: 'begin',
        planted: 'begin writes after the sum',
        plant: atStart('begin', strayWrite(UNUSED)),
        found: STRAY,
      },
      {
        name: 'digest',
        planted: 'digest writes after the sum',
        plant: atStart('digest', strayWrite(UNUSED)),
        found: STRAY,
      },
    ].map((fault) => ({ module, ...fault })),
  ),
  ...['sha256', 'sha256lanes'].map((module) => ({
    module,
    name: 'compress',
    planted: 'a shift by 9 bits instead of 10',
    plant: constant(10, 9),
    found: RESULT,
  })),
  ...[
    {
      name: 'compress',
      planted: 'a bit flips when a word of a lane has one value',
      plant: atStart('compress', backdoor(LANES_STATE + 8)),
      found: BACKDOOR,
    },
    {
      name: 'digests',
      planted: 'digests leaves a word of a chaining value where nothing is wiped',
      plant: atEnd('digests', leaveWord(LANES_UNUSED, LANES_STATE)),
      found: UNWIPED,
    },
    {
      name: 'begin',
      planted: 'begin writes after the digests',
      plant: atStart('begin', strayWrite(LANES_UNUSED)),
      found: STRAY,
    },
  ].map((fault) => ({ module: 'sha256lanes', ...fault })),
  ...['sha256 scalar', 'sha256 swizzle', 'sha512 scalar', 'sha512 swizzle'].flatMap((module) =>
    [
      {
        planted:
          'the 300th block from the end flips a bit if a word of the chaining value has one value, by the number in memory',
        plant: inLoop('compress', whereStored(SCHEDULE, parameter(1), 300, STATE, STATE + 4)),
      },
      {
        planted:
          'a bit flips while bit 8 of the number of blocks is set, if a word of the chaining value has one value, by an address',
        plant: inLoop('compress', whereChosen(SCHEDULE, parameter(1), 8, STATE, STATE + 4)),
      },
    ].map((fault) => ({ module, name: 'compress', ...fault, found: byTopics('induction') })),
  ),
  ...['sha256 scalar', 'sha256 swizzle', 'sha512 scalar', 'sha512 swizzle'].flatMap((module) =>
    [
      {
        planted:
          'the 4000th iteration from the end flips a bit if a word of the inner value has one value, by the number in memory',
        plant: inLoop('iterate', whereStored(SCHEDULE, parameter(0), 4000, SUM, INNER + 4)),
      },
      {
        planted:
          'an iteration flips a bit while bit 12 of the number left is set, if a word of the inner value has one value, by an address',
        plant: inLoop('iterate', whereChosen(SCHEDULE, parameter(0), 12, SUM, INNER + 4)),
      },
    ].map((fault) => ({ module, name: 'iterate', ...fault, found: byTopics('induction') })),
  ),
  ...['sha256lanes scalar', 'sha256lanes swizzle'].flatMap((module) =>
    [
      {
        planted:
          'the 200th block of each lane from the end flips a bit if a word has one value, by the number in memory',
        plant: inLoop('compress', whereStored(SCHEDULE, parameter(0), 200, LANES_STATE, LANES_STATE + 4)),
      },
      {
        planted: 'lanes flip a bit while bit 7 of the number of blocks is set, if a word has one value, by an address',
        plant: inLoop('compress', whereChosen(SCHEDULE, parameter(0), 7, LANES_STATE, LANES_STATE + 4)),
      },
    ].map((fault) => ({ module, name: 'compress', ...fault, found: byTopics('induction') })),
  ),
  {
    module: 'sha256 scalar',
    name: 'compress',
    planted: 'compress flips a bit of the chaining value',
    plant: atEnd('compress', flip(STATE)),
    found: onlyBy('compression'),
  },
  {
    module: 'sha256 scalar',
    name: 'key',
    planted: 'key flips a bit of the block with the outer pad',
    plant: atEnd('key', flip(DIGEST)),
    found: onlyBy('hmac'),
  },
  {
    module: 'sha256 scalar',
    name: 'iterate',
    planted: 'iterate flips a bit of the sum',
    plant: atEnd('iterate', flip(SUM)),
    found: onlyBy('pbkdf2'),
  },
];
