/**
 * The statistics of samples. The unit of repetition is the process: the rounds of one process share its memory layout
 * and its compiled code, so that many rounds of few processes look more certain than they are. Estimates are medians of
 * the processes' medians, and intervals are bootstrapped in two stages, processes first.
 */
import { median, quantile } from './medians.ts';
import type { Random } from '../client/random.ts';

/** One list for each process, with one number for each of its rounds. */
export type Processes = readonly (readonly number[])[];

export interface Estimate {
  readonly value: number;
  /** An interval that contains the true value with the probability of its level. */
  readonly low: number;
  readonly high: number;
  readonly processes: number;
  /** The samples of all processes. */
  readonly rounds: number;
}

/** The median over processes of their medians. */
export const middle = (processes: Processes): number => median(processes.map(median));

export interface BootstrapOptions {
  readonly resamples?: number;
  readonly level?: number;
}
const RESAMPLES = 1000;
const LEVEL = 0.95;

/** The median over processes, with its interval by bootstrap. */
export function estimate(processes: Processes, random: Random, options: BootstrapOptions = {}): Estimate {
  return { value: middle(processes), ...interval([processes], ([x]) => x, random, options), ...sizes(processes) };
}

/** The ratio of two medians over independent processes, with its interval. */
export function estimateRatio(
  numerators: Processes,
  denominators: Processes,
  random: Random,
  options: BootstrapOptions = {},
): Estimate {
  return {
    value: middle(numerators) / middle(denominators),
    ...interval([numerators, denominators], ([x, y]) => x / y, random, options),
    ...sizes(numerators.length < denominators.length ? numerators : denominators),
  };
}

const sizes = (processes: Processes): Pick<Estimate, 'processes' | 'rounds'> => ({
  processes: processes.length,
  rounds: processes.reduce((sum, { length }) => sum + length, 0),
});

/**
 * Percentiles of the values of resampled groups, taken further out the fewer processes there are: a plain bootstrap of
 * five is too narrow by a third (T. Hesterberg, "What Teachers Should Know about the Bootstrap", 2015: the expanded
 * percentile interval). Where processes are alike and only rounds differ, two stages count the rounds twice, and the
 * interval is wider than necessary: it errs towards finding no difference.
 */
function interval(
  groups: readonly Processes[],
  of: (middles: readonly number[]) => number,
  random: Random,
  { resamples = RESAMPLES, level = LEVEL }: BootstrapOptions,
): { low: number; high: number } {
  const found = Array.from({ length: resamples }, () => of(groups.map((group) => resampledMiddle(group, random))));
  const tail = Math.max(LEAST_TAIL, expandedTail(1 - level, Math.min(...groups.map(({ length }) => length))));
  return { low: quantile(found, tail), high: quantile(found, 1 - tail) };
}

function resampledMiddle(processes: Processes, random: Random): number {
  return medianInPlace(
    Float64Array.from(processes, () => {
      const rounds = drawn(processes, random);
      return medianInPlace(Float64Array.from(rounds, () => drawn(rounds, random)));
    }),
  );
}

const drawn = <T>(values: readonly T[], random: Random): T => values[Math.floor(random() * values.length)];

/** Insertion sort, because there are few values in each of millions of lists. */
function medianInPlace(values: Float64Array): number {
  const { length } = values;
  for (let i = 1; i < length; i++) {
    const value = values[i];
    let at = i;
    for (; at > 0 && values[at - 1] > value; at--) values[at] = values[at - 1];
    values[at] = value;
  }
  const half = length >> 1;
  return length % 2 === 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/** Percentiles further out are accidents: resamples of interrupted rounds only. */
const LEAST_TAIL = 0.005;

/** The share of the bootstrap's distribution to leave out on each side. Of one process only the rounds are known. */
export function expandedTail(outside: number, processes: number): number {
  if (processes < 2) return outside / 2;
  return normal(-Math.sqrt(processes / (processes - 1)) * studentQuantile(1 - outside / 2, processes - 1));
}

/** The distribution function of the normal distribution (Abramowitz and Stegun, 7.1.26: to 1.5e-7). */
function normal(x: number): number {
  const z = Math.abs(x) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * z);
  const polynomial = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const above = (polynomial * Math.exp(-z * z)) / 2;
  return x < 0 ? above : 1 - above;
}

