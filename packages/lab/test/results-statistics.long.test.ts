import { describe, expect, test } from 'vitest';
import { seeded } from '../src/client/random.ts';
import {
  drift,
  estimate,
  estimateRatio,
  expandedTail,
  isNoisy,
  middle,
  rankCorrelation,
  studentQuantile,
  type Processes,
} from '../src/results/statistics.ts';
import { median } from '../src/results/medians.ts';
import { normal } from './results-synthetic.ts';

test('the middle counts processes, not rounds', () => {
  expect(middle([[1], [2], [9, 9, 9, 9, 9, 9]])).toBe(2);
});

test('quantiles of the t distribution', () => {
  // Tabulated values: 2.776 for 4 degrees of freedom, 2.262 for 9, 4.604 for 4 at 99 %.
  expect(studentQuantile(0.975, 4)).toBeCloseTo(2.776, 1);
  expect(studentQuantile(0.975, 9)).toBeCloseTo(2.262, 2);
  expect(studentQuantile(0.975, 1e6)).toBeCloseTo(1.96, 3);
});

test('tails are expanded as published', () => {
  // From tables of both distributions: Φ(−√(5/4) · 2.776) = 0.00096, Φ(−√(100/99) · 1.984) = 0.0231; for one process,
  // plainly 2.5 %.
  expect(expandedTail(0.05, 5)).toBeCloseTo(0.00096, 3);
  expect(expandedTail(0.05, 100)).toBeCloseTo(0.0231, 3);
  expect(expandedTail(0.05, 1)).toBe(0.025);
});

interface World {
  readonly processes: number;
  readonly rounds: number;
  /** Relative deviations. */
  readonly between: number;
  readonly within: number;
}

/** Ratios around 2.5, in which some rounds were interrupted. */
function simulate({ processes, rounds, between, within }: World, random: () => number, truth = 2.5): Processes {
  return Array.from({ length: processes }, () => {
    const own = truth * Math.exp(between * normal(random));
    return Array.from({ length: rounds }, () => {
      const interrupted = random() < 0.05 ? 10 ** (2 * random() - 1) : 1;
      return own * interrupted * Math.exp(within * normal(random));
    });
  });
}

describe('the interval of an estimate', () => {
  test.each<[string, World, number]>([
    ['processes differ more than rounds', { processes: 5, rounds: 12, between: 0.02, within: 0.01 }, 0.06],
    ['rounds differ more than processes', { processes: 5, rounds: 12, between: 0.002, within: 0.05 }, 0.09],
    ['there are ten processes', { processes: 10, rounds: 8, between: 0.02, within: 0.03 }, 0.06],
  ])('holds the true ratio as often as it says, and is no wider than need be, where %s', (_, world, width) => {
    const random = seeded(11);
    const trials = 300;
    let held = 0;
    const widths: number[] = [];
    for (let i = 0; i < trials; i++) {
      const { low, high } = estimate(simulate(world, random), random, { resamples: 300 });
      if (low <= 2.5 && 2.5 <= high) held++;
      widths.push(Math.log(high / low));
    }
    // 95 % of 300, less three deviations of the binomial distribution.
    expect(held / trials).toBeGreaterThan(0.912);
    expect(median(widths)).toBeLessThan(width);
  });

  test('is as narrow as the data allow', () => {
    const random = seeded(3);
    const { value, low, high } = estimate(
      simulate({ processes: 10, rounds: 20, between: 0.001, within: 0.005 }, random),
      random,
    );
    expect(value).toBeGreaterThan(2.49);
    expect(value).toBeLessThan(2.51);
    expect(high / low).toBeLessThan(1.02);
    expect(high).toBeGreaterThan(low);
  });

  test('is wide if one process of few is off, however many rounds there are', () => {
    const sure = Array.from({ length: 50 }, (_, i) => 1 + i / 1e6);
    const { low, high } = estimate([sure, sure, sure, sure.map((x) => 1.04 * x)], seeded(1));
    expect(high / low).toBeGreaterThan(1.015);
  });

  test('reaches further out than a plain one if processes are few', () => {
    // Medians of 200 evenly spread values have a deviation of 1 / (2·√200), and medians of five of them 0.536 of that: 0.0189.
    const even = Array.from({ length: 200 }, (_, i) => 0.5 + (i + 0.5) / 200);
    const { low, high } = estimate([even, even, even, even, even], seeded(9), { resamples: 4000 });
    // A plain bootstrap has 1.96 deviations on each side; of five processes there are 2.58, which is the limit for all.
    expect((high - low) / 2 / 0.0189).toBeGreaterThan(2.3);
    expect((high - low) / 2 / 0.0189).toBeLessThan(2.9);
  });

  test('is the same for the same seed', () => {
    const data = simulate({ processes: 5, rounds: 5, between: 0.1, within: 0.1 }, seeded(5));
    expect(estimate(data, seeded(1))).toEqual(estimate(data, seeded(1)));
    expect(estimate(data, seeded(1))).toMatchObject({ processes: 5, rounds: 25 });
  });

  test('of two independent runs holds the ratio of their middles', () => {
    const random = seeded(21);
    const world = { processes: 5, rounds: 10, between: 0.01, within: 0.02 };
    const trials = 200;
    let held = 0;
    for (let i = 0; i < trials; i++) {
      const one = simulate(world, random, 3);
      const other = simulate(world, random, 2);
      const { low, high } = estimateRatio(one, other, random, { resamples: 200 });
      if (low <= 1.5 && 1.5 <= high) held++;
    }
    expect(held / trials).toBeGreaterThan(0.9);
  });
});

