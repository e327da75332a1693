/** What a job of a pool costs, as a program measures it in an engine. */
import { expect, test } from 'vitest';
import { engines } from '../src/engines/all.ts';
import { chosenEngines, poolEngines } from '../src/lab/field.ts';
import { resultOf } from '../src/scaling/programs.ts';
import type { Costs } from '../src/scaling/programs/costs.ts';
import { UsageError } from '../src/terminal.ts';

const newest = poolEngines(engines);

test('engines are named by their ids; node is the newest', () => {
  expect(newest.map(({ id }) => id)).toEqual(['node26', 'bun', 'deno', 'chromium', 'firefox', 'webkit']);
  expect(chosenEngines(newest, ['node'])).toEqual([newest[0]]);
  expect(chosenEngines(newest, undefined)).toEqual(newest);
  expect(() => chosenEngines(newest, ['opera'])).toThrow(UsageError);
});

test('the program runs in Node, with workers', async () => {
  const { works, ...costs } = (await resultOf(newest[0], 'costs', { rounds: 1 })) as Costs;
  for (const [name, cost] of Object.entries(costs)) expect(cost, name).toBeGreaterThan(0);
  expect(works.map(({ name }) => name)).toEqual(['BLAKE3', 'age payload, encrypt', 'Adiantum pages']);
  for (const { one, pools } of works) for (const cost of [one, ...pools]) expect(cost).toBeGreaterThan(0);
}, 120_000);
