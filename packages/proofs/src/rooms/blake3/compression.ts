/**
 * The compression function, which chains, chunks, parents, trees and output call, and names for its results in claims about these. The
 * seven rounds take most of a run, and are the same in each of thousands of calls.
 */
import { CV, CV_BYTES } from '../../../../lanewise/src/blake3/map.ts';
import { require, type Claim } from '../../claims/claim.ts';
import { expectBytes, expectNoEvents, range, secrets } from '../../claims/compare.ts';
import { onMachine } from '../../claims/machine.ts';
import type { Instead, Runnable, RunnableKernel } from '../../claims/runnable.ts';
import { inPlaceOf, type Part } from '../../claims/stand-ins.ts';
import { baseTerm, type Base } from '../../execute/bases.ts';
import { Machine, type Range, type Ranges } from '../../execute/machine.ts';
import { onText } from '../../javascript/runner.ts';
import type { KernelText } from '../../javascript/texts.ts';
import type { Kernel } from '../../kernels.ts';
import { bytesOf, wordsOf } from '../../specifications/algebra.ts';
import { symbols } from '../../specifications/terms.ts';
import { numberOf, variable, type Term } from '../../terms/term.ts';
import { decode } from '../../wasm/decode.ts';
import { exported, type DecodedModule } from '../../wasm/types.ts';
import { calleesOf } from '../keystream/every-length.ts';
import { blake3Statements, MODES } from './claims.ts';
import { functionsOf, NamedRounds } from './lanes-group.ts';
import { CHUNK_END, CHUNK_START, compressWords, PARENT, ROOT } from './specification.ts';

/** The function's name in the text. Its parameters: block, number of bytes, low and high word of the counter, flags, result. */
const COMPRESS = 'inner0';
const BLOCK_BYTES = 64;
/** Where the run has a block at an unknown address, and a result at another one. */
const HOME = 60_000 & -16;
const OUT = 50_000 & -16;

/** All that nodes have: chunks, of one block or more, and parents, each of them as the root, too. */
const FLAGS = MODES.flatMap((mode) =>
  [0, CHUNK_START, CHUNK_END, CHUNK_START | CHUNK_END, PARENT].flatMap((flags) => [mode | flags, mode | flags | ROOT]),
);

/** A root has its whole output, and any other node a chaining value. */
const bytesOfResult = (flags: number): number => (flags & ROOT ? BLOCK_BYTES : CV_BYTES);

/** A run in which the function itself is called. */
interface Compressing {
  readonly run: Runnable;
  readonly compress: (...parameters: readonly (number | Term)[]) => void;
}
interface Compression {
  readonly name: string;
  start(ranges: Ranges, bases: readonly Base[]): Compressing;
}

/** The result goes to an address that nothing else is at, or to the place of the chaining value. */
function proveCompression(kernel: Compression, flags: number, isInPlace: boolean): void {
  const what = `compression, flags ${flags}${isInPlace ? ', in place' : ''}`;
  const length = bytesOfResult(flags);
  const block: Base = { name: 'block', home: HOME, length: BLOCK_BYTES };
  const out: Base = { name: 'out', home: OUT, length };
  const to = isInPlace ? CV : OUT;
  const { run, compress } = kernel.start(
    { reads: [range(CV, CV_BYTES), range(HOME, BLOCK_BYTES)], writes: [range(to, length)] },
    isInPlace ? [block] : [block, out],
  );
  const [value, message] = [secrets('value', CV_BYTES), secrets('block', BLOCK_BYTES)];
  run.write(CV, value);
  run.write(HOME, message);
  const [bytes, low, high] = ['bytes', 'low', 'high'].map((name) => variable(32, name, false));
  compress(baseTerm(block), bytes, low, high, flags, isInPlace ? CV : baseTerm(out));
  expectNoEvents(run, what);
  const [h, words] = [value, message].map((list) => wordsOf(symbols, list));
  const result = compressWords(symbols, h, words, [low, high, bytes, symbols.word(flags)]);
  expectBytes(run, to, bytesOf(symbols, result).slice(0, length), what);
}

const isWithin = (ranges: readonly Range[] | undefined, { from, to }: Range): boolean =>
  ranges?.some((one) => one.from <= from && to <= one.to) ?? false;
const areApart = (x: Range, y: Range): boolean => x.to <= y.from || y.to <= x.from;

/** The calls that the claim covers: with its flags, and with places that lie as it says. */
const compressPart: Part = {
  name: COMPRESS,
  writes(address, length, low, high, flags, out) {
    const [block, value, result] = [range(address, BLOCK_BYTES), range(CV, CV_BYTES), range(out, bytesOfResult(flags))];
    const isClaimed =
      FLAGS.includes(flags) &&
      [length, low, high].every((number) => number === (number | 0)) &&
      address % 16 === 0 &&
      out % 16 === 0 &&
      areApart(block, value) &&
      areApart(block, result) &&
      (out === CV || areApart(value, result));
    require(isClaimed, () => `compression of ${length} bytes at ${address} to ${out}, ${low}, ${high}, flags ${flags}`);
    return [result];
  },
};

