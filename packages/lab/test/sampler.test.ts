import { describe, expect, test } from 'vitest';
import { seeded, shuffled } from '../src/random.ts';
import { sample, type Case, type Plan } from '../src/sampler.ts';

const plan: Plan = { rounds: [40, 40], budgetMilliseconds: 0, batchMilliseconds: 0.4, warmUpMilliseconds: 10 };

/** A clock that only operations move: each by the milliseconds that it is said to take. */
function synthetic(costs: Record<string, number>) {
  let time = 0;
  const order: string[] = [];
  const cases = Object.entries(costs).map(([id, milliseconds]): Case => ({
    id,
    before: () => void order.push(id),
    run: () => void (time += milliseconds),
  }));
  return { cases, order, now: () => time, wait: (milliseconds: number) => void (time += milliseconds) };
}

describe('sample', () => {
  test('finds the time of each operation', () => {
    const { cases, now } = synthetic({ short: 0.001, long: 0.25, single: 1, longer: 5 });
    const { nanoseconds, batches } = sample(cases, plan, seeded(1), { now });
    for (const [id, expected] of Object.entries({ short: 1e3, long: 250e3, single: 1e6, longer: 5e6 })) {
      expect(nanoseconds[id]).toHaveLength(40);
      for (const value of nanoseconds[id]) expect(value / expected).toBeCloseTo(1, 6);
    }
    // Two where one would fill the batch: alone it would show what the others left behind.
    expect(batches).toEqual({ short: 400, long: 2, single: 2, longer: 1 });
  });

  test('takes each case once a round, in changing order, the same for the same seed', () => {
    const orders = [7, 7, 8].map((seed) => {
      const { cases, order, now } = synthetic({ a: 0.1, b: 0.1, c: 0.1 });
      sample(cases, plan, seeded(seed), { now });
      return order.slice(-3 * 40);
    });
    expect(orders[0]).toEqual(orders[1]);
    expect(orders[0]).not.toEqual(orders[2]);
    const rounds = Array.from({ length: 40 }, (_, i) => orders[0].slice(3 * i, 3 * i + 3));
    expect(new Set(rounds.map((round) => round.join())).size).toBeGreaterThan(3);
    for (const round of rounds) expect(round.toSorted()).toEqual(['a', 'b', 'c']);
  });

  test('ends when the budget is spent, but not before the least number of rounds', () => {
    for (const [budgetMilliseconds, expected] of [
      [0, 3],
      [6, 6],
      [1e6, 20],
    ]) {
      const { cases, now } = synthetic({ a: 1 });
      const { nanoseconds } = sample(
        cases,
        { ...plan, rounds: [3, 20], budgetMilliseconds: budgetMilliseconds - 0.5, batchMilliseconds: 0.1 },
        seeded(1),
        { now },
      );
      expect(nanoseconds['a']).toHaveLength(expected);
    }
  });

  test('believes a case that has a clock of its own', () => {
    const { cases, now } = synthetic({ here: 0.1 });
    const counts: number[] = [];
    const elsewhere: Case = {
      id: 'elsewhere',
      run: () => expect.unreachable(),
      time: (count) => {
        counts.push(count);
        return 0.04 * count;
      },
    };
    const { nanoseconds, batches } = sample([...cases, elsewhere], plan, seeded(1), { now });
    for (const value of nanoseconds['elsewhere']) expect(value).toBeCloseTo(40e3, 6);
    expect(batches).toEqual({ here: 4, elsewhere: 10 });
    expect(counts.slice(-40)).toEqual(Array.from({ length: 40 }, () => 10));
  });

  test('survives a clock that does not move', () => {
    const result = sample([{ id: 'a', run() {} }], { ...plan, warmUpMilliseconds: 0.01 }, seeded(1), { now: () => 0 });
    expect(result.nanoseconds['a'][0]).toBe(0);
  });
});

describe('random', () => {
  test('is uniform enough, and repeatable', () => {
    const random = seeded(42);
    const values = Array.from({ length: 10_000 }, random);
    expect(values.reduce((sum, value) => sum + value) / values.length).toBeCloseTo(0.5, 1);
    expect(values.every((value) => value >= 0 && value < 1)).toBe(true);
    const again = seeded(42);
    expect(values.slice(0, 5)).toEqual(Array.from({ length: 5 }, again));
  });

  test('shuffles into every order', () => {
    const random = seeded(3);
    const orders = new Set(Array.from({ length: 200 }, () => shuffled(['a', 'b', 'c'], random).join('')));
    expect([...orders].sort()).toEqual(['abc', 'acb', 'bac', 'bca', 'cab', 'cba']);
  });
});
