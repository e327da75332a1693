import { describe, expect, test } from 'vitest';
import { randomBytes, seeded, shuffled } from '../src/client/random.ts';
import { sample, sampleInTurns, type Case, type Plan } from '../src/client/sampler.ts';

const plan: Plan = { rounds: [40, 40], budgetMilliseconds: 0, batchMilliseconds: 0.4, warmUpMilliseconds: 10 };

/** A clock that only operations advance, each by its given milliseconds. */
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
    // Two operations where one would fill the batch: a single one would measure the state that other cases left behind.
    expect(batches).toEqual({ short: 400, long: 2, single: 2, longer: 1 });
  });

  test.each([false, true])('is not misled by what it takes to change engines (hot: %s)', (hot) => {
    let [time, changed] = [0, false];
    const item: Case = {
      id: 'changing',
      hot,
      before: () => void (changed = true),
      run() {
        // Half a millisecond once after each change of cases.
        time += changed ? 0.501 : 0.001;
        changed = false;
      },
    };
    const { nanoseconds, batches } = sample([item], plan, seeded(1), { now: () => time });
    expect(batches).toEqual({ changing: 400 });
    for (const value of nanoseconds['changing']) expect(value).toBeCloseTo(1e3, 6);
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

  test('takes the times of a case with a clock elsewhere, and waits for them', async () => {
    const { cases, now } = synthetic({ here: 0.1 });
    const there: Case = {
      id: 'there',
      run: () => expect.unreachable(),
      time: (count) => Promise.resolve(0.02 * count),
    };
    const { nanoseconds, batches } = await sampleInTurns([...cases, there], plan, seeded(1), { now });
    for (const value of nanoseconds['there']) expect(value).toBeCloseTo(20e3, 6);
    expect(batches).toEqual({ here: 4, there: 20 });
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

describe('sampleInTurns', () => {
  test('awaits operations one after the other, and times them', async () => {
    const { now, wait } = synthetic({});
    let running = 0;
    const item: Case = {
      id: 'awaited',
      asynchronous: true,
      async run() {
        expect(++running).toBe(1);
        await Promise.resolve();
        wait(0.05);
        running--;
      },
    };
    const { nanoseconds, batches } = await sampleInTurns([item], plan, seeded(1), { now });
    expect(batches).toEqual({ awaited: 8 });
    for (const value of nanoseconds['awaited']) expect(value).toBeCloseTo(50e3, 6);
    expect(() => sample([item], plan, seeded(1), { now })).toThrow(TypeError);
  });

  test('gives the same as without breaks', async () => {
    const costs = { short: 0.001, long: 0.25, longer: 5 };
    const [one, other] = [synthetic(costs), synthetic(costs)];
    const withBreaks = await sampleInTurns(one.cases, plan, seeded(3), { now: one.now });
    expect(withBreaks).toEqual(sample(other.cases, plan, seeded(3), { now: other.now }));
    expect(one.order).toEqual(other.order);
  });

  test('takes breaks between batches, and stops when it is told to', async () => {
    const { cases, now } = synthetic({ a: 0.1, b: 0.1 });
    const stop = new AbortController();
    let breaks = 0;
    const breathe = async () => {
      if (++breaks === 25) stop.abort(new Error('enough'));
      await Promise.resolve();
    };
    await expect(sampleInTurns(cases, plan, seeded(1), { now, breathe, signal: stop.signal })).rejects.toThrow(
      'enough',
    );
    expect(breaks).toBe(25);
  });
});

describe('warming up', () => {
  /** Operations that a compiler makes ten times as fast after a given number of them. */
  function compiled(after: number) {
    let time = 0;
    let runs = 0;
    const item: Case = { id: 'a', run: () => void (time += ++runs > after ? 0.001 : 0.01) };
    return { item, now: () => time };
  }

  test('goes on while a case gets faster', () => {
    // 10 ms of the slow operations are 1000 operations, when throughput is not yet flat.
    const { item, now } = compiled(1100);
    const { nanoseconds, batches } = sample([item], plan, seeded(1), { now });
    expect(batches['a']).toBe(400);
    for (const value of nanoseconds['a']) expect(value).toBeCloseTo(1000, 6);
  });

  test('goes on until enough has run for a compiler, though speed is flat, but not for ever', () => {
    // Flat after 10 ms and 1000 operations, compiled after 5000.
    const patient = compiled(5000);
    const { nanoseconds } = sample([{ ...patient.item, least: 5100 }], plan, seeded(1), { now: patient.now });
    for (const value of nanoseconds['a']) expect(value).toBeCloseTo(1000, 6);
    const hasty = compiled(5000);
    const first = sample([hasty.item], plan, seeded(1), { now: hasty.now }).nanoseconds['a'][0];
    expect(first).toBeCloseTo(10_000, 6);
    // Eight times the 10 ms of the plan are 8000 operations.
    const slow = compiled(20_000);
    let warm: number | undefined;
    const onRound = () => void (warm ??= slow.now());
    sample([{ ...slow.item, least: 1e9 }], plan, seeded(1), { now: slow.now, onRound });
    expect(warm).toBeGreaterThan(80);
    expect(warm).toBeLessThan(90);
  });

  test('ends at some time, though a case gets faster without end', () => {
    let time = 0;
    let warm: number | undefined;
    const item: Case = { id: 'a', run: () => void (time += 0.01 * 0.9 ** time) };
    const onRound = () => void (warm ??= time);
    sample([item], plan, seeded(1), { now: () => time, onRound });
    // Three times the 10 ms of the plan, and the cost of calibration.
    expect(warm).toBeGreaterThan(30);
    expect(warm).toBeLessThan(36);
  });

  test('is short for hot cases, and not needed for cases with a count', () => {
    const runs = { hot: 0, counted: 0 };
    let time = 0;
    const step = (id: keyof typeof runs) => () => {
      runs[id]++;
      time += 0.01;
    };
    const cases: Case[] = [
      { id: 'hot', hot: true, run: step('hot') },
      { id: 'counted', count: 7, run: step('counted') },
    ];
    const one = { ...plan, warmUpMilliseconds: 1000, rounds: [1, 1] } as const;
    const { batches } = sample(cases, one, seeded(1), { now: () => time });
    expect(batches).toEqual({ hot: 40, counted: 7 });
    // One round of 40 and one operation before it; before that, doubling up to half a batch, and twice that.
    expect(runs.hot).toBeLessThan(41 + 140);
    expect(runs.counted).toBe(8);
  });

  test('an operation that is longer than a batch is done once', () => {
    const { cases, now } = synthetic({ long: 30 });
    const hot = cases.map((item) => ({ ...item, hot: true }));
    expect(sample(hot, plan, seeded(1), { now }).batches).toEqual({ long: 1 });
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

  test('bytes are as many as asked for, and long ones repeat their beginning', () => {
    for (const length of [0, 1, 65535, 65536, 65537, 200_001]) {
      expect(randomBytes(length, seeded(1))).toHaveLength(length);
    }
    const long = randomBytes(200_001, seeded(1));
    expect(Buffer.compare(long.subarray(65536, 131072), long.subarray(0, 65536))).toBe(0);
    expect(Buffer.compare(long.subarray(196608), long.subarray(0, 3393))).toBe(0);
    expect(new Set(long.subarray(0, 65536)).size).toBe(256);
  });

  test('shuffles into every order', () => {
    const random = seeded(3);
    const orders = new Set(Array.from({ length: 200 }, () => shuffled(['a', 'b', 'c'], random).join('')));
    expect([...orders].sort()).toEqual(['abc', 'acb', 'bac', 'bca', 'cab', 'cba']);
  });
});
