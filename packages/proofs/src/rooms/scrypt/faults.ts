/** Faults for the kernels of scrypt. */
import { ROWS, SCHEDULE, STATE } from '../../../../lanewise/src/scrypt/map.ts';
import { sha256Rounds } from '../../../../lanewise/src/sha2/rounds.ts';
import { sequence, set } from '../../../../lanewise/src/wasm/control.ts';
import * as i32 from '../../../../lanewise/src/wasm/i32.ts';
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

/** Between the areas of SHA-256 and the stage, where no area lies. */
const UNUSED = 800;
const first = Number(sha256Rounds.constants[0]);
/** At the end of `fill` its first parameter is the address of the last row. */
const lastRow = parameter(0);
const rowsLeft = parameter(2);
/** In an iteration: the row that it makes. */
const nextRow = i32.add(lastRow, i32.shl(parameter(1), 7));
const MAGIC = 0x5eed1e55;

export const scryptFaults: readonly Fault[] = [
  ...[
    { name: 'fill', planted: 'one rotation of Salsa20/8 by 6 instead of 7', plant: rotation(7), found: RESULT },
    { name: 'compress', planted: 'one bit of a constant of SHA-256', plant: constant(first, first ^ 1), found: RESULT },
    {
      name: 'compress',
      planted: 'a bit flips when a word of the hash value has one value',
      plant: atStart('compress', backdoor(STATE + 4)),
      found: BACKDOOR,
    },
    {
      name: 'fill',
      planted: 'fill leaves a word of V[0] where nothing is wiped',
      plant: atEnd('fill', leaveWord(UNUSED, ROWS)),
      found: UNWIPED,
    },
    { name: 'mix', planted: `mix writes to ${GAP}`, plant: atStart('mix', strayWrite(GAP)), found: STRAY },
  ].map((fault) => ({ module: 'scrypt', ...fault })),
  ...[
    {
      name: 'compress',
      planted:
        'the 40th block from the end flips a bit if a word of the hash value has one value, by the number in memory',
      plant: inLoop('compress', whereStored(SCHEDULE, parameter(1), 40, STATE, STATE + 4)),
    },
    {
      name: 'compress',
      planted:
        'a bit flips while bit 4 of the number of blocks is set, if a word of the hash value has one value, by an address',
      plant: inLoop('compress', whereChosen(SCHEDULE, parameter(1), 4, STATE, STATE + 4)),
    },
    {
      name: 'fill',
      planted: 'with 50 rows left a bit of V[i] flips if a word of it has one value, by the number in memory',
      plant: inLoop(
        'fill',
        sequence(
          i32.store(nextRow, 0, rowsLeft),
          i32.store(
            lastRow,
            0,
            i32.xor(
              i32.load(lastRow, 0),
              i32.and(i32.eqz(i32.xor(i32.load(lastRow, 0), MAGIC)), i32.eqz(i32.xor(i32.load(nextRow, 0), 50))),
            ),
          ),
        ),
      ),
    },
  ].map((fault) => ({ module: 'scrypt scalar', ...fault, found: byTopics('induction') })),
  ...[
    {
      name: 'fill',
      planted: 'fill makes rows as if r were one less while bit 2 of r is set',
      plant: atStart('fill', set(parameter(1), i32.sub(parameter(1), i32.and(i32.shr_u(parameter(1), 2), 1)))),
    },
    {
      name: 'mix',
      planted: 'mix takes V[j] from its second block on while bit 2 of r is set',
      plant: atStart('mix', set(parameter(1), i32.add(parameter(1), i32.and(i32.shl(parameter(3), 4), 64)))),
    },
    {
      name: 'mix',
      planted: 'mix writes a row to the one after it while bit 2 of r is set',
      plant: atStart('mix', set(parameter(2), i32.add(parameter(2), i32.and(i32.shl(parameter(3), 5), 128)))),
    },
  ].map((fault) => ({ module: 'scrypt scalar', ...fault, found: byTopics('induction') })),
  {
    module: 'scrypt scalar',
    name: 'compress',
    planted: 'compress flips a bit of the hash value',
    plant: atEnd('compress', flip(STATE)),
    found: onlyBy('sha-256'),
  },
  {
    module: 'scrypt scalar',
    name: 'fill',
    planted: 'fill flips a bit of the last row',
    plant: atEnd('fill', i32.store(lastRow, 0, i32.xor(i32.load(lastRow, 0), 1))),
    found: onlyBy('blockmix'),
  },
];
