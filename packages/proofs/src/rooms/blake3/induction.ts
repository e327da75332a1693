/**
 * BLAKE3's loops over single blocks, by induction as in rooms/keystream/induction.ts: a chunk's chain, nodes one after the other, and the
 * blocks of output. The place of the data, counters, flags, the bytes of a block and the number that is left are any numbers.
 */
import { BLOCK, CV, CV_BYTES, CVS, KEY, STAGE } from '../../../../lanewise/src/blake3/map.ts';
import { counted } from '../../claims/amounts.ts';
import { require, type Claim } from '../../claims/claim.ts';
import { expectBytes, expectNoEvents, range, secrets } from '../../claims/compare.ts';
import { baseTerm, type Base } from '../../execute/bases.ts';
import { Machine, type Range } from '../../execute/machine.ts';
import type { Kernel } from '../../kernels.ts';
import { bytesOf, wordsOf } from '../../specifications/algebra.ts';
import { symbols } from '../../specifications/terms.ts';
import { add, and, less, or, sub, type Term } from '../../terms/term.ts';
import { decode } from '../../wasm/decode.ts';
import { exported } from '../../wasm/types.ts';
import { Ended, ends } from '../keystream/ended.ts';
import { calleesOf } from '../keystream/every-length.ts';
import { inductionClaim, NOTHING, outerLoop, unknown, word } from '../keystream/induction.ts';
import { CHUNK_END, CHUNK_START, compressWords, ROOT } from './specification.ts';

const BLOCK_BYTES = 64;
/** Fewer nodes or blocks than this take the loops here in the forms with vectors, too; without vectors, any number does. */
const ENOUGH = 3;
/** Where the run has the bytes at an unknown address, and those at another one. */
const HOME = 60_000 & -16;
const OUT = 50_000 & -16;

type Values = readonly (Term | undefined)[];

interface Iteration {
  readonly kernel: Kernel;
  readonly what: string;
  /** The exported function whose first call has the loop, and its parameters. */
  readonly name: string;
  readonly parameters: readonly Term[];
  /** The locals with which that call starts the loop, those of any iteration, and those of the next; no value unless given. */
  readonly first: Values;
  readonly any: Values;
  readonly next: Values;
  /** The condition that repeats the loop. */
  readonly again: Term;
  readonly bases: readonly Base[];
  readonly reads: readonly Range[];
  readonly writes: readonly Range[];
  readonly assume: readonly (readonly [Term, number])[];
}

/** Runs an iteration; `before` writes the memory that it starts with. */
function run(iteration: Iteration, before: (machine: Machine) => void): Machine {
  const { kernel, what, name, parameters, first, any, next, again, bases, reads, writes, assume } = iteration;
  const module = decode(kernel.bytes);
  const [index] = calleesOf(exported(module, name));
  const are = (locals: readonly unknown[], expected: Values): boolean =>
    expected.every((term, i) => term === undefined || locals[i] === term);
  const machine: Machine = new Machine<Term>(module, {
    ranges: { reads: [...reads, ...writes], writes },
    bases,
    assume: new Map(assume),
    mostSteps: kernel.mostSteps,
    cut: {
      at: outerLoop(module, index),
      enter(locals) {
        require(are(locals, first), () => `${what}: the loop starts with other numbers`);
        for (let i = 0; i < locals.length; i++) locals[i] = any[i] ?? NOTHING;
        before(machine);
      },
      again(condition, locals) {
        require(condition === again && are(locals, next), () => `${what}: the next one is another one`);
        throw new Ended();
      },
    },
  });
  require(ends(() => machine.call(name, ...parameters)), () => `${what}: the loop does not run`);
  counted('iterations', 1);
  expectNoEvents(machine, what);
  return machine;
}

const [low, high, flags, length, left] = ['low', 'high', 'flags', 'length', 'left'].map(
  (name) => (): Term => unknown(name),
);
/** Whether flags have the one of the root. */
const isRoot = (value: Term, is: boolean): readonly [Term, number] => [and(value, word(ROOT)), is ? ROOT : 0];
const fewIn = (kernel: Kernel): (readonly [Term, number])[] =>
  kernel.form === 'scalar' ? [] : [[less(left(), word(ENOUGH)), 1]];