describe('rank correlation', () => {
  test('of known data', () => {
    expect(rankCorrelation([1, 2, 3, 4], [10, 100, 1000, 1e9])).toBe(1);
    expect(rankCorrelation([1, 2, 3, 4], [4, 3, 2, 1])).toBe(-1);
    // Σd² = 4 of n = 5: 1 − 6·4 / (5·24).
    expect(rankCorrelation([1, 2, 3, 4, 5], [2, 1, 4, 3, 5])).toBeCloseTo(0.8, 12);
    expect(rankCorrelation([1, 2, 3], [7, 7, 7])).toBe(0);
  });

  test('gives ties the mean of their ranks', () => {
    // Ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: their Pearson correlation.
    expect(rankCorrelation([1, 2, 3, 4], [1, 5, 5, 9])).toBeCloseTo(4.5 / Math.sqrt(5 * 4.5), 12);
  });
});

describe('drift', () => {
  const noisy = (slope: number, length = 60, seed = 1): number[] => {
    const random = seeded(seed);
    return Array.from({ length }, (_, i) => (1 + (slope * i) / length) * Math.exp(0.01 * normal(random)));
  };

  test('is found where it was planted', () => {
    expect(drift(noisy(0.1))).toMatchObject({ drifting: true });
    expect(drift(noisy(0.1)).change).toBeCloseTo(1.066, 1);
    expect(drift(noisy(-0.1)).drifting).toBe(true);
  });

  test('is not found in noise', () => {
    const found = Array.from({ length: 200 }, (_, i) => drift(noisy(0, 60, i + 1)).drifting);
    expect(found.filter(Boolean)).toHaveLength(0);
  });

  test('too small to matter is not called so, nor is that of a few values', () => {
    expect(drift(Array.from({ length: 100 }, (_, i) => 1 + i / 1e5)).drifting).toBe(false);
    expect(drift([1, 2, 3, 4, 5]).drifting).toBe(false);
    expect(drift([1]).drifting).toBe(false);
  });
});

test('a yardstick is noisy if its middle is far from its best', () => {
  expect(isNoisy([1, 1.01, 1.02, 1, 5])).toBe(false);
  expect(isNoisy([1, 1.2, 1.3, 1, 1.2])).toBe(true);
  expect(isNoisy([])).toBe(false);
});
