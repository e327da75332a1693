/** Faults in the kernels of disk encryption at lengths and numbers of pages that no claim about results has. */
import * as disk from '../../../../lanewise/src/disk/map.ts';
import { sequence, set } from '../../../../lanewise/src/wasm/control.ts';
import * as i32 from '../../../../lanewise/src/wasm/i32.ts';
import type { Expression, Local, Statement } from '../../../../lanewise/src/wasm/types.ts';
import { byTopics, EVERY_LENGTH, type Fault } from '../../mutations/fault.ts';
import {
  atEnd,
  atStart,
  beforeCallOf,
  choice,
  flipWhere,
  functionOf,
  ifEqual,
  ifWord,
  inserted,
  parameter,
  isConstant,
  start,
  whereChosen,
  whereStored,
  type FunctionOf,
  type Place,
  type Plant,
} from '../../mutations/plant.ts';
import type { Kernel } from '../../kernels.ts';
import { decode } from '../../wasm/decode.ts';
import { computingIn, hashingIn } from './functions.ts';
import { loopsOf } from './code-parts.ts';

/** Work areas in which a call may leave anything: one for a moment, and one that nothing but AES's later blocks has. */
const [SCRATCH, COUNTER] = [disk.HEAD, disk.MIDDLE + 64];
/** Parameters of `pages`, and of the functions for the hash and the parts of a message. */
const [pageLength, count] = [parameter(5), parameter(7)];
const [second, third] = [parameter(1), parameter(2)];

/** 1 where a number has one rest modulo 1024, else 0: by sums, shifts and masks alone, with a period that the rules allow. */
function ifRest(n: Local<'i32'>, rest: number): Expression<'i32'> {
  const from = (first: number): Expression<'i32'> => i32.shr_u(i32.add(i32.and(n, 1023), 1024 - first), 10);
  return i32.sub(from(rest), from(rest + 1));
}
/** Flips a bit of a word there, if a word of the key has one value: an address chooses between two words, zero and all ones. */
const flipAt = (word: number, n: Local<'i32'>, rest: number): Statement =>
  sequence(
    i32.store(0, SCRATCH, 0),
    choice(SCRATCH),
    flipWhere(word, disk.KEY, i32.load(i32.shl(ifRest(n, rest), 2), SCRATCH)),
    i32.store(0, SCRATCH, 0),
    i32.store(0, SCRATCH + 4, 0),
  );

const hashing =
  (name: 'absorb' | 'finish'): FunctionOf =>
  (module) =>
    module.functions[hashingIn(module)[name]];

/** The first instruction of one of the loops of `pages`: groups, pages before AES, pages after it. */
const inLoop =
  (number: number): Place =>
  (code, module) =>
    code[loopsOf(functionOf('pages')(module))[number].from];
const inPages = (place: Place, code: string): Plant => inserted(functionOf('pages'), place, code);

const all = (...plants: readonly Plant[]): Plant => plants.reduce((one, next) => (kernel) => next(one(kernel)));
const countUp = (at: number): Statement => i32.store(0, at, i32.add(i32.load(0, at), 1));

/**
 * In the function that hashes, where the length is rounded up already, and Poly1305 takes the hashes of NH: after the number of blocks,
 * before the last parameter.
 */
const beforeTop: Place = (code, module) =>
  code[code.findIndex((step) => step.op === 'call' && step.callee === computingIn(module).absorb) - 1];
const SUBTRACT = '\x6b';

/** The instruction `loop` itself. */
const beforeLoop =
  (number: number): Place =>
  (code, module) =>
    code[loopsOf(functionOf('pages')(module))[number].from - 1];

/** The local in which `pages` has the place of a head, which begins with that of the first one. */
function headIn(kernel: Kernel): Local<'i32'> {
  const { code } = functionOf('pages')(decode(kernel.bytes));
  const step = code[code.findIndex((one) => isConstant(one, disk.HEADS)) + 1];
  if (step.op !== 'local.set') throw new Error('pages has no place of a head');
  return parameter(step.local);
}
/** The head behind that of a page. */
const nextHead: Plant = (kernel) => {
  const next = i32.add(headIn(kernel), parameter(4));
  return inPages(inLoop(1), i32.store8(next, 0, i32.load8_u(i32.add(next, ifRest(pageLength, 1000)))))(kernel);
};

