/** Faults for the kernels of ChaCha8Rand. */
import { SIGMA } from '../../../../lanewise/src/keystream/core.ts';
import { KEY, STAGE, STATE } from '../../../../lanewise/src/random/map.ts';
import { BACKDOOR, byTopics, onlyBy, RESULT, STRAY, UNWIPED, type Fault } from '../../mutations/fault.ts';
import {
  atEnd,
  atStart,
  backdoor,
  constant,
  flip,
  GAP,
  inLoop,
  leaveWord,
  parameter,
  rotation,
  strayWrite,
  whereChosen,
  whereStored,
} from '../../mutations/plant.ts';

export const randomFaults: readonly Fault[] = [
  ...[
    { planted: 'one rotation by 6 instead of 7', plant: rotation(7), found: RESULT },
    { planted: 'one bit of "expa"', plant: constant(SIGMA[0], SIGMA[0] ^ 1), found: RESULT },
    {
      planted: 'a bit flips when the fifth word of the key has one value',
      plant: atStart('generate', backdoor(KEY + 16)),
      found: BACKDOOR,
    },
    {
      planted: 'generate leaves a word of the key before the state',
      plant: atEnd('generate', leaveWord(STATE - 4, KEY)),
      found: UNWIPED,
    },
    { planted: `generate writes to ${GAP}`, plant: atStart('generate', strayWrite(GAP)), found: STRAY },
  ].map((fault) => ({ module: 'random', name: 'generate', ...fault })),
  ...[
    {
      planted:
        'the key of the iteration with 44 left is another one if a word of it has one value, by the number in memory',
      plant: inLoop('generate', whereStored(STATE + 60, parameter(0), 44, KEY, KEY + 4)),
    },
    {
      planted:
        'the key is another one while the number that is left has bit 5, if a word of it has one value, by an address',
      plant: inLoop('generate', whereChosen(STATE + 56, parameter(0), 5, KEY, KEY + 4)),
    },
  ].map((fault) => ({ module: 'random scalar', name: 'generate', ...fault, found: byTopics('induction') })),
  {
    module: 'random scalar',
    name: 'generate',
    planted: 'generate flips a bit of the first output',
    plant: atEnd('generate', flip(STAGE)),
    found: onlyBy('chacha8rand'),
  },
];
