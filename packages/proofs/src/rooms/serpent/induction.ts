/**
 * The loops of Serpent's modes, by induction: as in `rooms/keystream/induction.ts`, an iteration runs once, from any state in which
 * one may start, at any address, with any number of blocks left. Where a loop begins in an exported function, that function runs,
 * so that the claim is about each call with more than one block; one block is the matter of claims about results.
 */
import * as layout from '../../../../lanewise/src/serpent/map.ts';
import { counted } from '../../claims/amounts.ts';
import { require, type Claim } from '../../claims/claim.ts';
import { expectBytes, expectNoEvents, range, secrets } from '../../claims/compare.ts';
import type { Range } from '../../execute/machine.ts';
import { baseTerm, type Base } from '../../execute/bases.ts';
import { Machine, type Cut } from '../../execute/machine.ts';
import type { Value } from '../../execute/run.ts';
import type { Kernel } from '../../kernels.ts';
import { xorBytes } from '../../specifications/algebra.ts';
import * as terms from '../../terms/term.ts';
import type { Term } from '../../terms/term.ts';
import { standIn } from '../../terms/node.ts';
import { decode } from '../../wasm/decode.ts';
import { exported, type DecodedModule } from '../../wasm/types.ts';
import { calleesOf, hasLoop } from '../keystream/every-length.ts';
import { localWith, NOTHING, outerLoop, unknown, withoutValues, word } from '../keystream/induction.ts';
import { blocksOf, claimOf, keyOf, type Key } from './setting.ts';
import { serpentSymbols as w } from './symbols.ts';

const { add, less, sub } = terms;
const { BLOCK, IV, KEY, ROUND, SETS, STAGE, WORK } = layout;
export const GROUP = 16;
export const PAIR = 8;

/** A module whose loops are claimed. */
export interface Setting {
  readonly kernel: Kernel;
  readonly module: DecodedModule;
  readonly lanes: boolean;
}

export const settingOf = (kernel: Kernel): Setting => ({
  kernel,
  module: decode(kernel.bytes),
  lanes: kernel.form !== 'scalar',
});

export const keysAndWork: readonly Range[] = [
  { from: KEY, to: ROUND + 33 * BLOCK },
  { from: SETS, to: WORK + 256 },
];

interface Iteration {
  readonly key: Key;
  readonly bases: readonly Base[];
  readonly cut: Cut<Term> | readonly Cut<Term>[];
  readonly assume?: ReadonlyMap<Term, number>;
  /** Places that may be read and written besides the bases, the keys and the work areas. */
  readonly state?: readonly Range[];
  /** Places that may be read only. */
  readonly reads?: readonly Range[];
}

export function started(
  { module, kernel }: Setting,
  { key, bases, cut, assume, state = [], reads = [] }: Iteration,
): Machine {
  const homes = bases.map(({ home, length }) => range(home, length));
  const all = [...keysAndWork, ...state, ...homes];
  const { mostSteps } = kernel;
  const ranges = { reads: [...all, ...reads], writes: all };
  const run = new Machine<Term>(module, { ranges, bases, cut, assume, mostSteps });
  run.write(KEY, key.memory);
  return run;
}

/** The function with a loop that an exported one calls; with lanes, the one for more than one block. */
export function looping({ module }: Setting, index: number): number {
  if (hasLoop(module.functions[index])) return index;
  const inner = calleesOf(module.functions[index]).filter((callee) => hasLoop(module.functions[callee]));
  require(inner.length > 0, () => `function ${index} calls none with a loop`);
  return inner[inner.length - 1];
}

/** The cipher that an exported function calls after the key schedule. */
const cipherOf = (setting: Setting, name: string): number =>
  looping(setting, calleesOf(exported(setting.module, name))[1]);

export const nextIs = (
  condition: Term,
  left: Term,
  locals: readonly Value<Term>[],
  expected: Readonly<Record<number, Term>>,
  what: string,
): void => {
  const same = Object.entries(expected).every(([local, term]) => locals[Number(local)] === term);
  require(condition === left && same, () => `${what}: the next iteration is another one`);
};

/** Takes the values of all variables that the loop changes, but for some. */
export const forget = (locals: Value<Term>[], changed: readonly number[], keep: readonly number[]): void => {
  for (const local of changed) if (!keep.includes(local)) locals[local] = NOTHING;
};

/** With lanes, the number of bytes of the pairs of sets that so many blocks fill, as the kernel computes it. */
export const bytesOfPairs = (blocks: Term): Term => terms.shl(terms.shr_u(add(blocks, word(PAIR - 1)), 3), 7);

/** The blocks that an iteration does, and those that are left before it and after it; in bytes with lanes. */
interface Left {
  readonly said: string;
  readonly blocks: number;
  readonly before: Term;
  readonly after: Term;
  readonly assume?: readonly [Term, number];
}

