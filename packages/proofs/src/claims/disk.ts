// All that is claimed of the kernels of disk encryption beside bounds and wiping.
import * as layout from '../../../lanewise/src/disk/map.ts';
import { onText } from '../javascript/runner.ts';
import type { KernelText } from '../javascript/texts.ts';
import type { Kernel } from '../kernels.ts';
import { PolynomialDoubles } from '../polynomials/doubles.ts';
import { bytesOf, wordsOf } from '../specifications/algebra.ts';
import type { Rounds } from '../specifications/chacha.ts';
import { nonceOf } from '../specifications/hbsh.ts';
import { xchacha } from '../specifications/hchacha.ts';
import { symbols as w } from '../specifications/terms.ts';
import * as terms from '../terms/term.ts';
import type { Claim } from './claim.ts';
import { expectBytes, expectNoEvents, range, secrets } from './compare.ts';
import { aesClaims, aesTextClaims } from './disk-aes.ts';
import { nhClaims, nhTextClaims } from './disk-nh.ts';
import { leaveScratch, provePages, type Shape } from './disk-pages.ts';
import { sumOf } from './disk-sums.ts';
import { onMachine } from './machine.ts';
import { shippedReducer } from './poly1305.ts';
import { onDoubles, onIntegers, type PolynomialKernel } from './poly1305-run.ts';
import { clamped } from './poly1305-tag.ts';
import type { RunnableKernel } from './runnable.ts';

const { DATA, HEADS, KEY, MARGIN, NH_KEY, POLY_KEY, ROUND } = layout;
const ROUND_NUMBERS = [8, 12, 20] as const;
/** Keys of AES, of Poly1305 twice, of NH. */
const DERIVED = [32, 32, layout.NH_KEY_BYTES];

function proveDerive(kernel: RunnableKernel, rounds: Rounds): void {
  const what = `keys, ${rounds} rounds`;
  const total = DERIVED.reduce((sum, length) => sum + length);
  const work = range(layout.SETS, KEY - layout.SETS);
  const data = range(DATA, total + 64 + MARGIN);
  const made = range(ROUND, layout.SLICED - ROUND);
  const ranges = { reads: [range(KEY, 32), work, data], writes: [work, made, data] };
  const run = kernel.start(ranges, {
    // What it makes of the key of AES is claimed by itself.
    expandKey: (own) => {
      leaveScratch(own, 8);
    },
  });
  const key = secrets('key', 32);
  run.write(KEY, key);
  run.call('derive', rounds / 2);
  expectNoEvents(run, what);
  const zeros = Array.from({ length: total }, () => w.byte(0));
  const counter = (j: number): terms.Term[] => [w.word(j), w.word(0)];
  const stream = xchacha(w, wordsOf(w, key), counter, wordsOf(w, nonceOf(w, [])), zeros, rounds);
  const poly = wordsOf(w, stream.slice(32, 64));
  expectBytes(run, KEY, key, what);
  expectBytes(run, ROUND, stream.slice(0, 32), `${what}: AES`);
  expectBytes(
    run,
    POLY_KEY,
    bytesOf(w, [...clamped(poly.slice(0, 4)), ...clamped(poly.slice(4))]),
    `${what}: Poly1305`,
  );
  expectBytes(run, NH_KEY, stream.slice(64), `${what}: NH`);
}

/** Of a head whose number is any, those of the next pages. */
function proveHeads(kernel: RunnableKernel, at: number, slot: number, step: number, count: number): void {
  const what = `${count} heads of ${slot} bytes, the number at ${at} rising by ${step}`;
  const run = kernel.start({ reads: [range(HEADS, slot)], writes: [range(HEADS, slot * count)] });
  const head = secrets('head', slot);
  run.write(HEADS, head);
  run.call('heads', at, slot, step, count);
  expectNoEvents(run, what);
  let number = wordsOf(w, head.slice(at, at + 8));
  for (let i = 0; i < count; i++) {
    const expected = [...head.slice(0, at), ...bytesOf(w, number), ...head.slice(at + 8)];
    expectBytes(run, HEADS + slot * i, expected, `${what}: number ${i}`);
    number = sumOf(number, [w.word(step), w.word(0)]);
  }
}

