/** What a job of a pool costs, as a program measures it in an engine. */
import { expect, test } from 'vitest';
import { chosenHosts, newestRuntimes, type Host } from '../src/scaling/hosts.ts';
import type { Costs } from '../src/scaling/programs/costs.ts';
import { UsageError } from '../src/terminal.ts';

test('engines are named by their ids; node is the newest', () => {
  const node: Host = newestRuntimes[0];
  expect(chosenHosts(newestRuntimes, ['node'])).toEqual([node]);
  expect(chosenHosts(newestRuntimes, undefined)).toEqual(newestRuntimes);
  expect(() => chosenHosts(newestRuntimes, ['opera'])).toThrow(UsageError);
});

test('the program runs in Node, with workers', async () => {
  const [node] = chosenHosts(newestRuntimes, ['node']);
  const { works, ...costs } = (await node.run('costs', { rounds: 1 })) as Costs;
  for (const [name, cost] of Object.entries(costs)) expect(cost, name).toBeGreaterThan(0);
  expect(works.map(({ name }) => name)).toEqual(['BLAKE3', 'age payload, encrypt', 'Adiantum pages']);
  for (const { one, pools } of works) for (const cost of [one, ...pools]) expect(cost).toBeGreaterThan(0);
}, 120_000);
