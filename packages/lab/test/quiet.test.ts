/** A neighbour on the same core: its rounds are told from quiet ones, from the sampler to the figures. */
import { describe, expect, test } from 'vitest';
import { probeOf, RecentCycle } from '../src/client/probe.ts';
import { seeded } from '../src/client/random.ts';
import { sample, sampleInTurns, type Case, type Plan } from '../src/client/sampler.ts';
import { median } from '../src/results/medians.ts';
import { bestOf, sorted, statesOf, tallyOf, together, type CoreState } from '../src/results/quiet.ts';
import { decodeProbes, encodeProbes } from '../src/results/samples.ts';
import { middle } from '../src/results/statistics.ts';
import { viewOf } from '../src/results/view.ts';
import { contest, PLAN, resultIn, type World } from './quiet-synthetic.ts';

function figuresIn(world: World) {
  const view = viewOf(resultIn(world));
  const [engine] = view.engines;
  return {
    ratio: view.sortedRatios(engine, contest.id, 'rival', 'ours'),
    ours: view.case(engine, contest.id, 'ours')!,
  };
}

describe('a neighbour that slows contestants differently', () => {
  test('half of the time: figures are of quiet rounds, and the busy ones are reported', () => {
    const { ratio, ours } = figuresIn({ busy: 0.5 });
    expect([ratio.basis, ours.sorted.basis]).toEqual(['quiet', 'quiet']);
    // The median of all rounds is anywhere between the two.
    expect(middle(ratio.chosen)).toBeCloseTo(3, 2);
    expect(median(ratio.chosen.flat().map((value) => Math.abs(value - 3)))).toBeLessThan(0.01);
    expect(Math.max(...ratio.chosen.flat())).toBeLessThan(3.1);
    expect(Math.min(...ratio.chosen.flat())).toBeGreaterThan(2.8);
    expect(middle(ratio.busy)).toBeCloseTo((3 * 1.05) / 1.3, 2);
    expect(middle(ours.nanoseconds) / 1000).toBeCloseTo(1, 2);
    expect(middle(ours.sorted.busy) / 1000).toBeCloseTo(1.3, 2);
    const { rounds, quiet, busy } = ratio.tally;
    expect(rounds).toBe(160);
    expect(quiet).toBeGreaterThan(30);
    expect(busy).toBeGreaterThan(30);
    expect(quiet + busy).toBeLessThan(rounds);
  });

  test('without probes the same rounds give another ratio, and nobody knows why', () => {
    const { ratio } = figuresIn({ busy: 0.6, blind: true });
    expect(ratio.basis).toBe('unknown');
    expect(ratio.chosen.flat()).toHaveLength(160);
    expect(Math.abs(middle(ratio.chosen) - 3)).toBeGreaterThan(0.1);
    expect(Math.abs(middle(figuresIn({ busy: 0.6 }).ratio.chosen) - 3)).toBeLessThan(0.02);
  });

  test('nearly always: too few rounds are quiet, so that all count, and the result says so', () => {
    const { ratio } = figuresIn({ busy: 0.97 });
    expect(ratio.basis).toBe('all');
    expect(ratio.chosen).toEqual(ratio.all);
    expect(ratio.tally.quiet).toBeGreaterThan(0);
    expect(ratio.tally.busy).toBeGreaterThan(100);
    expect(middle(ratio.chosen)).toBeCloseTo((3 * 1.05) / 1.3, 1);
  });

  test('never: all rounds are quiet', () => {
    const { ratio } = figuresIn({ busy: 0 });
    expect(ratio.basis).toBe('quiet');
    expect(ratio.tally).toEqual({ rounds: 160, quiet: 160, busy: 0 });
  });

  test('a lower clock rate is no neighbour', () => {
    const { ratio } = figuresIn({ busy: 0, rates: [1, 0.8, 1, 0.7] });
    expect(ratio.tally).toEqual({ rounds: 160, quiet: 160, busy: 0 });
    expect(ratio.chosen).toHaveLength(4);
  });
});

