/**
 * Memory that the caller transfers, shrinks or grows while a call is under way: the result is that of the bytes as they were at the
 * call, or there is an error of ours. It is never that of other bytes, and never silence.
 */
import { afterAll, expect, test } from 'vitest';
import { goesOn, wrongAfterwards, wrongAtOptions } from './lengths-wrong.ts';
import { close, rows } from './rows.ts';
import { asynchronous } from './rows/lanewise.ts';

afterAll(() => close());

test.each(rows.filter(goesOn))('$title, as it goes on', async (row) => {
  const wrong = await wrongAfterwards(row, [
    ...[0, 1, 2, 4].map((turns) => ({ turns })),
    ...[0, 1, 2].map((asked) => ({ asked })),
  ]);
  expect(wrong).toEqual([]);
});

test.each(asynchronous)('$title, when options are read', async (row) => {
  const wrong = await wrongAtOptions(row);
  expect(wrong).toEqual([]);
});
