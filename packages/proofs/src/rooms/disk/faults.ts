/** Faults for the kernels of disk encryption. */
import { CONSTANT } from '../../../../lanewise/src/aes/rounds.ts';
import * as disk from '../../../../lanewise/src/disk/map.ts';
import { set, when } from '../../../../lanewise/src/wasm/control.ts';
import * as i32 from '../../../../lanewise/src/wasm/i32.ts';
import type { Expression } from '../../../../lanewise/src/wasm/types.ts';
import { atSomeLength, BACKDOOR, byTopics, onlyBy, RESULT, STRAY, UNWIPED, type Fault } from '../../mutations/fault.ts';
import {
  atEnd,
  atStart,
  backdoor,
  clearIfMagic,
  constant,
  flip,
  functionOf,
  ifEqual,
  ifMagic,
  inserted,
  leaveWord,
  parameter,
  rotation,
  start,
  strayWrite,
  unless,
  unlessMagic,
  type Place,
  type Plant,
} from '../../mutations/plant.ts';

import { computingIn, leavesOf } from './functions.ts';
import { diskLengthFaults } from './length-faults.ts';
import { callerOf } from './nh-induction.ts';

/** An unused address in the map of disk encryption, after the subkeys. */
const UNUSED = 800;
const [first, second, third, tweakBytes] = [0, 1, 2, 3].map(parameter);

/** Flips a bit of a word where all bits of a mask are set. */
const flipBy = (address: number, mask: Expression<'i32'>): string =>
  i32.store(0, address, i32.xor(i32.load(0, address), i32.and(mask, 1)));

/** In the function that hashes pieces, which is not exported: (address, length, to). */
const [message, length, hash] = [first, second, third];
const inPieces = (place: Place, code: string): Plant => inserted((module) => callerOf(module), place, code);
const atNextPiece: Place = (steps) => steps[steps.findIndex(({ op }) => op === 'loop') + 1];

/** In the functions that XOR blocks, (doubleRounds, address, blocks), and absorb them, (address, count, top). */
const inStream = (place: Place, code: string): Plant =>
  inserted((module) => module.functions[leavesOf(module).at(-1)!.index], place, code);
const inPoly1305 = (place: Place, code: string): Plant =>
  inserted((module) => module.functions[computingIn(module).absorb], place, code);

