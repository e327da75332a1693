// NH in the kernels of disk encryption, for every key and message of the lengths named: in integers of 64 bits and in
// vectors as terms, in doubles as polynomials.
import { DATA, NH, NH_KEY, NH_KEY_BYTES } from '../../../lanewise/src/disk/map.ts';
import { JavaScriptMachine } from '../javascript/runner.ts';
import { parse } from '../javascript/parse.ts';
import type { KernelText } from '../javascript/texts.ts';
import type { Kernel } from '../kernels.ts';
import { requireCongruent64 } from '../polynomials/congruence64.ts';
import { PolynomialDoubles } from '../polynomials/doubles.ts';
import { wordsOf } from '../specifications/algebra.ts';
import { nh, type Longs } from '../specifications/nh.ts';
import { symbols } from '../specifications/terms.ts';
import * as terms from '../terms/term.ts';
import type { Term } from '../terms/term.ts';
import type { Claim } from './claim.ts';
import { expectBytes, expectNoEvents, range, secrets } from './compare.ts';
import { onMachine } from './machine.ts';

const UNIT = 16;
const HASH_BYTES = 32;
/** One unit, around the four that vectors take at a time, and the most. */
const UNITS = [1, 2, 3, 4, 5, 8, 9, 63, 64];
/** In doubles there is one loop, and it takes a unit a turn. */
const UNITS_IN_DOUBLES = [1, 2, 64];

/** Made anew, because terms may be forgotten. */
const longs = (): Longs<Term, Term> => ({
  ...symbols,
  zero: terms.constant(64, 0),
  product: (x, y) => terms.mul(terms.zeroExtend(x, 64), terms.zeroExtend(y, 64)),
  sum: terms.add,
  bytesOfLong: (x) => terms.parts(x, 8),
});

const rangesOf = (units: number) => ({
  reads: [range(NH_KEY, NH_KEY_BYTES), range(DATA, UNIT * units)],
  writes: [range(NH, HASH_BYTES)],
});
const inputsOf = (units: number) => ({
  key: secrets('NH key', NH_KEY_BYTES),
  message: secrets('message', UNIT * units),
});

function proveTerms(kernel: Kernel, units: number): void {
  const what = `NH of ${UNIT * units} bytes`;
  const { key, message } = inputsOf(units);
  const run = onMachine(kernel).start(rangesOf(units));
  run.write(NH_KEY, key);
  run.write(DATA, message);
  run.call('nh', DATA, units, NH);
  expectNoEvents(run, what);
  expectBytes(run, NH, nh(longs(), key, message), what);
}

function provePolynomials(text: KernelText, units: number): void {
  const { key, message } = inputsOf(units);
  const doubles = new PolynomialDoubles();
  const run = new JavaScriptMachine(parse(text.text), {
    memoryBytes: text.memoryBytes,
    ranges: rangesOf(units),
    doubles,
    coverage: text.coverage,
  });
  run.write(NH_KEY, key);
  run.write(DATA, message);
  run.call('nh', DATA, units, NH);
  expectNoEvents(run, 'NH');
  const { ring } = doubles;
  const [m, k] = [wordsOf(symbols, message), wordsOf(symbols, key)];
  const found = run.readWords(NH, HASH_BYTES / 4);
  for (let pass = 0; pass < 4; pass++) {
    // A word is what its halves say.
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
    requireCongruent64(low.plus(high.scaled(1n << 32n)), sum, `pass ${pass} of NH, ${units} units`);
  }
}

const claimOf = (kernel: string, units: readonly number[], prove: (units: number) => void): Claim => ({
  kernel,
  topic: 'NH',
  claim: `${units.join(', ')} units of 16 bytes`,
  prove() {
    for (const count of units) prove(count);
  },
});

export const nhClaims = (kernel: Kernel): Claim[] => [
  claimOf(kernel.name, UNITS, (units) => {
    proveTerms(kernel, units);
  }),
];

export const nhTextClaims = (text: KernelText): Claim[] => [
  claimOf(text.name, UNITS_IN_DOUBLES, (units) => {
    provePolynomials(text, units);
  }),
];
