/** The parts of the benchmark that don't depend on times. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { report } from '../scripts/rounds.ts';
import { casesOf, speedtest1 } from '../scripts/speedtest1.ts';

test('the cases of the script that speedtest1 writes', () => {
  const script = [
    'PRAGMA threads=0;',
    '-- begin test 100 2 INSERTs into table with no index',
    'BEGIN;',
    "INSERT INTO z1 VALUES(1,'one -- end');",
    'COMMIT;',
    '-- end test 100',
    '-- begin test 990 ANALYZE',
    'ANALYZE;',
    '-- end test 990',
    '',
  ].join('\n');
  expect(casesOf(script)).toEqual([
    ['settings', 'PRAGMA threads=0;\n'],
    ['100 2 INSERTs into table with no index', "BEGIN;\nINSERT INTO z1 VALUES(1,'one -- end');\nCOMMIT;\n"],
    ['990 ANALYZE', 'ANALYZE;\n'],
  ]);
});

test('a source of speedtest1 that is missing is an error that says how to give it', () => {
  const source = join(import.meta.dirname, 'missing.c');
  expect(() => speedtest1(1, source)).toThrow(
    `speedtest1: there is no file ${source}: give the file test/speedtest1.c of SQLite by --source FILE`,
  );
});

test('ratios are those of rounds: their median and quartiles, not the ratio of medians', () => {
  const plain = [[1, 1], [2, 2], [10, 10], [1, 1], [1, 1]]; // prettier-ignore
  const encrypted = [[2, 1], [4, 6], [10, 15], [1, 1], [3, 3]]; // prettier-ignore
  expect(report({ plain, encrypted }, ['plain', 'absent'], ['first', 'second'])).toEqual([
    'plain                    2 ms  ÷ plain 1.00 (1.00 to 1.00)',
    'encrypted                6 ms  ÷ plain 1.50 (1.25 to 2.50)',
    `${'first'.padEnd(62)}     1.0     3.0`,
    `${'second'.padEnd(62)}     1.0     3.0`,
  ]);
});
