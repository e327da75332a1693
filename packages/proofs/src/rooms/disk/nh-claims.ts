// NH in the kernels of disk encryption, for every key and message of the lengths named: in integers of 64 bits and in
// vectors as terms, in doubles as polynomials.
import { STAGE, NH, NH_KEY, NH_KEY_BYTES } from '../../../../lanewise/src/disk/map.ts';
import { baseTerm, type Base } from '../../execute/bases.ts';
import { onText } from '../../javascript/runner.ts';
import type { KernelText } from '../../javascript/texts.ts';
import type { Kernel } from '../../kernels.ts';
import { requireCongruent64 } from '../../polynomials/congruence64.ts';
import { PolynomialDoubles } from '../../polynomials/doubles.ts';
import type { Ring } from '../../polynomials/ring.ts';
import { wordsOf } from '../../specifications/algebra.ts';
import { nh, type Longs } from './nh-specification.ts';
import { symbols } from '../../specifications/terms.ts';
import * as terms from '../../terms/term.ts';
import type { Term } from '../../terms/term.ts';
import { counted } from '../../claims/amounts.ts';
import type { Claim } from '../../claims/claim.ts';
import { expectBytes, expectNoEvents, range, secrets } from '../../claims/compare.ts';
import { HASH_BYTES, MOST_UNITS, NH_UNIT } from './parts.ts';
import { onMachine } from '../../claims/machine.ts';
import type { RunnableKernel } from '../../claims/runnable.ts';

const UNITS = Array.from({ length: MOST_UNITS }, (_, i) => i + 1);

/**
 * The addresses of the message and of its hash, which are arbitrary: any multiples of 16, with the bytes apart from
 * each other and from the key. Their homes are the first page and the first hash.
 */
export const nhBases = (units: number): { readonly message: Base; readonly hash: Base } => ({
  message: { name: 'address of the message', home: STAGE, length: NH_UNIT * units },
  hash: { name: 'address of the hash', home: NH, length: HASH_BYTES },
});

/** A function, because terms may be forgotten between runs. */
const longs = (): Longs<Term, Term> => ({
  ...symbols,
  zero: terms.constant(64, 0),
  product: (x, y) => terms.mul(terms.zeroExtend(x, 64), terms.zeroExtend(y, 64)),
  sum: terms.add,
  bytesOfLong: (x) => terms.parts(x, 8),
});

const rangesOf = (units: number) => ({
  reads: [range(NH_KEY, NH_KEY_BYTES), range(STAGE, NH_UNIT * units)],
  writes: [range(NH, HASH_BYTES)],
});
const inputsOf = (units: number) => ({
  key: secrets('NH key', NH_KEY_BYTES),
  message: secrets('message', NH_UNIT * units),
});

/** NH of a piece, as terms. */
export const nhOf = (key: readonly Term[], message: readonly Term[]): Term[] => nh(longs(), key, message);

/** Runs NH on any key and message, at any addresses. */
function hashed(kernel: RunnableKernel, units: number) {
  const { key, message } = inputsOf(units);
  const bases = nhBases(units);
  const run = kernel.start(rangesOf(units), {}, Object.values(bases));
  run.write(NH_KEY, key);
  run.write(STAGE, message);
  run.call('nh', baseTerm(bases.message), units, baseTerm(bases.hash));
  expectNoEvents(run, `NH of ${NH_UNIT * units} bytes`);
  return { run, key, message };
}

function proveTerms(kernel: RunnableKernel, units: number): void {
  const { run, key, message } = hashed(kernel, units);
  expectBytes(run, NH, nhOf(key, message), `NH of ${NH_UNIT * units} bytes`);
}

function provePolynomials(kernel: RunnableKernel, ringOf: () => Ring, units: number): void {
  const { run, key, message } = hashed(kernel, units);
  const ring = ringOf();
  const [m, k] = [wordsOf(symbols, message), wordsOf(symbols, key)];
  const found = run.readWords(NH, HASH_BYTES / 4);
  for (let pass = 0; pass < 4; pass++) {
    // A word is determined by its halves.
    const keyed = m.map((word, i) => {
      const sum = symbols.add(word, k[4 * pass + i]);
      const [low, high] = [terms.and(sum, terms.constant(32, 0xffff)), terms.shr_u(sum, 16)];
      return ring.word(low).polynomial.plus(ring.word(high).polynomial.scaled(1n << 16n));
    });
    const products = Array.from({ length: units }, (_, i) => {
      const [a, b, c, d] = keyed.slice(4 * i, 4 * i + 4);
      return a.times(c).plus(b.times(d));
    });
    const [low, high] = found.slice(2 * pass, 2 * pass + 2).map((word) => ring.word(word).polynomial);
    const sum = products.reduce((x, y) => x.plus(y));
    counted('bytes', 8);
    requireCongruent64(low.plus(high.scaled(1n << 32n)), sum, `pass ${pass} of NH, ${units} units`);
  }
}

const claimOf = (kernel: string, prove: (units: number) => void): Claim => ({
  kernel,
  topic: 'NH',
  claim: `every number of units from ${UNITS[0]} to ${UNITS.at(-1)}, wherever message and hash are`,
  prove() {
    for (const count of UNITS) prove(count);
  },
});

export function nhClaims(kernel: Kernel): Claim[] {
  // One for all sizes, so that it is decoded once.
  const machine = onMachine(kernel);
  return [
    claimOf(kernel.name, (units) => {
      proveTerms(machine, units);
    }),
  ];
}

export function nhTextClaims(text: KernelText): Claim[] {
  let doubles = new PolynomialDoubles();
  const parsed = onText(text, () => (doubles = new PolynomialDoubles()));
  return [
    claimOf(text.name, (units) => {
      provePolynomials(parsed, () => doubles.ring, units);
    }),
  ];
}
