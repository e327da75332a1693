/** Measurements of pools that are no contests: the programs, and what is computed from their results. */
import { expect, test } from 'vitest';
import { chosenHosts, newestRuntimes, type Host } from '../src/threads/hosts.ts';
import type { SizeRow, SwitchingResult } from '../src/threads/programs/switching.ts';
import { stallRows } from '../src/threads/stalls.ts';
import { paysFrom, slowerRows } from '../src/threads/switching.ts';
import { UsageError } from '../src/terminal.ts';

const row = (bytes: number, warm: number, handedOver: number): SizeRow => ({
  work: 'BLAKE3',
  bytes,
  one: [1],
  warm: [9, warm, 0],
  warmHandedOver: [9, handedOver, 0],
  cold: [1],
  coldHandedOver: [2],
});

test('handing over pays from the length on from which it never takes longer', () => {
  const rows = [row(4, 1, 0.7), row(1, 1, 1.5), row(2, 1, 0.9), row(8, 1, 0.6), row(3, 1, 1.02)];
  expect(paysFrom(rows, 'warmHandedOver')).toBe(4);
  expect(paysFrom(rows, 'coldHandedOver')).toBeUndefined();
});

test('a pool is slower where its median exceeds that of one thread by more than 5 %', () => {
  const rows = [row(1, 1.05, 2), row(2, 1.06, 2), { ...row(3, 1, 2), cold: [1.2] }];
  expect(slowerRows(rows).map(({ bytes }) => bytes)).toEqual([2, 3]);
});

test('stalls are shown by their median and the longest', () => {
  const rows = [
    { source: 'memory', way: 'pool, 2', megabytesPerSecond: [100, 300, 200], longest: [3, 25, 4], long: 1 },
  ];
  expect(stallRows({ cores: 2, rows, missing: [] } as Parameters<typeof stallRows>[0])).toEqual([
    ['memory', 'pool, 2', '200', '4.0', '25.0', '1'],
  ]);
});

test('engines are named by their ids; node is the newest', () => {
  const node: Host = newestRuntimes[0];
  expect(chosenHosts(newestRuntimes, ['node'])).toEqual([node]);
  expect(chosenHosts(newestRuntimes, undefined)).toEqual(newestRuntimes);
  expect(() => chosenHosts(newestRuntimes, ['opera'])).toThrow(UsageError);
});

test('a program runs in Node, with workers: a pool without thresholds starts them for two parts', async () => {
  const [node] = chosenHosts(newestRuntimes, ['node']);
  const { threads, rows } = (await node.run('switching', { rounds: 1, only: 'Adiantum' })) as SwitchingResult;
  expect(threads).toBeGreaterThan(0);
  expect(rows.map(({ bytes }) => bytes)).toEqual(Array.from({ length: 11 }, (_, i) => 2 ** (16 + i)));
  for (const { one, warm, warmHandedOver, cold, coldHandedOver } of rows)
    for (const times of [one, warm, warmHandedOver, cold, coldHandedOver]) {
      expect(times).toHaveLength(1);
      expect(times[0]).toBeGreaterThan(0);
    }
}, 120_000);