/** A group of sixteen, with any number after it, or the last ones. */
export function leftOf(unit: number, last: readonly number[]): Left[] {
  const more = unknown('more');
  const full = add(more, word(GROUP * unit));
  return [
    {
      said: 'a group',
      blocks: GROUP,
      before: full,
      after: more,
      assume: [less(full, word(GROUP * unit)), 0],
    },
    ...last.map((blocks) => ({
      said: `the last ${blocks} blocks`,
      blocks,
      before: word(blocks * unit),
      after: word(0),
    })),
  ];
}

/** More than one block: one has a function of its own where there are lanes. */
export const severalBlocks = (blocks: Term): readonly [Term, number] => [terms.equal(blocks, word(1)), 0];

type Direction = 'ecbEncrypt' | 'ecbDecrypt';

/** Blocks by themselves, in place. */
function proveEcb(setting: Setting, name: Direction): void {
  const { module, lanes } = setting;
  const index = cipherOf(setting, name);
  const blocks = unknown('blocks');
  const all: readonly Left[] = lanes
    ? leftOf(BLOCK, [PAIR])
    : [{ said: 'a block', blocks: 1, before: blocks, after: sub(blocks, word(1)) }];
  for (const { said, blocks: count, before, after, assume } of all) {
    const what = `${name}, ${said}`;
    const key = keyOf();
    const base: Base = { name: 'data', home: STAGE, length: BLOCK * count };
    const data = secrets('data', base.length);
    const expected = blocksOf(data).flatMap(name === 'ecbEncrypt' ? key.encrypt : key.decrypt);
    const address = baseTerm(base);
    let left = 2;
    const cut: Cut<Term> = {
      at: outerLoop(module, index),
      enter(locals, changed) {
        const starts = locals[0] === word(STAGE) && locals[1] === word(STAGE) && locals[2] === blocks;
        require(starts, () => `${what}: the loop starts with other parameters`);
        if (lanes) left = localWith(locals, changed, (x) => x === bytesOfPairs(blocks), 'the number of bytes');
        forget(locals, changed, [2]);
        locals[0] = locals[1] = address;
        locals[left] = before;
      },
      again(condition, locals) {
        const next = add(address, word(lanes ? BLOCK * GROUP : BLOCK));
        nextIs(condition, after, locals, { 0: next, 1: next, [left]: after }, what);
        return false;
      },
    };
    const run = started(setting, {
      key,
      bases: [base],
      cut,
      assume: new Map([severalBlocks(blocks), ...(assume ? [assume] : [])]),
    });
    run.write(base.home, data);
    run.call(name, 1, blocks);
    finished(run, base.home, expected, what);
  }
}

export function finished(run: Machine, at: number, expected: readonly Term[], what: string): void {
  counted('iterations', 1);
  expectNoEvents(run, what);
  expectBytes(run, at, expected, what);
}

/** NIST SP 800-38A §6.2: a block, chained to the one before it. */
function proveCbcEncrypt(setting: Setting): void {
  const what = 'cbcEncrypt, a block';
  const index = calleesOf(exported(setting.module, 'cbcEncrypt'))[1];
  const key = keyOf();
  const base: Base = { name: 'data', home: IV, length: 2 * BLOCK };
  const [before, data] = [secrets('before', BLOCK), secrets('data', BLOCK)];
  const expected = key.encrypt(xorBytes(w, data, before));
  const blocks = unknown('blocks');
  const address = add(baseTerm(base), word(BLOCK));
  let at = -1;
  const cut: Cut<Term> = {
    at: outerLoop(setting.module, index),
    enter(locals, changed) {
      require(locals[0] === blocks, () => `${what}: the loop starts with another number`);
      at = localWith(locals, changed, (x) => x === word(STAGE), 'the address');
      forget(locals, changed, [0]);
      locals[at] = address;
    },
    again(condition, locals) {
      const rest = sub(blocks, word(1));
      nextIs(condition, rest, locals, { 0: rest, [at]: add(address, word(BLOCK)) }, what);
      return false;
    },
  };
  const run = started(setting, { key, bases: [base], cut });
  run.write(base.home, [...before, ...data]);
  run.call('cbcEncrypt', 1, blocks);
  finished(run, base.home, [...before, ...expected], what);
}

