/**
 * Whether calls of the `js` engine take longer for secrets whose words have their top bit set, since engines keep small integers in
 * another way than large ones. It reports and never fails, like `npm run timing`; its results are about this machine and this engine.
 *
 *     node scripts/timing-words.ts --seconds 1                           of each row; optimized code
 *     node --no-opt --no-maglev --always-sparkplug scripts/timing-words.ts   code of V8's baseline compiler
 *     node --no-opt --no-maglev --no-sparkplug scripts/timing-words.ts   V8's interpreter
 *     … --only poly1305                                                  targets whose names contain that
 *
 * Bun's baseline compiler and interpreter are chosen by BUN_JSC_useDFGJIT=0 and BUN_JSC_useJIT=0.
 */
import { randomFillSync } from 'node:crypto';
import { parseArgs } from 'node:util';
import { select } from '../src/engine.ts';
import { verdict } from './timing-statistics.ts';
import { expect, key, KEY_BYTES, message, MESSAGE_BYTES, targets } from './timing-words-targets.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '1' }, only: { type: 'string', default: '' } },
});
const limit = Number(values.seconds) * 1000;
if (!(limit > 0)) throw new Error('--seconds is a number above 0');
const chosen = Object.entries(targets).filter(([name]) => name.includes(values.only));
if (chosen.length === 0) throw new Error(`no target has "${values.only}" in its name`);

const LENGTH = KEY_BYTES + MESSAGE_BYTES;
/** So many inputs of each class, so that one that was drawn badly says little. */
const INPUTS = 256;
const LEAST_PAIRS = 200;
const MOST_PAIRS = 60_000;

type Class = () => Uint8Array;
const random: Class = () => randomFillSync(new Uint8Array(LENGTH));
/** Words with these top bits, whichever end of a word comes first. */
const topped =
  (bits: number): Class =>
  () =>
    random().map((byte, i) => (i % 4 === 0 || i % 4 === 3 ? bits | (byte & 0x3f) : byte));
const fixed = random();

/** Below 2^30, against 2^31 to 2^31 + 2^30 - 1: as signed integers, too, the latter fit no 31 bits. */
const CLASSES: readonly { readonly name: string; readonly classes: readonly [Class, Class] }[] = [
  { name: 'top bits', classes: [topped(0), topped(0x80)] },
  { name: 'fixed, random', classes: [() => fixed.slice(), random] },
  { name: 'random, random', classes: [random, random] },
];

const now = (): number => Number(process.hrtime.bigint());
/** The last result, so that no call can be left out. */
let kept: unknown;

interface Sample {
  readonly times: Float64Array;
  readonly classes: Uint8Array;
  /** Of each pair, the time of class 1 over that of class 0. */
  readonly ratios: Float64Array;
}

function measured(run: () => unknown, [small, large]: readonly [Class, Class]): Sample {
  const inputs = [small, large].map((one) => Array.from({ length: INPUTS }, one));
  // What is to stop at a difference would otherwise stop at once, whatever the class.
  expect(fixed.subarray(KEY_BYTES));
  const draws = new Uint8Array(1 << 16);
  const timed = (which: number, nth: number): number => {
    const input = inputs[which][nth];
    key.set(input.subarray(0, KEY_BYTES));
    message.set(input.subarray(KEY_BYTES));
    const start = now();
    kept = run();
    return now() - start;
  };
  const warm = now() + 0.3e6 * limit;
  for (let i = 0; now() < warm || i < 20; i++) timed(i & 1, i % INPUTS);

  const pairs: (readonly [number, number, number])[] = [];
  const end = now() + 1e6 * limit;
  while (pairs.length < MOST_PAIRS && (now() < end || pairs.length < LEAST_PAIRS)) {
    const i = pairs.length;
    if (i % 0x4000 === 0) randomFillSync(draws);
    const first = draws[(4 * i) % 0x10000] & 1;
    const [nth, other] = [draws[(4 * i + 1) % 0x10000], draws[(4 * i + 2) % 0x10000]];
    const x = timed(first, nth);
    const y = timed(1 - first, other);
    pairs.push(first === 0 ? [x, y, y / x] : [y, x, x / y]);
  }
  return {
    times: Float64Array.from(pairs.flatMap(([x, y]) => [x, y])),
    classes: Uint8Array.from(pairs.flatMap(() => [0, 1])),
    ratios: Float64Array.from(pairs, ([, , ratio]) => ratio).sort(),
  };
}

const WIDTHS = [32, 16, 12, 8, 8, 8, 9, 12, 22];
const row = (...cells: readonly string[]): void =>
  console.log(cells.map((cell, i) => (i < 2 ? cell.padEnd(WIDTHS[i]) : cell.padStart(WIDTHS[i]))).join(''));
const middle = (sorted: Float64Array): number => sorted[sorted.length >> 1];

select('js');
const bun = (process.versions as Record<string, string | undefined>)['bun'];
const made = bun === undefined ? `Node ${process.version}, V8 ${process.versions.v8}` : `Bun ${bun}`;
console.log(`${made} ${process.execArgv.join(' ')}; |t| above 4.5 hints at a difference, above 10 it is there`);
row('what', 'classes', 'median', 'pairs', '|t|', 'of', '|t| raw', 'difference', 'paired ratio');
for (const [name, run] of chosen)
  for (const { name: classes, classes: both } of CLASSES) {
    const sample = measured(run, both);
    const { t, kept: part, raw, difference } = verdict(sample);
    const { ratios } = sample;
    // The median lies between these in 99.9 of 100 samples.
    const span = Math.ceil(1.65 * Math.sqrt(ratios.length));
    const at = (offset: number): string => ratios[Math.max(0, (ratios.length >> 1) + offset)].toFixed(3);
    row(
      name,
      classes,
      `${middle(sample.times.toSorted()).toFixed(0)} ns`,
      String(ratios.length),
      t.toFixed(1),
      `${(100 * part).toFixed(0)} %`,
      raw.toFixed(1),
      `${difference.toFixed(2)} ns`,
      `${middle(ratios).toFixed(3)} (${at(-span)}–${at(span)})`,
    );
  }
if (kept === undefined) throw new Error('nothing was timed');
