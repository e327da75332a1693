/** Faults in the kernels of BLAKE3 at lengths that no claim about results names. */
import { BLOCK, CV, CVS, KEY } from '../../../../lanewise/src/blake3/map.ts';
import { sequence, when } from '../../../../lanewise/src/wasm/control.ts';
import * as i32 from '../../../../lanewise/src/wasm/i32.ts';
import type { Local, Statement } from '../../../../lanewise/src/wasm/types.ts';
import { byTopics, EVERY_LENGTH, type Fault } from '../../mutations/fault.ts';
import {
  atEnd,
  flipWhere,
  functionOf,
  ifEqual,
  ifWord,
  inserted,
  parameter,
  start,
  whereChosen,
  type FunctionOf,
  type Place,
  type Plant,
} from '../../mutations/plant.ts';
import { exported } from '../../wasm/types.ts';
import { calleesOf } from '../keystream/every-length.ts';

/** The second half of an output block, which only the root has; and the block of the root, which nothing here has. */
const [UNUSED, SPARE] = [CV + 32, BLOCK];
const first = parameter(0);
const SEEN = byTopics('every length');

/** Flips a bit of a word if a word of the key has one value, for one value of a number, by data. */
const flipAt = (word: number, n: Local<'i32'>, value: number): Statement =>
  flipWhere(word, KEY, i32.sub(0, ifEqual(n, value)));

const inLevel: Place = (code) => code[code.findIndex(({ op }) => op === 'loop') + 1];
/** Levels are counted in memory that the kernel may write. */
const fifthLevel: Plant = [
  inserted(
    functionOf('tree'),
    inLevel,
    sequence(i32.store(0, UNUSED, i32.add(i32.load(0, UNUSED), 1)), flipWhere(CVS + 64, KEY, ifWord(UNUSED, 5))),
  ),
  inserted(functionOf('tree'), start, i32.store(0, UNUSED, 0)),
].reduce((one, next) => (kernel) => next(one(kernel)));

const chunkFunction: FunctionOf = (module) => module.functions[calleesOf(exported(module, 'chunk'))[0]];
const end: Place = (code) => code[code.length - 1];

export const blake3LengthFaults: readonly Fault[] = [
  {
    module: 'blake3 scalar',
    name: 'tree',
    planted: 'the fifth level of a tree has a wrong node if a word of the key has one value, by a counter in memory',
    plant: fifthLevel,
    found: EVERY_LENGTH,
  },
  {
    module: 'blake3 relaxed',
    name: 'tree',
    planted: 'a tree of 23,557 bytes has a wrong child if a word of the key has one value, by data',
    plant: atEnd('tree', flipAt(CVS, first, 23_557)),
    found: SEEN,
  },
  {
    module: 'blake3 scalar',
    name: 'hash',
    planted: 'a hash of 32,768 bytes or more is wrong if a word of the key has one value, by an address',
    plant: atEnd('hash', whereChosen(SPARE, first, 15, CV, KEY)),
    found: SEEN,
  },
  {
    module: 'blake3 relaxed',
    name: 'chunk',
    planted: 'a chunk of 700 bytes is wrong if a word of the key has one value, by data',
    plant: inserted(chunkFunction, end, flipAt(CV, parameter(1), 700)),
    found: SEEN,
  },
  {
    module: 'blake3 scalar',
    name: 'prepare',
    planted: 'the last block of a chunk of 700 bytes is wrong if a word of the key has one value, by data',
    plant: inserted(functionOf('prepare'), end, flipAt(BLOCK, first, 700)),
    found: SEEN,
  },
  {
    module: 'blake3 relaxed',
    name: 'many',
    planted: 'of 47 messages the first is wrong if a word of the key has one value, by data',
    plant: atEnd('many', when(first, flipAt(CVS, first, 47))),
    found: SEEN,
  },
];