const bytes = (words: readonly Term[]): Term[] => bytesOf(symbols, words);
const words = (list: readonly Term[]): Term[] => wordsOf(symbols, list);

/** A block of a chunk that is not its last one. */
function proveChain(kernel: Kernel, start: number): void {
  const what = start ? 'the first block of a chunk' : 'a later block of a chunk';
  const base: Base = { name: 'chunk', home: HOME, length: BLOCK_BYTES };
  const address = baseTerm(base);
  const rest = sub(left(), word(BLOCK_BYTES));
  const [value, block] = [secrets('value', 32), secrets('block', 64)];
  const all = or(flags(), word(start));
  const counter = [low(), high()];
  const machine = run(
    {
      kernel,
      what,
      name: 'prepare',
      parameters: [left(), ...counter, flags()],
      first: [word(STAGE), left(), ...counter, flags(), word(CHUNK_START)],
      any: [address, left(), ...counter, flags(), word(start)],
      next: [add(address, word(BLOCK_BYTES)), rest, ...counter, flags(), word(0)],
      again: less(word(BLOCK_BYTES), rest),
      bases: [base],
      reads: [range(KEY, 32), range(HOME, BLOCK_BYTES)],
      writes: [range(CV, 64)],
      assume: [[less(word(BLOCK_BYTES), left()), 1], isRoot(all, false)],
    },
    (starting) => {
      starting.write(CV, value);
      starting.write(HOME, block);
    },
  );
  const result = compressWords(symbols, words(value), words(block), [...counter, word(BLOCK_BYTES), all]);
  expectBytes(machine, CV, bytes(result.slice(0, 8)), what);
  expectBytes(machine, HOME, block, `${what}: the message`);
}

/** The chain starts with the key. */
function proveStart(kernel: Kernel): void {
  const key = secrets('key', 32);
  const module = decode(kernel.bytes);
  const machine = new Machine<Term>(module, {
    ranges: { reads: [range(KEY, 32), range(CV, 32)], writes: [range(CV, 32)] },
    assume: new Map([[less(word(BLOCK_BYTES), left()), 1]]),
    cut: {
      at: outerLoop(module, calleesOf(exported(module, 'prepare'))[0]),
      enter: () => {
        throw new Ended();
      },
      again: () => false,
    },
  });
  machine.write(KEY, key);
  require(ends(() => machine.call('prepare', left(), low(), high(), flags())), () => 'a chunk has no loop');
  expectNoEvents(machine, 'the start of a chunk');
  expectBytes(machine, CV, key, 'the start of a chunk');
}

interface NodeCase {
  readonly blocks: number;
  readonly step: 0 | 1;
  /** Whether the low word of the counter wraps around. */
  readonly carry: 0 | 1;
  /** The flags of the first block, and of the last one. */
  readonly first: number;
  readonly last: number;
}

function proveNode(kernel: Kernel, { blocks, step, carry, first, last }: NodeCase): void {
  const what = `a node of ${blocks} blocks, flags ${first} and ${last}`;
  const data: Base = { name: 'node', home: HOME, length: BLOCK_BYTES * blocks };
  const out: Base = { name: 'out', home: OUT, length: CV_BYTES };
  const [address, to, stride] = [baseTerm(data), baseTerm(out), unknown('stride')];
  const rest = sub(left(), word(1));
  const [key, message] = [secrets('key', 32), secrets('message', BLOCK_BYTES * blocks)];
  const sum = add(low(), word(step));
  const flagsOf = (i: number): Term => {
    const begun = i === 0 ? or(flags(), word(first)) : flags();
    return i === blocks - 1 ? or(begun, word(last)) : begun;
  };
  const fixed = [length(), low(), high(), word(step), flags(), word(first), word(last)];
  const called = [word(0), word(0), word(0), flags(), word(CHUNK_START), word(CHUNK_END | ROOT)];
  const machine = run(
    {
      kernel,
      what,
      name: 'many',
      parameters: [left(), word(blocks), length(), flags()],
      first: [word(STAGE), left(), word(BLOCK_BYTES * blocks), word(blocks), length(), ...called, word(CVS)],
      any: [address, left(), stride, word(blocks), ...fixed, to],
      next: [
        add(address, stride),
        rest,
        stride,
        word(blocks),
        length(),
        sum,
        carry ? add(high(), word(1)) : high(),
        ...fixed.slice(3),
        add(to, word(CV_BYTES)),
      ],
      again: rest,
      bases: [data, out],
      reads: [range(KEY, 32), range(HOME, BLOCK_BYTES * blocks)],
      writes: [range(CV, 64), range(OUT, CV_BYTES)],
      assume: [
        [left(), 1],
        ...fewIn(kernel),
        [less(sum, word(step)), carry],
        ...Array.from({ length: blocks }, (_, i) => isRoot(flagsOf(i), i === blocks - 1 && (last & ROOT) !== 0)),
      ],
    },
    (starting) => {
      starting.write(KEY, key);
      starting.write(HOME, message);
    },
  );
  let value = words(key);
  for (let i = 0; i < blocks; i++) {
    const block = words(message.slice(BLOCK_BYTES * i, BLOCK_BYTES * (i + 1)));
    const bytesIn = i === blocks - 1 ? length() : word(BLOCK_BYTES);
    value = compressWords(symbols, value, block, [low(), high(), bytesIn, flagsOf(i)]).slice(0, 8);
  }
  expectBytes(machine, OUT, bytes(value), what);
}

