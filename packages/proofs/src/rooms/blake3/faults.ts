/** Faults for the kernels of BLAKE3. */
import * as blake3 from '../../../../lanewise/src/blake3/map.ts';
import { BLOCK_BYTES, CHUNK_END, IV, ROOT } from '../../../../lanewise/src/blake3/rounds.ts';
import { fill, sequence, set, when } from '../../../../lanewise/src/wasm/control.ts';
import * as i32 from '../../../../lanewise/src/wasm/i32.ts';
import { unsigned, type Expression, type Local, type Statement } from '../../../../lanewise/src/wasm/types.ts';
import * as v128 from '../../../../lanewise/src/wasm/v128.ts';
import { decode } from '../../wasm/decode.ts';
import { exported } from '../../wasm/types.ts';
import { calleesOf } from '../keystream/every-length.ts';
import {
  atSomeLength,
  BACKDOOR,
  byTopics,
  INDUCTION,
  onlyBy,
  RESULT,
  STRAY,
  UNCOVERED,
  UNWIPED,
  type Fault,
} from '../../mutations/fault.ts';
import {
  atEnd,
  atStart,
  backdoor,
  clearIfMagic,
  constant,
  flip,
  flipWhere,
  GAP,
  ifEqual,
  ifMagic,
  ifWord,
  inserted,
  isConstant,
  leaveWord,
  parameter,
  rotation,
  start,
  unless,
  whereChosen,
  whereStored,
  type FunctionOf,
  type Place,
  type Plant,
} from '../../mutations/plant.ts';
import { edited, patched } from '../../mutations/patch.ts';

const first = parameter(0);
/** The text as it is planted in the scalar kernel. */
const scalar = 'blake3 scalar';

/** The high word of chunk numbers, with only those bits that the numbers of the claims once had. */
const maskHigh = (name: string, high: number): Plant =>
  atStart(name, set(parameter(high), i32.and(parameter(high), 0x200001)));

/** A level has a node for two full chunks, so a last chunk that is not full can lack one; the others of a set of four are computed anyway. */
const withoutRest: Plant = (kernel) => {
  const { code } = exported(decode(kernel.bytes), 'tree');
  const [full, values] = [4, 5];
  // The last of the calls that a level's number of nodes chooses from.
  const many = code.findLastIndex(
    (step, i) => step.op === 'local.get' && step.local === values && isConstant(code[i + 3], BLOCK_BYTES),
  );
  return { ...kernel, bytes: patched(kernel.bytes, code[many].at, 2, parameter(full)) };
};

const ofFlags = (flags: number): Plant => atEnd('hash', when(i32.eq(parameter(1), flags), flip(blake3.CV)));

/** The function that an exported one calls first. */
const calledBy =
  (name: string): FunctionOf =>
  (module) =>
    module.functions[calleesOf(exported(module, name))[0]];
const inLoop: Place = (code) => code[code.findIndex(({ op }) => op === 'loop') + 1];
const beforeCopy: Place = (code) => code.find(({ op }) => op === 'memory.copy')!;

const BLOCKS = blake3.CV + 32;
const inInnerLoop: Place = (code) => code[code.findLastIndex(({ op }) => op === 'loop') + 1];
/** Nothing that comes from a length: blocks are counted in memory that the kernel may write, one after the other. */
const byCounter: Plant = [
  inserted(calledBy('many'), beforeCopy, flipWhere(blake3.CV, blake3.KEY, ifWord(BLOCKS, 400))),
  inserted(calledBy('many'), inInnerLoop, i32.store(0, BLOCKS, i32.add(i32.load(0, BLOCKS), 1))),
  inserted(calledBy('many'), start, i32.store(0, BLOCKS, 0)),
].reduce((first, next) => (kernel) => next(first(kernel)));

/** The loops in lanes, which the second function that these call has. */
const inLanes =
  (name: string): FunctionOf =>
  (module) =>
    module.functions[calleesOf(exported(module, name))[1]];
const loopOf =
  (number: number): Place =>
  (code) => {
    const [loop] = code.filter(({ op }) => op === 'loop').slice(number);
    return code[code.indexOf(loop) + 1];
  };
