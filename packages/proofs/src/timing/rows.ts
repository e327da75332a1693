/** The verdict on a sample: Welch's t, and the ratios of its pairs. */
import { verdict, type Verdict } from '../../../lanewise/scripts/timing-statistics.ts';
import { PLANTED_BIT, PLANTED_STOP } from './calls.ts';
import type { Sample } from './measure.ts';

/** |t|, of times or of pairs, above it is a difference. */
export const SURE = 10;

export interface Row extends Pick<Sample, 'name' | 'classes' | 'calls'>, Verdict {
  /** Of all times. */
  readonly median: number;
  readonly pairs: number;
  /** The mean of the middle half of the ratios of pairs, class 1 over class 0: a median would move by whole steps of a coarse clock. */
  readonly ratio: number;
  /** The standard error of the ratio. */
  readonly error: number;
  /** How far the ratio is from 1, in standard errors: like |t|, but it needs no thousand times, and a few delays change it little. */
  readonly ofPairs: number;
}

const middle = (sorted: Float64Array): number => sorted[sorted.length >> 1];
const mean = (numbers: Float64Array): number => numbers.reduce((sum, x) => sum + x, 0) / numbers.length;

/** Of sorted numbers; the error is that of a trimmed mean, from the variance of the numbers with both ends drawn in. */
function middleHalf(sorted: Float64Array): Pick<Row, 'ratio' | 'error' | 'ofPairs'> {
  const from = sorted.length >> 2;
  const to = sorted.length - from;
  const drawnIn = sorted.map((x) => Math.min(Math.max(x, sorted[from]), sorted[to - 1]));
  const center = mean(drawnIn);
  const variance = mean(drawnIn.map((x) => (x - center) ** 2));
  const ratio = mean(sorted.subarray(from, to));
  const error = 2 * Math.sqrt(variance / sorted.length);
  return { ratio, error, ofPairs: error > 0 ? Math.abs(ratio - 1) / error : 0 };
}

export function rowOf({ name, classes, calls, times }: Sample): Row {
  const all = Float64Array.from(times);
  const ratios = Float64Array.from({ length: times.length / 2 }, (_, i) => times[2 * i + 1] / times[2 * i]).sort();
  return {
    name,
    classes,
    calls,
    ...verdict({ times: all, classes: Uint8Array.from(times, (_, i) => i & 1) }),
    median: middle(all.toSorted()),
    pairs: ratios.length,
    ...middleHalf(ratios),
  };
}

/** The planted leaks that a host doesn't show, with the classes that should have shown them. */
export function unseen(rows: readonly Row[]): string[] {
  const planted = [
    [PLANTED_BIT, 'top bits'],
    [PLANTED_STOP, 'fixed, random'],
  ] as const;
  return planted
    .filter(
      ([name, classes]) =>
        !rows.some((row) => row.name === name && row.classes === classes && (row.t > SURE || row.ofPairs > SURE)),
    )
    .map(([name, classes]) => `${name} (${classes})`);
}

const WIDTHS = [32, 16, 14, 8, 8, 8, 8, 9, 14, 20, 10];
export const lineOf = (...cells: readonly string[]): string =>
  cells.map((cell, i) => (i < 2 ? cell.padEnd(WIDTHS[i]) : cell.padStart(WIDTHS[i]))).join('');

export const HEAD = lineOf(
  ...['what', 'classes', 'median', 'calls', 'pairs', '|t|', 'of', '|t| raw', 'difference', 'ratio', 'of pairs'],
);

export const inWords = ({
  name,
  classes,
  median,
  calls,
  pairs,
  t,
  kept,
  raw,
  difference,
  ratio,
  error,
  ofPairs,
}: Row): string =>
  lineOf(
    name,
    classes,
    `${median.toFixed(0)} ns`,
    String(calls),
    String(pairs),
    t.toFixed(1),
    `${(100 * kept).toFixed(0)} %`,
    raw.toFixed(1),
    `${difference.toFixed(2)} ns`,
    `${ratio.toFixed(4)} ± ${(3.3 * error).toFixed(4)}`,
    ofPairs.toFixed(1),
  );
