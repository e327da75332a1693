/** The statistics of the timing smoke test, on measurements whose truth is known. */
// Runs in Node only: about the statistics of a script.
import { describe, expect, test } from 'vitest';
import { verdict, welch, type Measurements } from '../../scripts/timing-statistics.ts';

const measured = (first: readonly number[], second: readonly number[]): Measurements => ({
  times: Float64Array.of(...first, ...second),
  classes: Uint8Array.of(...first.map(() => 0), ...second.map(() => 1)),
});

/** Numbers from 0 to 1 that are the same each time. */
function uniform(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

describe("Welch's t", () => {
  test('of an example that was computed by hand', () => {
    // Means 2 and 5, variances 1 and 4, of three and five: (5 - 2) / sqrt(1/3 + 4/5).
    const { t, difference } = welch(measured([1, 2, 3], [3, 3, 5, 7, 7]));
    expect(difference).toBeCloseTo(3, 12);
    expect(t).toBeCloseTo(3 / Math.sqrt(1 / 3 + 4 / 5), 12);
  });
  test('of what lies below a limit', () => {
    const { t, difference } = welch(measured([1, 2, 3, 99], [3, 3, 5, 7, 7, 1e6]), 99);
    expect(difference).toBeCloseTo(3, 12);
    expect(t).toBeCloseTo(3 / Math.sqrt(1 / 3 + 4 / 5), 12);
  });
});

describe('the verdict', () => {
  const COUNT = 20_000;
  /** Times around 100 with a long tail; class 1 takes `longer` where there is no tail. */
  function times(longer: number, tail: number, seed: number): Measurements {
    const random = uniform(seed);
    const classes = Uint8Array.from({ length: COUNT }, () => (random() < 0.5 ? 0 : 1));
    return {
      classes,
      times: Float64Array.from(
        classes,
        (which) => 100 + random() + which * longer + (random() < 0.1 ? tail * random() : 0),
      ),
    };
  }
  test('of classes that do not differ is small', () => {
    for (let seed = 1; seed <= 10; seed++) expect(verdict(times(0, 1e5, seed)).t).toBeLessThan(4.5);
  });
  test('of classes that differ is large', () => {
    const { t, difference } = verdict(times(0.1, 0, 1));
    expect(t).toBeGreaterThan(20);
    expect(difference).toBeGreaterThan(0.03);
    expect(difference).toBeLessThan(0.2);
  });
  test('sees below the tail what the raw t does not', () => {
    const { t, raw, kept } = verdict(times(0.1, 1e6, 1));
    expect(raw).toBeLessThan(4.5);
    expect(t).toBeGreaterThan(10);
    expect(kept).toBeLessThan(1);
  });
});
