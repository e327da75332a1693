/**
 * The text's compression function, and the claims about the functions that call it: names stand for its results. The seven rounds are
 * most of what a run does, and the same in each of thousands of calls.
 */
import { CV, CV_BYTES } from '../../../../lanewise/src/blake3/map.ts';
import { require, type Claim } from '../../claims/claim.ts';
import { expectBytes, expectNoEvents, range, secrets } from '../../claims/compare.ts';
import type { Instead, Runnable, RunnableKernel } from '../../claims/runnable.ts';
import { inPlaceOf, Named, type Part } from '../../claims/stand-ins.ts';
import { baseTerm, type Base } from '../../execute/bases.ts';
import type { Range } from '../../execute/run.ts';
import { onText } from '../../javascript/runner.ts';
import type { KernelText } from '../../javascript/texts.ts';
import { bytesOf, wordsOf, type Algebra } from '../../specifications/algebra.ts';
import { symbols } from '../../specifications/terms.ts';
import { variable, type Term } from '../../terms/term.ts';
import { blake3Statements, MODES } from './claims.ts';
import { CHUNK_END, CHUNK_START, compressWords, PARENT, ROOT, type Compressing } from './specification.ts';

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

/** The result goes to an address that nothing else is at, or to the place of the chaining value. */
function proveCompression(kernel: RunnableKernel, flags: number, isInPlace: boolean): void {
  const what = `compression, flags ${flags}${isInPlace ? ', in place' : ''}`;
  const length = bytesOfResult(flags);
  const block: Base = { name: 'block', home: HOME, length: BLOCK_BYTES };
  const out: Base = { name: 'out', home: OUT, length };
  const to = isInPlace ? CV : OUT;
  const run = kernel.start(
    { reads: [range(CV, CV_BYTES), range(HOME, BLOCK_BYTES)], writes: [range(to, length)] },
    {},
    isInPlace ? [block] : [block, out],
  );
  const [value, message] = [secrets('value', CV_BYTES), secrets('block', BLOCK_BYTES)];
  run.write(CV, value);
  run.write(HOME, message);
  const [bytes, low, high] = ['bytes', 'low', 'high'].map((name) => variable(32, name, false));
  run.call(COMPRESS, baseTerm(block), bytes, low, high, flags, isInPlace ? CV : baseTerm(out));
  expectNoEvents(run, what);
  const [h, words] = [value, message].map((list) => wordsOf(symbols, list));
  const result = compressWords(symbols, h, words, [low, high, bytes, symbols.word(flags)]);
  expectBytes(run, to, bytesOf(symbols, result).slice(0, length), what);
}

const isWithin = (ranges: readonly Range[] | undefined, { from, to }: Range): boolean =>
  ranges?.some((one) => one.from <= from && to <= one.to) ?? false;
const areApart = (x: Range, y: Range): boolean => x.to <= y.from || y.to <= x.from;

/** The calls that are claimed: places of which the claim says how they lie, and flags that it has. */
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

/** Names for the results of compressions, as the specification takes them, and the stand-in for the text's function. */
function names(): { readonly w: Compressing<Term>; readonly instead: Instead } {
  const named = new Named();
  const compression = (
    w: Algebra<Term>,
    h: readonly Term[],
    block: readonly Term[],
    numbers: readonly Term[],
  ): Term[] => wordsOf(w, named.of('compression', [...h, ...block, ...numbers], BLOCK_BYTES));
  const given = (run: Runnable, ...[address, length, low, high, flags, out]: number[]) => {
    const { reads, writes } = run.ranges;
    const block = range(address, BLOCK_BYTES);
    require(isWithin(reads, block) || isWithin(writes, block), () => `reads a block at ${address}`);
    require(isWithin(writes, range(out, bytesOfResult(flags))), () => `writes a result at ${out}`);
    const numbers = [low, high, length, flags].map((number) => symbols.word(number));
    const result = compression(
      symbols,
      run.readWords(CV, CV_BYTES / 4),
      run.readWords(address, BLOCK_BYTES / 4),
      numbers,
    );
    return [{ address: out, bytes: bytesOf(symbols, result).slice(0, bytesOfResult(flags)) }];
  };
  return { w: { ...symbols, compression }, instead: { [COMPRESS]: inPlaceOf(compressPart, given) } };
}

export function blake3TextStatements(text: KernelText): Claim[] {
  const kernel = onText(text, undefined, COMPRESS);
  const compression: Claim = {
    kernel: kernel.name,
    topic: 'compression',
    claim:
      'compression, of which chunk, prepare, parent, many, tree, hash and output are made: every chaining value, block, counter ' +
      `and number of bytes, wherever block and result are, ${FLAGS.length} flags`,
    prove() {
      for (const flags of FLAGS) for (const isInPlace of [false, true]) proveCompression(kernel, flags, isInPlace);
    },
  };
  return [compression, ...blake3Statements(kernel, { lanes: false }, names())];
}