/** NIST SP 800-38A §6.2: so many blocks from the end, each of which needs the one before it as it came. */
function proveCbcDecrypt(setting: Setting, count: number): void {
  const what = `cbcDecrypt, the last ${count} blocks`;
  const index = calleesOf(exported(setting.module, 'cbcDecrypt'))[1];
  const key = keyOf();
  const blocks = unknown(`blocks of ${count}`);
  const rest = sub(blocks, word(count));
  // The case: the number of blocks that are left is so many more than a multiple of sixteen.
  standIn(terms.and(sub(blocks, word(1)), word(GROUP - 1)), word(count - 1));
  const before = secrets('before', BLOCK);
  const data = secrets('data', BLOCK * count);
  const all = [...before, ...data];
  const expected = blocksOf(data).flatMap((block, i) =>
    xorBytes(w, key.decrypt(block), all.slice(BLOCK * i, BLOCK * (i + 1))),
  );
  // With lanes a pair of sets is read whole.
  const margin = setting.lanes ? layout.MARGIN : 0;
  // The data are at STAGE + 16 * rest, and the block before them in front of that.
  const own: Base = {
    name: 'data',
    home: 8192,
    length: IV + BLOCK + data.length + margin,
    term: terms.shl(rest, 4),
  };
  const cut: Cut<Term> = {
    at: outerLoop(setting.module, index),
    enter(locals, changed) {
      require(locals[0] === blocks, () => `${what}: the loop starts with another number`);
      forget(locals, changed, [0]);
    },
    again(condition, locals) {
      nextIs(condition, rest, locals, { 0: rest }, what);
      return false;
    },
  };
  const run = started(setting, { key, bases: [own], cut });
  const at = own.home + IV;
  run.ranges = {
    reads: [...keysAndWork, range(at, all.length + margin)],
    writes: [...keysAndWork, range(at + BLOCK, data.length)],
  };
  run.write(at, all);
  run.call('cbcDecrypt', 1, blocks);
  finished(run, at, [...before, ...expected], what);
}

/** A block of each of so many streams, which are any number of bytes apart. */
function proveMany(setting: Setting, streams: number): void {
  const what = `cbcMany, a block of ${streams} streams`;
  const index = calleesOf(exported(setting.module, 'cbcMany'))[1];
  const key = keyOf();
  const [blocks, stride] = [unknown('blocks'), unknown('stride')];
  const first = baseTerm({ name: 'first' });
  const bases = Array.from({ length: streams }, (_, i): Base => ({
    name: `stream ${i}`,
    home: 8192 + 64 * i,
    length: BLOCK,
    term: add(first, terms.mul(stride, word(i))),
  }));
  const before = bases.map((_, i) => secrets(`before ${i}`, BLOCK));
  const data = bases.map((_, i) => secrets(`data ${i}`, BLOCK));
  const expected = data.map((block, i) => key.encrypt(xorBytes(w, block, before[i])));
  let at = -1;
  const cut: Cut<Term> = {
    at: outerLoop(setting.module, index),
    enter(locals, changed) {
      const starts = locals[0] === word(streams) && locals[1] === stride && locals[2] === blocks;
      require(starts, () => `${what}: the loop starts with other parameters`);
      at = localWith(locals, changed, (x) => x === word(STAGE), 'the address');
      forget(locals, changed, [0, 1, 2]);
      locals[at] = first;
    },
    again(condition, locals) {
      const rest = sub(blocks, word(1));
      nextIs(condition, rest, locals, { 0: word(streams), 1: stride, 2: rest, [at]: add(first, word(BLOCK)) }, what);
      return false;
    },
  };
  const run = started(setting, { key, bases, cut });
  run.write(WORK, before.flat());
  bases.forEach(({ home }, i) => {
    run.write(home, data[i]);
  });
  run.call('cbcMany', 1, streams, stride, blocks);
  expected.forEach((block, i) => {
    finished(run, bases[i].home, block, what);
    expectBytes(run, WORK + BLOCK * i, block, `${what}: the last block`);
  });
}

/** A claim about loops, as those about results are made. */
export const inductionOf =
  (kernel: Kernel) =>
  (text: string, prove: (setting: Setting) => void): Claim => ({
    ...claimOf(kernel)(`induction: ${text}`, () => {
      withoutValues(() => {
        prove(settingOf(kernel));
      });
    }),
    topic: 'induction',
  });

export const KEYED = 'any number of blocks';

/** The claims about the loops of ECB and CBC. */
export function serpentInduction(kernel: Kernel): Claim[] {
  const claim = inductionOf(kernel);
  return [
    ...(['ecbEncrypt', 'ecbDecrypt'] as const).map((name) =>
      claim(`${name}, ${KEYED}`, (setting) => {
        proveEcb(setting, name);
      }),
    ),
    claim(`cbcEncrypt, ${KEYED}`, proveCbcEncrypt),
    claim(`cbcDecrypt, ${KEYED}`, (setting) => {
      for (let count = 1; count <= GROUP; count++) proveCbcDecrypt(setting, count);
    }),
    claim('cbcMany, any number of blocks of 1 to 16 streams, any number of bytes apart', (setting) => {
      for (let streams = 1; streams <= GROUP; streams++) proveMany(setting, streams);
    }),
  ];
}
