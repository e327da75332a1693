/** Faults for the kernels of Argon2. */
import { BLOCKS } from '../../../../lanewise/src/argon2/map.ts';
import { BACKDOOR, onlyBy, STRAY, UNWIPED, type Fault } from '../../mutations/fault.ts';
import { atEnd, atStart, backdoor, flip, GAP, leaveWord, strayWrite } from '../../mutations/plant.ts';
import { BLOCK_BYTES } from './claims.ts';

/** The result of the first claims, which are about blocks that lie apart. */
const RESULT = BLOCKS + 2 * BLOCK_BYTES;
/** Before the block of zeros, where no area lies. */
const UNUSED = 800;

export const argon2Faults: readonly Fault[] = [
  ...[
    {
      name: 'compress',
      planted: 'a bit flips when a word of the result has one value',
      plant: atEnd('compress', backdoor(RESULT)),
      found: BACKDOOR,
    },
    {
      name: 'compress',
      planted: 'compress leaves a word of X where nothing is wiped',
      plant: atEnd('compress', leaveWord(UNUSED, BLOCKS)),
      found: UNWIPED,
    },
    {
      name: 'compress',
      planted: `compress writes to ${GAP}`,
      plant: atStart('compress', strayWrite(GAP)),
      found: STRAY,
    },
  ].map((fault) => ({ module: 'argon2', ...fault })),
  {
    module: 'argon2 scalar',
    name: 'compress',
    planted: 'compress flips a bit of X',
    plant: atEnd('compress', flip(BLOCKS)),
    found: onlyBy('compression'),
  },
];