function keyClaims(kernel: RunnableKernel): Claim[] {
  const claim = (text: string, prove: () => void): Claim => ({
    kernel: kernel.name,
    topic: 'keys',
    claim: text,
    prove,
  });
  return [
    ...ROUND_NUMBERS.map((rounds) =>
      claim(`keys from the stream, ${rounds} rounds`, () => {
        proveDerive(kernel, rounds);
      }),
    ),
    claim('heads of the next pages', () => {
      for (const [at, slot, step, count] of [
        [16, 48, 8, 1],
        [16, 48, 8, 4],
        [4, 16, 4096, 4],
        [16, 32, 0x7fffffff, 4],
      ])
        proveHeads(kernel, at, slot, step, count);
    }),
  ];
}

/** Around blocks of AES and of the stream, sets, and pieces of NH; a sector, a page; and more pages than AES takes at once. */
const LENGTHS = {
  adiantum: [16, 17, 32, 80, 81, 273, 512, 1040, 1041, 4096],
  hpolyc: [16, 17, 32, 81, 200, 272],
};
/** The other way round only AES and what depends on it change places. */
const LENGTHS_BACK = { adiantum: [16, 81, 1041], hpolyc: [16, 81] };
const MANY = 48;

function shapesOf(cipher: Shape['cipher'], aesBlocks: number): Shape[] {
  const one = { cipher, back: false, rounds: 12, tweakLength: 32, count: 1 } as const;
  const both = (shape: Omit<Shape, 'back'>): Shape[] => [false, true].map((back) => ({ ...shape, back }));
  // As long as one stage is not; the first part is in whole pieces, or in whole sets.
  const parts = cipher === 'adiantum' ? [1024, 84] : [256, 507];
  return [
    ...LENGTHS[cipher].map((length): Shape => ({ ...one, length })),
    ...LENGTHS_BACK[cipher].map((length): Shape => ({ ...one, back: true, length })),
    ...([8, 20] as const).map((rounds): Shape => ({ ...one, rounds, length: 80 })),
    ...[0, 12, 17].map((tweakLength): Shape => ({ ...one, tweakLength, length: MANY })),
    ...[...new Set([2, aesBlocks])].map((count): Shape => ({ ...one, count, length: MANY })),
    // The padding of one tweak ends where the next begins.
    { ...one, count: 2, tweakLength: 12, length: MANY },
    ...both({ ...one, count: aesBlocks + 1, length: MANY }),
    { ...one, count: 2, length: 100 },
    ...both({ ...one, length: parts[0] + parts[1] + 16, parts }),
  ];
}

function pageClaims(kernel: PolynomialKernel, aesBlocks: number): Claim[] {
  return (['adiantum', 'hpolyc'] as const).flatMap((cipher) =>
    shapesOf(cipher, aesBlocks).map((shape) => ({
      kernel: kernel.name,
      topic: cipher,
      claim:
        `${cipher}: ${shape.back ? 'decrypt' : 'encrypt'}, ${shape.rounds} rounds, tweak of ${shape.tweakLength}, ` +
        (shape.parts ? `${shape.length} bytes in parts` : `${shape.count} of ${shape.length} bytes`),
      prove: () => provePages(kernel, aesBlocks, shape),
    })),
  );
}

export const diskClaims = (kernel: Kernel): Claim[] => [
  ...aesClaims(kernel),
  ...nhClaims(kernel),
  ...keyClaims(onMachine(kernel)),
  ...pageClaims(onIntegers(kernel), kernel.form === 'scalar' ? 2 : 8),
];

export const diskTextClaims = (text: KernelText): Claim[] => [
  ...aesTextClaims(text),
  ...nhTextClaims(text),
  ...keyClaims(onText(text, () => new PolynomialDoubles())),
  ...pageClaims(onDoubles(text, shippedReducer()), 2),
];