describe('the probe of the sampler', () => {
  /** A clock of operations, and the order in which they ran. */
  function clocked() {
    const order: string[] = [];
    let time = 0;
    const step = (name: string, milliseconds: number) => (): void => {
      order.push(name);
      time += milliseconds;
    };
    return { order, now: () => time, step };
  }
  const plan: Plan = { ...PLAN, rounds: [1, 1] };

  test('runs before and after each batch, once between two, and is no part of their times', () => {
    const { order, now, step } = clocked();
    const cases = ['a', 'b'].map((id): Case => ({ id, count: 2, run: step(id, 1) }));
    const found = sample(cases, plan, seeded(1), { now, probe: { pass: step('probe', 0.01), passes: 2 } });
    const [first, second] = order.includes('a') && order.indexOf('a') < order.indexOf('b') ? ['a', 'b'] : ['b', 'a'];
    const around = ['probe', 'probe', 'probe'];
    // One call and one pass of each are not timed.
    expect(order).toEqual([...around, first, first, first, ...around, second, second, second, ...around]);
    for (const id of ['a', 'b']) {
      expect(found.nanoseconds[id][0]).toBeCloseTo(1e6, 3);
      expect(found.probes![id]).toHaveLength(2);
      for (const value of found.probes![id]) expect(value).toBeCloseTo(1e4, 3);
    }
  });

  test('runs again before a batch that follows a break, and always before the break', async () => {
    const { order, now, step } = clocked();
    const timer: Case = { id: 'elsewhere', count: 1, run: () => undefined, time: () => Promise.resolve(1) };
    const awaited: Case = {
      id: 'awaited',
      count: 1,
      asynchronous: true,
      run: async () => {
        step('awaited', 1)();
        await Promise.resolve();
      },
    };
    await sampleInTurns([timer, awaited], plan, seeded(1), {
      now,
      probe: { pass: step('probe', 0.01), passes: 1 },
      breathe: async () => {
        step('break', 1)();
        await Promise.resolve();
      },
    });
    const both = ['probe', 'probe'];
    const batches = order
      .join(' ')
      .split(' break')
      .map((text) => text.trim().split(' ').filter(Boolean));
    expect(batches.at(-1)).toEqual([]);
    expect(batches.slice(0, -1).toSorted((a, b) => a.length - b.length)).toEqual([
      [...both, ...both],
      [...both, 'awaited', ...both],
    ]);
  });

  test('is as long as the clock needs', () => {
    const pass = (): void => undefined;
    expect(probeOf(pass, 0.005, 1e-4).passes).toBe(4);
    expect(probeOf(pass, 0.005, 0.1).passes).toBe(320);
    expect(probeOf(pass, 3, 1e-4).passes).toBe(1);
  });
});

test('the cycle is the least of the last five contests, because interruptions only lengthen it', () => {
  const recent = new RecentCycle();
  expect(recent.after([0.25, 0.4])).toBe(0.25);
  expect([1, 2, 3, 4].map(() => recent.after([0.3, 0.28]))).toEqual([0.25, 0.25, 0.25, 0.25]);
  expect(recent.after([0.3, 0.28])).toBe(0.28);
});

describe('states of the core', () => {
  const probes = (...values: number[]) => ({ times: new Map([['x', values]]), step: 0 });

  test('are quiet up to 6 % above the best, busy from 18 % on, on both sides of a sample', () => {
    const pairs = [1, 1.06, 1, 1.07, 1.07, 1, 1.17, 1.17, 1.18, 1.4, 1, 1.4];
    expect(statesOf(probes(...pairs), 'x', 1)).toEqual(['quiet', 'between', 'between', 'between', 'busy', 'between']);
  });

  test('allow for a step of the clock', () => {
    // With 16 steps, the best may be 15, and a quiet core 17; a busy one takes 16 · 1.3 and reads 20 or more.
    expect(statesOf({ ...probes(15, 17, 20, 22, 19, 19), step: 1 }, 'x', 15)).toEqual(['quiet', 'busy', 'between']);
  });

  test('have the best of all contests, but not of a single reading', () => {
    const many = Array.from({ length: 400 }, (_, i) => (i === 7 ? 0.1 : i < 100 ? 1 : 1.4));
    expect(bestOf([probes(...many.slice(0, 200)), probes(...many.slice(200))])).toBe(1);
    expect(bestOf([])).toBeUndefined();
  });

  test('of two contestants must agree', () => {
    expect(together(['quiet', 'busy', 'quiet'], ['quiet', 'busy', 'busy'])).toEqual(['quiet', 'busy', 'between']);
  });

  test('choose quiet rounds from three in each of two processes on', () => {
    const rounds = (states: CoreState[]) => ({ values: states.map((state) => (state === 'quiet' ? 1 : 2)), states });
    const quiet = rounds(['quiet', 'busy', 'quiet', 'quiet']);
    const less = rounds(['quiet', 'busy', 'quiet', 'between']);
    expect(sorted([quiet, quiet, less])).toMatchObject({
      basis: 'quiet',
      chosen: [
        [1, 1, 1],
        [1, 1, 1],
      ],
      busy: [[2], [2], [2]],
    });
    expect(sorted([quiet, less, less])).toMatchObject({ basis: 'all', tally: { rounds: 12, quiet: 7, busy: 3 } });
    // A run of a single process has no other.
    expect(sorted([quiet])).toMatchObject({ basis: 'quiet', chosen: [[1, 1, 1]] });
    expect(tallyOf([['quiet', 'between'], ['busy']])).toEqual({ rounds: 3, quiet: 1, busy: 1 });
  });
});

test('probes are stored to half a percent, up to four times the least', () => {
  const values = Array.from({ length: 290 }, (_, i) => 17 * (1 + i / 100));
  const back = decodeProbes(encodeProbes(values, 17), 17);
  expect(Math.max(...back.map((value, i) => Math.abs(value / values[i] - 1)))).toBeLessThan(0.0028);
  const [far] = decodeProbes(encodeProbes([1700], 17), 17);
  expect(far / 17).toBeGreaterThan(3.9);
});