function normalQuantile(p: number): number {
  let [low, high] = [-10, 10];
  for (let i = 0; i < 60; i++) {
    const between = (low + high) / 2;
    if (normal(between) < p) low = between;
    else high = between;
  }
  return low;
}

/**
 * The quantile of Student's distribution by the expansion of Cornish and Fisher (Abramowitz and Stegun, 26.7.5); too
 * small below 3 degrees of freedom.
 */
export function studentQuantile(p: number, freedom: number): number {
  const x = normalQuantile(p);
  const [x3, x5, x7] = [x ** 3, x ** 5, x ** 7];
  return (
    x +
    (x3 + x) / (4 * freedom) +
    (5 * x5 + 16 * x3 + 3 * x) / (96 * freedom ** 2) +
    (3 * x7 + 19 * x5 + 17 * x3 - 15 * x) / (384 * freedom ** 3)
  );
}

/** Ranks from 1; equal values share the mean of theirs. */
function ranks(values: readonly number[]): number[] {
  const order = values.map((_, i) => i).sort((i, j) => values[i] - values[j]);
  const result = new Array<number>(values.length);
  for (let from = 0, to; from < order.length; from = to) {
    for (to = from; to < order.length && values[order[to]] === values[order[from]]; to++);
    for (let i = from; i < to; i++) result[order[i]] = (from + 1 + to) / 2;
  }
  return result;
}

/** Spearman's correlation of ranks; 0 if one of the lists is constant. */
export function rankCorrelation(xs: readonly number[], ys: readonly number[]): number {
  if (xs.length !== ys.length) throw new RangeError('a correlation needs pairs');
  const [rx, ry] = [ranks(xs), ranks(ys)];
  const mean = (xs.length + 1) / 2;
  let [xy, xx, yy] = [0, 0, 0];
  for (let i = 0; i < xs.length; i++) {
    xy += (rx[i] - mean) * (ry[i] - mean);
    xx += (rx[i] - mean) ** 2;
    yy += (ry[i] - mean) ** 2;
  }
  return xx === 0 || yy === 0 ? 0 : xy / Math.sqrt(xx * yy);
}

/** Two-sided, one in a thousand, because contests are many. */
const DRIFT_DEVIATIONS = 3.29;
const DRIFT_CHANGE = 0.02;

export interface Drift {
  /** The correlation of value and index. */
  readonly correlation: number;
  /** The ratio of the last third to the first. */
  readonly change: number;
  readonly drifting: boolean;
}

/** Whether values rise or fall with their index, by more than chance and by a relevant amount. */
export function drift(values: readonly number[]): Drift {
  const third = Math.floor(values.length / 3);
  if (third === 0) return { correlation: 0, change: 1, drifting: false };
  const correlation = rankCorrelation(
    values.map((_, i) => i),
    values,
  );
  const change = median(values.slice(-third)) / median(values.slice(0, third));
  // Without a drift the correlation has this deviation: 1 / √(n − 1).
  const significant = Math.abs(correlation) * Math.sqrt(values.length - 1) > DRIFT_DEVIATIONS;
  return { correlation, change, drifting: significant && Math.abs(Math.log(change)) > DRIFT_CHANGE };
}

const NOISY = 1.05;

/** Whether the yardstick was disturbed: its median is far from its best sample. */
export const isNoisy = (yardstick: readonly number[]): boolean =>
  yardstick.length > 0 && median(yardstick) / quantile(yardstick, 0.05) > NOISY;
