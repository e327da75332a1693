// Argon2: G of every two blocks, anywhere in memory.
import { BLOCKS, SCRATCH } from '../../../../lanewise/src/argon2/map.ts';
import type { Claim } from '../../claims/claim.ts';
import { expectBytes, expectNoEvents, range, secrets } from '../../claims/compare.ts';
import { onMachine } from '../../claims/machine.ts';
import type { RunnableKernel } from '../../claims/runnable.ts';
import { baseTerm, type Base } from '../../execute/bases.ts';
import { onText } from '../../javascript/runner.ts';
import type { KernelText } from '../../javascript/texts.ts';
import type { Kernel } from '../../kernels.ts';
import * as terms from '../../terms/term.ts';
import type { Term } from '../../terms/term.ts';
import { doubledProductOver, halvesOver, longs, onTerms, type Halves } from '../blake2/words.ts';
import { compress, type ProductWords } from './specification.ts';

export const BLOCK_BYTES = 1024;

const low = (x: Term): Term => terms.zeroExtend(terms.extract(x, 32, 0), 64);
const wide: ProductWords<Term, Term> = {
  ...longs,
  doubledProduct: (x, y) => terms.shl(terms.mul(low(x), low(y)), 1),
};
const halved: ProductWords<Term, Halves<Term>> = {
  ...halvesOver(onTerms),
  doubledProduct: doubledProductOver(onTerms),
};

/** The memory of a call, whose blocks are at these addresses. */
export const compressRanges = (x: number, y: number, to: number, z: number, onto: boolean) => ({
  reads: [x, y, ...(onto ? [to] : [])].map((at) => range(at, BLOCK_BYTES)),
  writes: [to, z].map((at) => range(at, BLOCK_BYTES)),
});

/** Where a run has X, Y, the result and Z. */
const HOMES = { x: BLOCKS, y: BLOCKS + 1024, to: BLOCKS + 2048, z: SCRATCH };

/** With `anywhere` the addresses are unknown: any multiples of 16, and the blocks apart. */
function proveCompress<L>(kernel: RunnableKernel, w: ProductWords<Term, L>, onto: boolean, anywhere: boolean): void {
  const what = 'G(X, Y)';
  const { x, y, to, z } = HOMES;
  const base = (name: string, home: number): Base => ({ name: `address of ${name}`, home, length: BLOCK_BYTES });
  const bases = [base('X', x), base('Y', y), base('the result', to), base('Z', z)];
  const run = kernel.start(compressRanges(x, y, to, z, onto), {}, anywhere ? bases : []);
  const [blockX, blockY, before] = [secrets('X', BLOCK_BYTES), secrets('Y', BLOCK_BYTES), secrets('B', BLOCK_BYTES)];
  run.write(to, before);
  run.write(x, blockX);
  run.write(y, blockY);
  const [atX, atY, atResult, atZ] = bases.map((one) => (anywhere ? baseTerm(one) : one.home));
  run.call('compress', atX, atY, atResult, onto ? 1 : 0, atZ);
  expectNoEvents(run, what);
  const result = compress(w, blockX, blockY);
  expectBytes(run, to, onto ? result.map((byte, i) => terms.xor(byte, before[i])) : result, what);
  expectBytes(run, x, blockX, `${what}: X`);
  expectBytes(run, y, blockY, `${what}: Y`);
}

/** A call has no length: those at unknown addresses are all calls there are, whatever the sizes of the matrix and its lanes. */
const statements = <L>(kernel: RunnableKernel, w: ProductWords<Term, L>): Claim[] => {
  const claim = (text: string, prove: () => void): Claim => ({
    kernel: kernel.name,
    topic: 'compression',
    claim: text,
    prove,
  });
  return [
    claim('G of every X and Y, at one place', () => proveCompress(kernel, w, true, false)),
    claim('G of every X and Y, all blocks anywhere', () => proveCompress(kernel, w, false, true)),
    claim('G of every X and Y, all blocks anywhere, XORed onto every block', () =>
      proveCompress(kernel, w, true, true),
    ),
  ];
};

export const argon2Claims = (kernel: Kernel): Claim[] => statements(onMachine(kernel), wide);
export const argon2TextClaims = (text: KernelText): Claim[] => statements(onText(text), halved);