/** After the counters of a set; memory that the kernel may write, and that stays from one group to the next. */
const UNUSED = blake3.SETS + 544;
const counting = (name: string, loop: number, flipped: Statement): Plant =>
  [
    inserted(inLanes(name), loopOf(loop), sequence(i32.store(0, UNUSED, i32.add(i32.load(0, UNUSED), 1)), flipped)),
    inserted(inLanes(name), start, i32.store(0, UNUSED, 0)),
  ].reduce((first, next) => (kernel) => next(first(kernel)));

/** Groups are counted in a vector that nothing else uses: from the 11th on a word of a message changes if the block has a magic word. */
const byVector: Plant = (kernel) => {
  const { at, code, locals } = inLanes('output')(decode(kernel.bytes));
  const vector = ('\x20' + unsigned(locals.length)) as Local<'v128'>;
  const all = (n: number): Expression<'v128'> => v128.i32x4(n, n, n, n);
  const isMagic = v128.i32x4_lt_u(v128.xor(v128.load32_splat(0, blake3.BLOCK), all(0x5eed1e55)), all(1));
  const after = v128.i32x4_shr_u(v128.i32x4_sub(all(10), vector), 31);
  const flipped = v128.xor(v128.load(0, blake3.SETS), v128.and(after, isMagic));
  const body = sequence(set(vector, v128.i32x4_add(vector, all(1))), v128.store(0, blake3.SETS, flipped));
  const groups = String.fromCharCode(kernel.bytes[at] + 1);
  const bytes = edited(kernel.bytes, decode(kernel.bytes).functions, [
    { at, removed: 1, code: groups },
    { at: code[0].at, removed: 0, code: '\x01\x7b' },
    { at: loopOf(1)(code, decode(kernel.bytes)).at, removed: 0, code: body },
  ]);
  return { ...kernel, bytes };
};

const ofLanes: readonly Omit<Fault, 'module'>[] = [
  {
    name: 'output',
    planted: 'output in lanes changes a word of a message after ten groups if the block has one value, by a vector',
    plant: byVector,
    found: byTopics('induction'),
  },
  {
    name: 'output',
    planted: 'output in lanes changes a word of a message in the 40th group if the block has one value, by a counter',
    plant: counting('output', 1, flipWhere(blake3.SETS, blake3.BLOCK, ifWord(UNUSED, 40))),
    found: INDUCTION,
  },
  {
    name: 'many',
    planted: 'nodes in lanes change after 50 blocks in a call if a word of the key has one value, by a counter',
    plant: counting('many', 3, flipWhere(blake3.SETS + 256, blake3.KEY, ifWord(UNUSED, 50))),
    found: INDUCTION,
  },
  {
    name: 'many',
    planted:
      'nodes in lanes change while bit 5 of their number is set if a word of the key has one value, by an address',
    plant: inserted(inLanes('many'), loopOf(3), whereChosen(UNUSED, parameter(1), 5, blake3.SETS + 256, blake3.KEY)),
    found: byTopics('induction'),
  },
];

/** At lengths that no claim about results has: an address chooses, which the topic of public numbers sees, too. */
const byAddress: readonly Omit<Fault, 'module' | 'found'>[] = [
  {
    name: 'many',
    planted: 'the nodes of chunks from the 26th on have another bit if a word of the key has one value, by an address',
    plant: inserted(calledBy('many'), beforeCopy, whereChosen(blake3.CV + 32, first, 15, blake3.CV, blake3.KEY)),
  },
  {
    name: 'output',
    planted:
      'output flips a bit where bit 6 of the number of blocks that are left is set and its node has a magic word',
    plant: inserted(
      calledBy('output'),
      inLoop,
      whereChosen(blake3.CV + 32, parameter(5), 6, blake3.BLOCK + 4, blake3.BLOCK),
    ),
  },
];

/** By a mask that a length gives, or a number in memory: the topic of public numbers sees these, too. */
const flipBy = (address: number, mask: Expression<'i32'>): string =>
  i32.store(0, address, i32.xor(i32.load(0, address), i32.and(mask, 1)));
