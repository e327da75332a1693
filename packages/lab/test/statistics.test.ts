import { describe, expect, test } from 'vitest';
import { median, pairedRatio, pairs, quantile } from '../src/results/medians.ts';

describe('quantile', () => {
  test('of known data, in any order', () => {
    expect(quantile([4, 1, 3, 2], 0)).toBe(1);
    expect(quantile([4, 1, 3, 2], 1)).toBe(4);
    expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5);
    expect(quantile([10, 20, 30, 40, 50], 0.25)).toBe(20);
    expect(quantile([0, 10], 0.3)).toBeCloseTo(3, 12);
    expect(quantile([7], 0.9)).toBe(7);
  });

  test('sorts numbers as numbers, and leaves its argument alone', () => {
    const values = [10, 9, 100];
    expect(median(values)).toBe(10);
    expect(values).toEqual([10, 9, 100]);
  });

  test('of nothing is refused', () => {
    expect(() => quantile([], 0.5)).toThrow(RangeError);
  });
});

describe('pairedRatio', () => {
  test('finds the ratio under noise that both samples of a round share', () => {
    // The machine slows down tenfold at times; one case takes 2.5 times as long as the other throughout.
    const noise = [1, 1.1, 10, 1, 3, 1.2, 10, 1, 1, 7];
    const quick = noise.map((factor) => 100 * factor);
    const slow = noise.map((factor) => 250 * factor);
    expect(pairedRatio(slow, quick)).toBeCloseTo(2.5, 12);
    expect(pairedRatio(quick, slow)).toBeCloseTo(0.4, 12);
  });

  test('is not moved by rounds in which one sample was interrupted', () => {
    const quick = [100, 100, 100, 100, 900, 100, 100];
    const slow = [200, 900, 200, 200, 200, 200, 200];
    expect(pairedRatio(slow, quick)).toBe(2);
  });

  test('is not the ratio of medians', () => {
    const first = [1, 2, 9];
    const second = [3, 2, 9];
    expect(median(second) / median(first)).toBe(1.5);
    expect(pairedRatio(second, first)).toBe(1);
  });

  test('needs pairs', () => {
    expect(() => pairedRatio([1, 2], [1])).toThrow(RangeError);
  });
});

test('pairs', () => {
  expect(pairs([4, 9], [2, 3])).toEqual([2, 3]);
  expect(() => pairs([1], [1, 2])).toThrow(RangeError);
});