export const diskLengthFaults: readonly Fault[] = [
  ...[
    {
      module: 'disk scalar',
      planted: 'the last 16 bytes of a message of 700, 1724, … bytes are not hashed',
      plant: inserted(hashing('absorb'), start, set(third, i32.sub(third, i32.shl(ifRest(third, 700), 4)))),
    },
    {
      module: 'disk relaxed',
      planted: 'a message of 700, 1724, … bytes is hashed from its second block on',
      plant: inserted(hashing('absorb'), start, set(second, i32.add(second, i32.shl(ifRest(third, 700), 4)))),
    },
    {
      module: 'disk relaxed',
      planted: 'of the hashes of NH the last 16 bytes are left out after 689 to 704, 1713 to 1728, … bytes',
      plant: inserted(hashing('absorb'), beforeTop, ifRest(third, 704) + SUBTRACT),
    },
    {
      module: 'disk scalar',
      planted: 'the block of a page of 850, 1874, … bytes is another one if a word of the key has one value',
      plant: inserted(functionOf('pages'), beforeCallOf('encryptBlocks'), flipAt(disk.MIDDLE, pageLength, 850)),
    },
    {
      module: 'disk relaxed',
      planted:
        'of a group of pages of 850, 1874, … bytes the fifth has another subkey if a word of the key has one value',
      plant: inPages(beforeLoop(2), flipAt(disk.SUBKEYS + 4 * disk.SUBKEY_BYTES, pageLength, 850)),
    },
    {
      module: 'disk scalar',
      planted:
        'at the 41st page of a call the first one is another if a word of the key has one value, by a counter in memory',
      plant: all(
        inPages(inLoop(2), sequence(countUp(COUNTER), flipWhere(disk.STAGE, disk.KEY, ifWord(COUNTER, 41)))),
        atStart('pages', i32.store(0, COUNTER, 0)),
      ),
    },
    {
      module: 'disk relaxed',
      planted: 'the head after that of a page of 1000, 2024, … bytes has its second byte twice',
      plant: nextHead,
    },
    {
      module: 'disk scalar',
      planted: 'a part of 300, 1324, … bytes is streamed from another block on if a word of the key has one value',
      plant: atStart('stream', flipAt(disk.STATE + 48, third, 300)),
    },
    {
      module: 'disk scalar',
      planted: 'with a part of 300, 1324, … bytes the tweak’s hash loses a bit',
      plant: atStart('absorb', flipAt(disk.TWEAKED, second, 300)),
    },
  ].map((fault) => ({ ...fault, name: 'pages', found: EVERY_LENGTH })),
  ...[
    {
      module: 'disk scalar',
      planted:
        'a page of 32,768 bytes or more ends with another byte if a word of the key has one value, by an address',
      plant: atEnd('pages', whereChosen(SCRATCH, pageLength, 15, disk.STAGE, disk.KEY)),
    },
    {
      module: 'disk relaxed',
      planted: 'of 77 pages the first loses a bit if a word of the key has one value, by data',
      plant: atEnd('pages', flipWhere(disk.STAGE, disk.KEY, i32.sub(0, ifEqual(count, 77)))),
    },
    {
      module: 'disk relaxed',
      planted:
        'a page of 20,001 bytes loses a bit of its key if a word of the key has one value, by a number in memory',
      plant: atStart('pages', whereStored(SCRATCH, pageLength, 20_001, disk.SLICED, disk.KEY)),
    },
    {
      module: 'disk relaxed',
      name: 'heads',
      planted: 'the numbers in heads of 816, 1840, … bytes rise by one more',
      plant: atStart('heads', set(third, i32.add(third, ifRest(second, 816)))),
    },
  ].map((fault) => ({ name: 'pages', ...fault, found: byTopics('every length') })),
];
