/** The loop of BLAKE2's compressions, by induction: a block at any address, at any offset t, with any number of blocks after it. */
import { H, V, V_BYTES } from '../../../../lanewise/src/blake2/map.ts';
import type { Claim } from '../../claims/claim.ts';
import { expectBytes, range, secrets } from '../../claims/compare.ts';
import { moduleOf, type KernelText } from '../../javascript/texts.ts';
import type { Kernel } from '../../kernels.ts';
import { add, concat, constant, less, parts, type Term } from '../../terms/term.ts';
import { HOME, runIteration } from '../keystream/block-loop.ts';
import { unknown, inductionClaim, word } from '../keystream/induction.ts';
import { blockBytes, sizeOf } from './claims.ts';
import { bytesOf, compressAt, wordsOf, type Words } from './specification.ts';
import { halvesOver, longs, onTerms, shorts, type Halves } from './words.ts';

/** The words of a module, and the two of t, whose low 64 bits are two parameters. */
interface Computing<L> {
  readonly w: Words<Term, L>;
  readonly t: (low: Term, high: Term) => readonly [L, L];
}
const inShorts: Computing<Term> = { w: shorts, t: (low, high) => [low, high] };
const inLongs: Computing<Term> = {
  w: longs,
  t: (low, high) => [concat(...parts(low, 8), ...parts(high, 8)), constant(64, 0n)],
};
const inHalves: Computing<Halves<Term>> = {
  w: halvesOver(onTerms),
  t: (low, high) => [
    [low, high],
    [word(0), word(0)],
  ],
};

/** With or without a carry from the low word of t to the high one, and with or without the flag of the last block. */
function proveBlock<L>(kernel: Kernel, { w, t }: Computing<L>, carry: 0 | 1, last: boolean): void {
  const size = sizeOf(kernel.family);
  const what = `a block${last ? ', the last' : ''}, ${carry ? 'with' : 'without'} a carry`;
  const bytes = blockBytes(size);
  const [before, message] = [secrets('chaining value', bytes / 2), secrets('message', bytes)];
  const [low, high] = [unknown('low'), unknown('high')];
  const next = add(low, word(bytes));
  const run = runIteration(
    {
      kernel,
      name: 'compress',
      what,
      touched: bytes,
      step: bytes,
      writes: false,
      address: 0,
      left: 1,
      work: [range(H, bytes / 2), range(V, V_BYTES)],
      others: { 2: low, 3: high, 4: word(last ? -1 : 0) },
      next: { 2: next, 3: carry ? add(high, word(1)) : high },
      assume: () => new Map([[less(next, word(bytes)), carry]]),
    },
    (machine) => {
      machine.write(H, before);
      machine.write(HOME, message);
    },
  );
  const h = compressAt(w, size, wordsOf(w, size, before), message, t(low, high), last);
  expectBytes(run, H, bytesOf(w, h), what);
  expectBytes(run, HOME, message, `${what}: the message`);
}

const inductionIn = <L>(kernel: Kernel, computing: Computing<L>): Claim[] => [
  inductionClaim(
    kernel,
    'compress, any number of blocks after any number of bytes, every chaining value and message',
    () => {
      // The flag changes the block, and the carry the blocks after it.
      proveBlock(kernel, computing, 0, false);
      proveBlock(kernel, computing, 1, true);
    },
  ),
];

export const blake2Induction = (kernel: Kernel): Claim[] =>
  sizeOf(kernel.family).bits === 64 ? inductionIn(kernel, inLongs) : inductionIn(kernel, inShorts);
/** On the module of a text. */
export const blake2TextInduction = (text: KernelText): Claim[] =>
  sizeOf(text.family).bits === 64 ? inductionIn(moduleOf(text), inHalves) : inductionIn(moduleOf(text), inShorts);
