// The keys of the disk kernels that `derive` computes from the cipher's key, and the heads of many pages, which contain
// a counter.
import * as layout from '../../../../lanewise/src/disk/map.ts';
import type { Ranges } from '../../execute/machine.ts';
import { bytesOf, wordsOf } from '../../specifications/algebra.ts';
import type { Rounds } from '../chacha/specification.ts';
import { nonceOf } from './hbsh-specification.ts';
import { xchacha } from '../chacha/hchacha-specification.ts';
import { symbols as w } from '../../specifications/terms.ts';
import type { Term } from '../../terms/term.ts';
import type { Claim } from '../../claims/claim.ts';
import { expectBytes, expectNoEvents, range, secrets } from '../../claims/compare.ts';
import { inPlaceOf, Named } from '../../claims/stand-ins.ts';
import { partsOf } from './parts.ts';
import { sumOf } from './sums.ts';
import { clamped } from '../poly1305/tag.ts';
import type { Runnable, RunnableKernel } from '../../claims/runnable.ts';

const { STAGE, HEADS, HEADS_BYTES, KEY, KEY_BYTES, MARGIN, NH_KEY, NH_KEY_BYTES, POLY_KEY, ROUND, ROUND_BYTES } =
  layout;
const ROUND_NUMBERS = [8, 12, 20] as const;
/** The keys of AES, of Poly1305 (two), and of NH. */
const DERIVED_BYTES = 32 + 32 + NH_KEY_BYTES;

const rangesOfDerive: Ranges = (() => {
  const work = range(layout.SETS, KEY - layout.SETS);
  const data = range(STAGE, DERIVED_BYTES + 64 + MARGIN);
  return { reads: [range(KEY, KEY_BYTES), work, data], writes: [work, range(ROUND, layout.SLICED - ROUND), data] };
})();

/** "Adiantum: length-preserving encryption for entry-level processors" §2: parts of XChaCha's stream. */
export function derivedKeys(key: readonly Term[], rounds: Rounds) {
  const zeros = Array.from({ length: DERIVED_BYTES }, () => w.byte(0));
  const counter = (j: number): Term[] => [w.word(j), w.word(0)];
  const stream = xchacha(w, wordsOf(w, key), counter, wordsOf(w, nonceOf(w, [])), zeros, rounds);
  const poly = wordsOf(w, stream.slice(32, 64));
  return {
    aes: stream.slice(0, 32),
    /** The r of the tweak and the r of the message, as words. */
    r: [clamped(poly.slice(0, 4)), clamped(poly.slice(4))],
    nh: stream.slice(64),
  } as const;
}

/**
 * Runs `derive` on the cipher's key in memory. The key schedule of AES runs too, or the stand-in for it if the run has
 * one.
 */
export function derive(run: Runnable, rounds: Rounds): void {
  run.ranges = rangesOfDerive;
  run.call('derive', rounds / 2);
  expectNoEvents(run, `keys, ${rounds} rounds`);
}

function proveDerive(kernel: RunnableKernel, aesBlocks: number, rounds: Rounds): void {
  const what = `keys, ${rounds} rounds`;
  const named = new Named();
  const roundKeysOf = (key: readonly Term[]): Term[] => named.of('round keys', key, ROUND_BYTES);
  // The key schedule of AES has claims of its own.
  const expandKey = inPlaceOf(partsOf(aesBlocks).expandKey, (callRun) => [
    { address: ROUND, bytes: roundKeysOf(callRun.read(ROUND, 32)) },
  ]);
  const run = kernel.start({}, { expandKey });
  const key = secrets('key', KEY_BYTES);
  run.write(KEY, key);
  derive(run, rounds);
  const { aes, r, nh } = derivedKeys(key, rounds);
  expectBytes(run, KEY, key, what);
  expectBytes(run, ROUND, roundKeysOf(aes), `${what}: AES`);
  expectBytes(run, POLY_KEY, bytesOf(w, r.flat()), `${what}: Poly1305`);
  expectBytes(run, NH_KEY, nh, `${what}: NH`);
}

/** Proves that the heads of the next pages follow from a head with an arbitrary number. */
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

/** The heads that the library uses: dm-crypt's tweaks of sectors, HPolyC's tweaks of 8 bytes, and the largest step. */
const HEADS_OF = [
  { at: 16, slot: 48, step: 8 },
  { at: 4, slot: 16, step: 4096 },
  { at: 16, slot: 32, step: 0x7fffffff },
] as const;
const mostHeads = (slot: number): number => Math.floor(HEADS_BYTES / slot);
/** Every number of heads up to 20, and the largest number that fits the memory. */
const headCounts = (slot: number): number[] => [...Array.from({ length: 20 }, (_, i) => i + 1), mostHeads(slot)];

export function keyClaims(kernel: RunnableKernel, aesBlocks: number): Claim[] {
  const claim = (text: string, prove: () => void): Claim => ({
    kernel: kernel.name,
    topic: 'keys',
    claim: text,
    prove,
  });
  return [
    ...ROUND_NUMBERS.map((rounds) =>
      claim(`keys from the stream, ${rounds} rounds`, () => {
        proveDerive(kernel, aesBlocks, rounds);
      }),
    ),
    ...HEADS_OF.map(({ at, slot, step }) =>
      claim(`heads of ${slot} bytes, whose number at ${at} rises by ${step}: one, and up to ${mostHeads(slot)}`, () => {
        for (const count of headCounts(slot)) proveHeads(kernel, at, slot, step, count);
      }),
    ),
  ];
}
