import { expect, test } from 'vitest';
import { contests } from '../src/contests.ts';
import { figures, isMet, ratioOf, type Figure } from '../src/figures.ts';
import type { Measurements } from '../src/measure.ts';
import { seeded } from '../src/client/random.ts';
import { figureCells, rowOf, verdictOf } from '../src/rows.ts';

const result = (nanoseconds: Record<string, number[]>) => ({
  nanoseconds,
  batches: {},
  bytes: {},
  faults: [],
  unavailable: [],
});

const nothing: Measurements = {
  contests: {},
  failed: {},
  cold: {},
  generated: [],
  used: [],
  bundleBytes: {},
  problems: [],
};

const figure: Figure = {
  what: 'a ÷ b',
  unit: '×',
  target: { atLeast: 2 },
  source: { kind: 'ratio', contest: 'contest', over: ['b', 'c'], under: 'a' },
};

test('every figure names a contest and cases that exist', () => {
  const cases = Object.fromEntries(
    contests.map((contest) => [contest.id, contest.cases(seeded(1)).map(({ id }) => id)]),
  );
  for (const { source, what } of figures) {
    if (source.kind !== 'ratio') continue;
    for (const id of [source.under, ...source.over]) expect(cases[source.contest], what).toContain(id);
  }
  expect(new Set(figures.map(({ what }) => what)).size).toBe(figures.length);
});

test('every case of every contest gives the right answer', () => {
  for (const contest of contests) {
    for (const item of contest.cases(seeded(2))) {
      if (item.unavailable === undefined) expect(item.fault(), `${contest.id}: ${item.id}`).toBeUndefined();
    }
  }
});

test('of several cases the quickest counts', () => {
  const nanoseconds = { a: [1, 1, 1], b: [3, 3, 3], c: [2.5, 2.5, 9] };
  expect(ratioOf({ kind: 'ratio', contest: 'contest', over: ['b', 'c'], under: 'a' }, nanoseconds)).toEqual({
    value: 2.5,
    over: 'c',
  });
});

test('a row is the median over processes, with the least and the most', () => {
  const measurements: Measurements = {
    ...nothing,
    contests: { contest: [2, 2.2, 1.5].map((ratio) => result({ a: [1], b: [ratio] })) },
  };
  const row = rowOf(figure, measurements);
  expect(row.measured).toEqual({ median: 2, least: 1.5, most: 2.2 });
  expect(verdictOf(row)).toBe('met');
  expect(figureCells(row)).toEqual(['a ÷ b (b)', '≥ 2 ×', '2.00 ×', '1.50..2.20', 'met']);
  expect(verdictOf(rowOf({ ...figure, target: { atMost: 1.9 } }, measurements))).toBe('missed');
});

test('what was disqualified is not measured', () => {
  const row = rowOf(figure, { ...nothing, contests: { contest: [result({ b: [1] })] } });
  expect(verdictOf(row)).toBe('not measured');
  expect(figureCells(row)[2]).toBe('-');
});

test('a row tells why it is empty', () => {
  const unavailable = [{ contestant: 'b', reason: 'no cargo' }];
  const without = rowOf(figure, { ...nothing, contests: { contest: [{ ...result({ a: [1] }), unavailable }] } });
  expect(figureCells({ ...without }).at(-1)).toBe('not measured: no cargo');
  const failed = rowOf(figure, { ...nothing, failed: { contest: 'no Bun' } });
  expect(figureCells(failed).at(-1)).toBe('not measured: no Bun');
});

test('bytes are shown in thousands, of bundles and of modules', () => {
  const compiled = { import: 0, short: 9000, long: 40_000 };
  const measurements: Measurements = {
    ...nothing,
    generated: [{ bytes: 31_000, milliseconds: 2 }],
    used: [{ compiled, first: { short: 4, long: 8 } }],
    bundleBytes: { program: 8765 },
  };
  const value = (source: Figure['source']) => rowOf({ what: '', unit: 'KB', source }, measurements).measured?.median;
  expect(value({ kind: 'bundle', code: 'program' })).toBe(8.765);
  expect(value({ kind: 'bundle', code: 'another' })).toBeUndefined();
  expect(value({ kind: 'module', part: 'bytes' })).toBe(31);
  expect(value({ kind: 'module', part: 'milliseconds' })).toBe(2);
  expect(value({ kind: 'module', part: 'after long' })).toBe(40);
  expect(value({ kind: 'module', part: 'first short' })).toBe(4);
});

test('targets include their bound', () => {
  expect(isMet({ atLeast: 1 }, 1)).toBe(true);
  expect(isMet({ atLeast: 1 }, 0.999)).toBe(false);
  expect(isMet({ atMost: 5 }, 5)).toBe(true);
  expect(isMet({ atMost: 5 }, 5.01)).toBe(false);
});