/** A block of output, of any root. */
function proveOutput(kernel: Kernel, carry: 0 | 1): void {
  const what = `a block of output, ${carry ? 'with' : 'without'} a carry`;
  const base: Base = { name: 'output', home: HOME, length: BLOCK_BYTES };
  const address = baseTerm(base);
  const rest = sub(left(), word(1));
  const [value, block] = [secrets('value', 32), secrets('block', 64)];
  const sum = add(low(), word(1));
  const machine = run(
    {
      kernel,
      what,
      name: 'output',
      parameters: [length(), low(), high(), flags(), left()],
      first: [word(BLOCK), length(), low(), high(), flags(), left(), word(STAGE)],
      any: [word(BLOCK), length(), low(), high(), flags(), left(), address],
      next: [
        word(BLOCK),
        length(),
        sum,
        carry ? add(high(), word(1)) : high(),
        flags(),
        rest,
        add(address, word(BLOCK_BYTES)),
      ],
      again: rest,
      bases: [base],
      reads: [range(CV, CV_BYTES), range(BLOCK, BLOCK_BYTES)],
      writes: [range(HOME, BLOCK_BYTES)],
      assume: [[left(), 1], ...fewIn(kernel), [less(sum, word(1)), carry], isRoot(flags(), true)],
    },
    (starting) => {
      starting.write(CV, value);
      starting.write(BLOCK, block);
    },
  );
  const result = compressWords(symbols, words(value), words(block), [low(), high(), length(), flags()]);
  expectBytes(machine, HOME, bytes(result), what);
  expectBytes(machine, CV, value, `${what}: the chaining value`);
  expectBytes(machine, BLOCK, block, `${what}: the block of the root`);
}

export function blake3Induction(kernel: Kernel): Claim[] {
  const claim = (text: string, prove: () => void): Claim => inductionClaim(kernel, text, prove);
  return [
    claim('the chain of a chunk, any number of bytes, every counter and flags', () => {
      proveStart(kernel);
      for (const start of [0, CHUNK_START]) proveChain(kernel, start);
    }),
    claim('nodes of 1 to 16 blocks without lanes, any number of them, every key, counter and flags', () => {
      // Messages side by side are roots of any of these numbers of blocks; chunks of a tree have 16.
      for (let blocks = 1; blocks <= 16; blocks++)
        proveNode(kernel, { blocks, step: 0, carry: 0, first: CHUNK_START, last: CHUNK_END | ROOT });
      for (const carry of [0, 1] as const)
        proveNode(kernel, { blocks: 16, step: 1, carry, first: CHUNK_START, last: CHUNK_END });
      proveNode(kernel, { blocks: 1, step: 0, carry: 0, first: 0, last: 0 });
    }),
    claim('output without lanes, any number of blocks from any number on, every root', () => {
      for (const carry of [0, 1] as const) proveOutput(kernel, carry);
    }),
  ];
}
