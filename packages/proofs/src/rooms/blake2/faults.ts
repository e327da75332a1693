/** Faults for the kernels of BLAKE2. */
import { H, V } from '../../../../lanewise/src/blake2/map.ts';
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

/** Between the work vector and the stage, where no area lies. */
const UNUSED = 200;
export const blake2Faults: readonly Fault[] = [
  ...(['blake2b', 'blake2s'] as const).flatMap((module) => {
    return [
      {
        name: 'compress',
        planted: 'one bit of the initial value',
        plant: constant(0x3c6ef372, 0x3c6ef373),
        found: RESULT,
      },
      {
        name: 'compress',
        planted: 'a bit flips when a word of the chaining value has one value',
        plant: atStart('compress', backdoor(H + 4)),
        found: BACKDOOR,
      },
      {
        name: 'compress',
        planted: 'compress leaves a word of the chaining value where nothing is wiped',
        plant: atEnd('compress', leaveWord(UNUSED, H)),
        found: UNWIPED,
      },
      {
        name: 'start',
        planted: `start writes to ${UNUSED}`,
        plant: atStart('start', strayWrite(UNUSED)),
        found: STRAY,
      },
    ].map((fault) => ({ module, ...fault }));
  }),
  ...['blake2b scalar', 'blake2s scalar'].flatMap((module) =>
    [
      {
        planted:
          'the 300th block from the end flips a bit if a word of the chaining value has one value, by the number in memory',
        plant: inLoop('compress', whereStored(V, parameter(1), 300, H, H + 4)),
      },
      {
        planted: 'after 2^20 bytes a bit flips if a word of the chaining value has one value, by an address',
        plant: inLoop('compress', whereChosen(V, parameter(2), 20, H, H + 4)),
      },
    ].map((fault) => ({ module, name: 'compress', ...fault, found: byTopics('induction') })),
  ),
  {
    module: 'blake2b scalar',
    name: 'compress',
    planted: 'compress flips a bit of the chaining value',
    plant: atEnd('compress', flip(H)),
    found: onlyBy('compression'),
  },
];