const byData: readonly Omit<Fault, 'module'>[] = [
  {
    name: 'hash',
    planted: 'hash of 41,111 bytes is another one, by data',
    plant: atEnd('hash', flipBy(blake3.CV, ifEqual(first, 41_111))),
    found: byTopics(),
  },
  {
    name: 'hash',
    planted: 'the keyed hash of 32,768 bytes with a magic key is another one, by data',
    plant: atEnd('hash', flipBy(blake3.CV, i32.and(ifEqual(first, 32_768), ifMagic(blake3.KEY)))),
    found: byTopics(),
  },
  {
    name: 'tree',
    planted: 'a tree of 40 chunks with a magic key has another node, by data',
    plant: atEnd('tree', flipBy(blake3.CVS, i32.and(ifEqual(first, 40 * 1024), ifMagic(blake3.KEY)))),
    found: byTopics(),
  },
  {
    name: 'output',
    planted: 'where 400 blocks of output are left, a bit is wrong if the first word of the block is magic, by data',
    plant: inserted(
      calledBy('output'),
      inLoop,
      flipBy(blake3.BLOCK + 4, i32.and(ifEqual(parameter(5), 400), ifMagic(blake3.BLOCK))),
    ),
    found: byTopics('induction'),
  },
  {
    name: 'prepare',
    planted:
      'where 700 bytes of a chunk are left, a bit of its value flips if a word of the key has one value, by data',
    plant: inserted(calledBy('prepare'), inLoop, whereStored(blake3.CV + 32, parameter(1), 700, blake3.CV, blake3.KEY)),
    found: byTopics('induction'),
  },
];

export const blake3Faults: readonly Fault[] = [
  ...byAddress.map((fault) => ({
    module: scalar,
    ...fault,
    found: byTopics('induction'),
  })),
  {
    module: scalar,
    name: 'many',
    planted:
      'after 400 blocks in a call a bit of a node flips if a word of the key has one value, by a counter in memory',
    plant: byCounter,
    found: INDUCTION,
  },
  ...byData.map((fault) => ({ module: scalar, ...fault })),
  ...ofLanes.map((fault) => ({ module: 'blake3 relaxed', ...fault })),

  ...[
    // BLAKE3 rotates to the right by 7, which is 25 to the left.
    {
      name: 'many',
      planted: 'one rotation by 8 instead of 7',
      plant: rotation(25),
      found: RESULT,
    },
    {
      name: 'chunk',
      planted: 'one bit of the initial value',
      plant: constant(IV[1], IV[1] ^ 1),
      found: RESULT,
    },
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

  {
    module: 'blake3 relaxed',
    name: 'tree',
    planted: 'the nodes of a level are half of the full chunks',
    plant: withoutRest,
    // Found by a flipped bit: no claim had a level of five nodes.
    found: atSomeLength('tree'),
  },

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
    {
      kind: 'hash',
      name: 'hash',
      planted: 'no flags',
      plant: atEnd('hash', unless(parameter(1), flip(blake3.CV))),
    },
    {
      kind: 'keyed hash',
      name: 'hash',
      planted: 'the flag of a key',
      plant: ofFlags(16),
    },
    {
      kind: 'derive key, context',
      name: 'hash',
      planted: 'the flag of a context',
      plant: ofFlags(32),
    },
    {
      kind: 'derive key, material',
      name: 'hash',
      planted: 'the flag of key material',
      plant: ofFlags(64),
    },
    {
      kind: 'chunk',
      name: 'chunk',
      planted: 'every chunk',
      plant: atEnd('chunk', flip(blake3.CV)),
    },
    // A parent isn't a chunk: it has another flag.
    {
      kind: 'compression',
      name: 'chunk',
      planted: 'the compression of the last block',
      plant: inserted(calledBy('parent'), start, when(i32.and(parameter(4), CHUNK_END), flip(blake3.CV))),
    },
    {
      kind: 'prepare',
      name: 'prepare',
      planted: 'every block',
      plant: atEnd('prepare', flip(blake3.BLOCK)),
    },
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
    {
      kind: 'copyUp',
      name: 'copyUp',
      planted: 'the copy',
      plant: atEnd('copyUp', flip(blake3.CVS + blake3.CV_BYTES)),
    },
    {
      kind: 'many',
      name: 'many',
      planted: 'every message',
      plant: atEnd('many', flip(blake3.CVS)),
    },
    {
      kind: 'output',
      name: 'output',
      planted: 'every output',
      plant: atEnd('output', flip(blake3.STAGE)),
    },
  ].map(({ kind, planted, ...fault }) => ({
    module: scalar,
    ...fault,
    planted: `${fault.name} flips a bit: ${planted}`,
    found: onlyBy(kind),
  })),
];