export const diskFaults: readonly Fault[] = [
  ...diskLengthFaults,
  ...['disk scalar', 'disk relaxed'].flatMap((module) => [
    {
      module,
      name: 'pages',
      planted: 'a word of a page flips a bit where 400 blocks are left if a word of the key has one value, by data',
      plant: inStream(
        atNextPiece,
        i32.store(
          second,
          0,
          i32.xor(i32.load(second), i32.and(i32.and(ifEqual(third, 400), ifMagic(disk.STATE + 16)), 1)),
        ),
      ),
      found: byTopics('induction'),
    },
    {
      module,
      name: 'pages',
      planted: 'a page is left out while bit 6 of the number of pages that are left is set',
      plant: inserted(
        functionOf('pages'),
        atNextPiece,
        set(parameter(7), i32.sub(parameter(7), i32.and(i32.shr_u(parameter(7), 6), 1))),
      ),
      found: byTopics('every length'),
    },
    {
      module,
      name: 'pages',
      planted:
        'pages lose a bit of the keys of AES while bit 6 of their number is set if a word of the key has one value',
      plant: inserted(
        functionOf('pages'),
        atNextPiece,
        flipBy(disk.SLICED, i32.and(i32.shr_u(parameter(7), 6), ifMagic(disk.KEY))),
      ),
      found: byTopics('every length'),
    },
    {
      module,
      name: 'pages',
      planted: 'the next block of Poly1305 is another one while bit 8 of the number that is left is set',
      plant: inPoly1305(atNextPiece, set(first, i32.add(first, i32.and(i32.shr_u(second, 4), 16)))),
      found: byTopics('induction'),
    },
  ]),
  ...[
    {
      planted: 'the hash of a message goes to the place after its own while bit 9 of its length is set',
      plant: inPieces(start, set(hash, i32.add(hash, i32.and(i32.shr_u(length, 4), 32)))),
    },
    {
      planted: 'the last bytes of a message are not hashed while bit 9 of its length is set',
      plant: inPieces(start, set(length, i32.sub(length, i32.and(i32.shr_u(length, 5), 16)))),
    },
  ].flatMap((fault) =>
    ['disk scalar', 'disk swizzle'].map((module) => ({
      module,
      name: 'pages',
      ...fault,
      found: atSomeLength('induction'),
    })),
  ),
  ...[
    { name: 'pages', planted: 'one rotation by 6 instead of 7', plant: rotation(7), found: RESULT },
    {
      name: 'expandKey',
      planted: "one bit of the S-box's constant",
      plant: constant(CONSTANT, CONSTANT ^ 1),
      found: RESULT,
    },
    {
      name: 'pages',
      planted: 'a bit flips when the first word of the page has one value',
      plant: atStart('pages', backdoor(disk.STAGE)),
      found: BACKDOOR,
    },
    {
      name: 'pages',
      planted: 'a word of the page is left where nothing is wiped',
      plant: atStart('pages', leaveWord(UNUSED, disk.STAGE)),
      found: UNWIPED,
    },
    { name: 'pages', planted: `pages writes to ${UNUSED}`, plant: atStart('pages', strayWrite(UNUSED)), found: STRAY },
  ].map((fault) => ({ module: 'disk', ...fault })),

  {
    module: 'disk scalar',
    name: 'pages',
    planted: 'a piece is hashed from its second unit on while bit 9 of what is left is set',
    plant: inPieces(atNextPiece, set(message, i32.add(message, i32.and(i32.shr_u(length, 5), 16)))),
    found: byTopics('induction'),
  },

  ...[
    {
      name: 'pages',
      planted: 'pages hashes a tweak of 40 bytes without its last 8',
      // Adiantum hashes 16 bytes before the tweak.
      plant: atStart('pages', set(tweakBytes, i32.sub(tweakBytes, i32.shl(ifEqual(tweakBytes, 16 + 40), 3)))),
      found: byTopics('every length'),
    },
    {
      name: 'nh',
      planted: 'nh of 31 units, a sector of 512 bytes, drops a word of the message if a word of its key has one value',
      plant: atStart('nh', when(i32.eq(second, 31), i32.store(first, 0, unlessMagic(i32.load(first), disk.NH_KEY)))),
      found: byTopics('NH'),
    },
    {
      name: 'nh',
      planted: 'nh of all pieces of a page but its first is zero if a word of its key has one value',
      plant: atEnd('nh', when(i32.ne(third, disk.NH), i32.store(third, 0, unlessMagic(i32.load(third), disk.NH_KEY)))),
      found: byTopics('NH'),
    },
    {
      name: 'pages',
      planted: 'pages of 8192 bytes clears a word of the key if another one has one value',
      plant: atStart('pages', when(i32.eq(parameter(5), 8192), clearIfMagic(disk.KEY, disk.KEY + 4))),
      found: byTopics('adiantum', 'every length'),
    },

    {
      name: 'pages',
      planted: 'pages of 16,384 bytes flips a bit of them if a word of the key has one value, by data',
      plant: atEnd('pages', flipBy(disk.STAGE, i32.and(ifEqual(parameter(5), 16_384), ifMagic(disk.KEY)))),
      found: byTopics('every length'),
    },
    {
      name: 'pages',
      planted: 'pages flips a bit of 120 pages if a word of the key has one value, by data',
      plant: atEnd('pages', flipBy(disk.STAGE, i32.and(ifEqual(parameter(7), 120), ifMagic(disk.KEY)))),
      found: byTopics('every length'),
    },

    // Other claims that involve AES have names for the S-box's outputs.
    {
      name: 'substitute',
      planted: 'substitute flips a bit of the slices',
      plant: atEnd('substitute', flip(disk.SLICES)),
      found: onlyBy('AES-256'),
    },
    // No other claim that runs NH has a page with a piece of this many units.
    {
      name: 'nh',
      planted: 'nh of 31 units flips a bit of its key',
      plant: atStart('nh', when(i32.eq(second, 31), flip(disk.NH_KEY))),
      found: onlyBy('NH'),
    },
    {
      name: 'heads',
      planted: 'heads flips a bit of the heads',
      plant: atEnd('heads', flip(disk.HEADS)),
      found: onlyBy('keys'),
    },
    // Claims about pages have names for subkeys, unless there is one page.
    {
      name: 'pages',
      planted: 'the subkeys of two pages are made of another block',
      plant: inserted(
        (module) => module.functions[computingIn(module).subkeys],
        start,
        when(i32.eq(second, 2), flip(disk.MIDDLE + disk.BLOCK)),
      ),
      found: onlyBy('streams and hashes'),
    },
    {
      name: 'pages',
      planted: 'pages of Adiantum flips a bit',
      plant: atStart('pages', when(second, flip(disk.STAGE))),
      found: onlyBy('adiantum'),
    },
    {
      name: 'pages',
      planted: 'pages of HPolyC flips a bit',
      plant: atStart('pages', unless(second, flip(disk.STAGE))),
      found: onlyBy('hpolyc'),
    },
  ].map((fault) => ({ module: 'disk scalar', ...fault })),
];
