/** Faults for the kernels of Argon2. */
import { BLOCKS } from '../../../../lanewise/src/argon2/map.ts';
import { sequence } from '../../../../lanewise/src/wasm/control.ts';
import * as i32 from '../../../../lanewise/src/wasm/i32.ts';
import { BACKDOOR, byTopics, onlyBy, STRAY, UNWIPED, type Fault } from '../../mutations/fault.ts';
import { atEnd, atStart, backdoor, flip, GAP, leaveWord, parameter, strayWrite } from '../../mutations/plant.ts';
import { BLOCK_BYTES } from './claims.ts';

/** The result of the first claims, which are about blocks that lie apart. */
const RESULT = BLOCKS + 2 * BLOCK_BYTES;
/** Before the block of zeros, where no area lies. */
const UNUSED = 800;
const [to, z] = [parameter(2), parameter(4)];
/** A bit of the result's address, at more blocks than a claim has memory for. */
const FAR = 27;
const MAGIC = 0x5eed1e55;

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
  ...['argon2 scalar', 'argon2 swizzle'].map((module) => ({
    module,
    name: 'compress',
    planted: 'a bit of every other 128 MiB of blocks flips if a word of a block has one value, by an address',
    plant: atEnd(
      'compress',
      sequence(
        i32.store(z, 0, 0),
        i32.store(z, 4, -1),
        i32.store(
          to,
          0,
          i32.xor(
            i32.load(to, 0),
            i32.and(
              i32.load(i32.add(z, i32.shr_u(i32.and(to, 2 ** FAR), FAR - 2)), 0),
              i32.eqz(i32.xor(i32.load(to, 0), MAGIC)),
            ),
          ),
        ),
      ),
    ),
    found: byTopics('compression'),
  })),
  {
    module: 'argon2 scalar',
    name: 'compress',
    planted: 'compress flips a bit of X',
    plant: atEnd('compress', flip(BLOCKS)),
    found: onlyBy('compression'),
  },
];
