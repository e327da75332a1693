/** Faults for the kernels of BLAKE3. */
import * as blake3 from '../../../../lanewise/src/blake3/map.ts';
import { IV, ROOT } from '../../../../lanewise/src/blake3/rounds.ts';
import { fill, sequence, set, when } from '../../../../lanewise/src/wasm/control.ts';
import * as i32 from '../../../../lanewise/src/wasm/i32.ts';
import { BACKDOOR, byTopics, onlyBy, RESULT, STRAY, UNCOVERED, UNWIPED, type Fault } from '../../mutations/fault.ts';
import {
  atEnd,
  atStart,
  backdoor,
  clearIfMagic,
  constant,
  flip,
  GAP,
  leaveWord,
  parameter,
  rotation,
  unless,
  type Plant,
} from '../../mutations/plant.ts';

const first = parameter(0);
/** The text as it is planted in the scalar kernel. */
const scalar = 'blake3 scalar';

/** The high word of chunk numbers, with only those bits that the numbers of the claims once had. */
const maskHigh = (name: string, high: number): Plant =>
  atStart(name, set(parameter(high), i32.and(parameter(high), 0x200001)));

const ofFlags = (flags: number): Plant => atEnd('hash', when(i32.eq(parameter(1), flags), flip(blake3.CV)));

export const blake3Faults: readonly Fault[] = [
  ...[
    // BLAKE3 rotates to the right by 7, which is 25 to the left.
    { name: 'many', planted: 'one rotation by 8 instead of 7', plant: rotation(25), found: RESULT },
    { name: 'chunk', planted: 'one bit of the initial value', plant: constant(IV[1], IV[1] ^ 1), found: RESULT },
    {
      name: 'hash',
      planted: 'a bit flips when the first word of the message has one value',
      plant: atStart('hash', backdoor(blake3.STAGE)),
      found: BACKDOOR,
    },
    {
      name: 'hash',
      planted: 'hash leaves a word of the message where nothing is wiped',
      plant: atStart('hash', leaveWord(GAP, blake3.STAGE)),
      found: UNWIPED,
    },
    {
      name: 'hash',
      planted: 'hash clears the masks',
      plant: atStart('hash', sequence(fill(blake3.MASKS, 0, 16))),
      found: STRAY,
    },
  ].map((fault) => ({ module: 'blake3', ...fault })),

  ...[
    {
      name: 'hash',
      planted: 'hash of 41,111 bytes is another one',
      plant: atEnd('hash', when(i32.eq(first, 41_111), flip(blake3.CV))),
      found: UNCOVERED,
    },
    {
      name: 'output',
      planted: 'output of 40 blocks is another one',
      plant: atEnd('output', when(i32.eq(parameter(4), 40), flip(blake3.STAGE))),
      found: UNCOVERED,
    },
    {
      name: 'hash',
      planted: 'the keyed hash of 32,768 bytes drops a word of the key if another one has one value',
      plant: atStart('hash', when(i32.eq(first, 32_768), clearIfMagic(blake3.KEY + 4, blake3.KEY))),
      found: UNCOVERED,
    },
    ...['chunk', 'prepare', 'tree', 'output'].map((name) => ({
      name,
      planted: `${name} drops bits of the high word of the number`,
      plant: maskHigh(name, 2),
      found: byTopics(name),
    })),
    {
      name: 'many',
      planted: 'many of 33 messages is another digest',
      plant: atEnd('many', when(i32.eq(first, 33), flip(blake3.CVS))),
      found: byTopics('many'),
    },
  ].map((fault) => ({ module: scalar, ...fault })),

  ...[
    { kind: 'hash', name: 'hash', planted: 'no flags', plant: atEnd('hash', unless(parameter(1), flip(blake3.CV))) },
    { kind: 'keyed hash', name: 'hash', planted: 'the flag of a key', plant: ofFlags(16) },
    { kind: 'derive key, context', name: 'hash', planted: 'the flag of a context', plant: ofFlags(32) },
    { kind: 'derive key, material', name: 'hash', planted: 'the flag of key material', plant: ofFlags(64) },
    { kind: 'chunk', name: 'chunk', planted: 'every chunk', plant: atEnd('chunk', flip(blake3.CV)) },
    { kind: 'prepare', name: 'prepare', planted: 'every block', plant: atEnd('prepare', flip(blake3.BLOCK)) },
    // Whole messages begin with chunk 0, and end with the root.
    {
      kind: 'tree',
      name: 'tree',
      planted: 'later chunks',
      plant: atStart('tree', when(parameter(1), flip(blake3.STAGE))),
    },
    {
      kind: 'parent',
      name: 'parent',
      planted: 'parents that are not the root',
      plant: atStart('parent', unless(i32.and(parameter(0), ROOT), flip(blake3.CVS))),
    },
    { kind: 'copyUp', name: 'copyUp', planted: 'the copy', plant: atEnd('copyUp', flip(blake3.CVS + blake3.CV_BYTES)) },
    { kind: 'many', name: 'many', planted: 'every message', plant: atEnd('many', flip(blake3.CVS)) },
    { kind: 'output', name: 'output', planted: 'every output', plant: atEnd('output', flip(blake3.STAGE)) },
  ].map(({ kind, planted, ...fault }) => ({
    module: scalar,
    ...fault,
    planted: `${fault.name} flips a bit: ${planted}`,
    found: onlyBy(kind),
  })),
];