/** The stand-in for the function: it reads and writes where the caller may. */
const standIn = (named: NamedRounds): Instead[string] =>
  inPlaceOf(compressPart, (run: Runnable, ...[address, length, low, high, flags, out]: number[]) => {
    const { reads, writes } = run.ranges;
    const block = range(address, BLOCK_BYTES);
    require(isWithin(reads, block) || isWithin(writes, block), () => `reads a block at ${address}`);
    require(isWithin(writes, range(out, bytesOfResult(flags))), () => `writes a result at ${out}`);
    const numbers = [low, high, length, flags].map((number) => symbols.word(number));
    const [value, message] = [run.readWords(CV, CV_BYTES / 4), run.readWords(address, BLOCK_BYTES / 4)];
    const result = named.compress(value, message, numbers);
    return [{ address: out, bytes: bytesOf(symbols, result).slice(0, bytesOfResult(flags)) }];
  });

/** The algebra of the specification, with the same names. */
const algebraOf = (named: NamedRounds) => ({
  ...symbols,
  compression: (_: unknown, h: readonly Term[], block: readonly Term[], numbers: readonly Term[]): Term[] =>
    named.compress(h, block, numbers),
});

const compressionClaim = (kernel: Compression): Claim => ({
  kernel: kernel.name,
  topic: 'compression',
  claim:
    `compression, of which chunk, prepare, parent, many, tree, hash and output are made: ${FLAGS.length} flags, every chaining ` +
    'value, block, counter and number of bytes, wherever block and result are',
  prove() {
    for (const flags of FLAGS) for (const isInPlace of [false, true]) proveCompression(kernel, flags, isInPlace);
  },
});

export function blake3TextClaims(text: KernelText): Claim[] {
  const kernel = onText(text, undefined, COMPRESS);
  const named = new NamedRounds();
  const instead = { [COMPRESS]: standIn(named) };
  const compression: Compression = {
    name: kernel.name,
    start(ranges, bases) {
      const run = kernel.start(ranges, {}, bases);
      return { run, compress: (...parameters) => void run.call(COMPRESS, ...parameters) };
    },
  };
  const cut: RunnableKernel = { ...kernel, start: (ranges, _, bases) => kernel.start(ranges, instead, bases) };
  const form = { lanes: false };
  return [compressionClaim(compression), ...blake3Statements(kernel, form, { kernel: cut, form, w: algebraOf(named) })];
}

/** A parent is one compression. */
export function compressIn(module: DecodedModule): number {
  const callees = calleesOf(exported(module, 'parent'));
  require(callees.length === 1, () => 'a parent is not one compression');
  return callees[0];
}

/** Known parameters, as the stand-in takes them. */
const numbersOf = (parameters: readonly unknown[]): number[] =>
  parameters.map((term) => {
    const number = numberOf(term as Term);
    require(number !== undefined, () => 'compression with a parameter that is not known');
    return number | 0;
  });

export function blake3Claims(kernel: Kernel): Claim[] {
  const { name, bytes, memoryBytes, mostSteps, coverage, form } = kernel;
  // Once, and when first needed: bytes that cannot be decoded are a claim's failure, not that of making it.
  let decoded: DecodedModule | undefined;
  const moduleOf = (): DecodedModule => (decoded ??= decode(bytes));
  const lanes = form !== 'scalar';
  const named = new NamedRounds();
  const compression: Compression = {
    name,
    start(ranges, bases) {
      const module = moduleOf();
      const run = new Machine<Term>(module, { ranges, bases, mostSteps, coverage });
      const f = module.functions[compressIn(module)];
      return { run, compress: (...parameters) => void run.callFunction(f, ...parameters) };
    },
  };
  const cut: RunnableKernel = {
    name,
    memoryBytes,
    start(ranges = {}) {
      const module = moduleOf();
      const instead = standIn(named);
      const calls = new Map<number, (parameters: readonly unknown[]) => void>([
        [compressIn(module), (parameters) => instead(machine, ...numbersOf(parameters))],
      ]);
      if (lanes)
        calls.set(functionsOf(module).rounds.index, ([end]) => named.onSets(machine, end as Term, 'rounds in lanes'));
      const machine: Machine = new Machine<Term>(module, { ranges, mostSteps, coverage, calls });
      return machine;
    },
  };
  const claims = blake3Statements(onMachine(kernel), { lanes }, { kernel: cut, form: { lanes }, w: algebraOf(named) });
  return [compressionClaim(compression), ...claims];
}
