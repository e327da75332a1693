/** The fuzzer finds failures, keeps their seeds, and repeats them. */
// Runs in Node only: about a script, which keeps files.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { fuzz, kept } from '../../scripts/fuzz-run.ts';
import { property } from '../support/properties.ts';

const folder = mkdtempSync(join(tmpdir(), 'lanewise-fuzz-'));
afterAll(() => rmSync(folder, { recursive: true }));

const numbers = fc.integer({ min: 0, max: 2000 });
const right = property('always right', 2, numbers, () => undefined);
/** Wrong so rarely that not every seed finds it. */
const wrong = (at: number) =>
  property('seldom wrong', 3, numbers, (n) => {
    if (n === at) throw new Error(`${n} is wrong`);
  });

const times =
  (count: number): (() => boolean) =>
  () =>
    count-- > 0;

test('a failure is told, kept with its seed, tried again, and forgotten once it is mended', () => {
  const file = join(folder, 'nested', 'failures.json');
  const lines: string[] = [];
  const plan = { seed: 1, file, tell: (line: string) => lines.push(line) };
  const first = fuzz({ ...plan, properties: [right, wrong(1234)], more: times(200) });
  expect(first.cases).toBe(200 * 20 * 5);
  expect(first.failures.length).toBeGreaterThan(0);
  expect(first.failures.length).toBeLessThan(200);
  expect(new Set(first.failures.map(({ property: name }) => name))).toEqual(new Set(['seldom wrong']));
  expect(first.failures[0].message).toContain('1234 is wrong');
  expect(lines.filter((line) => line.startsWith('FAILED seldom wrong'))).toHaveLength(first.failures.length);
  expect(lines.some((line) => /^\d+ cases, \d+ a second, seed \d+, \d+ failures$/.test(line))).toBe(true);
  expect(kept(file)).toEqual(first.failures);

  // The same seeds fail again, with no time for others; another property's leave them alone.
  const again = fuzz({ ...plan, properties: [right, wrong(1234)], more: times(0) });
  expect(again.failures.map(({ seed }) => seed)).toEqual(first.failures.map(({ seed }) => seed));
  expect(fuzz({ ...plan, properties: [right], more: times(3) }).failures).toEqual([]);
  expect(kept(file)).toEqual(again.failures);

  const mended = fuzz({ ...plan, properties: [right, wrong(-1)], more: times(0) });
  expect(mended.failures).toEqual([]);
  expect(kept(file)).toEqual([]);
});

test('a seed gives the same cases each time', () => {
  const seen = (): number[] => {
    const values: number[] = [];
    property('notes', 1, numbers, (n) => void values.push(n)).run(50, 99);
    return values;
  };
  expect(seen()).toEqual(seen());
  expect(new Set(seen()).size).toBeGreaterThan(20);
});
