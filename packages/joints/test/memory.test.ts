/**
 * No call writes the caller's memory, but for the output that it was given, and that only if it succeeds: whatever is wrong with the
 * arguments, and whatever an array says of itself.
 */
import { afterAll, expect, test } from 'vitest';
import { forms, inTheMidst } from './memories.ts';
import { close, rows } from './rows.ts';
import { asynchronous } from './rows/lanewise.ts';
import { watching } from './watching.ts';

afterAll(() => close());

/** Calls of many jobs, and calls beside an original, take their time: memory.nightly.test.ts has them in every form. */
const [slow, quick] = [true, false].map((are) =>
  rows.filter((row) => (asynchronous.includes(row) || row.original !== undefined) === are),
);

test.each(quick)('$title', async (row) => {
  const { count, written } = await watching(row, inTheMidst, 0);
  expect(written).toEqual([]);
  for (let place = 0; place < count; place++)
    for (const form of forms) {
      const call = await watching(row, form, place);
      expect(call.written, `argument ${place}, ${form.name}: ${call.outcome}`).toEqual([]);
    }
});

test.each(slow)('$title', async (row) => {
  expect((await watching(row, inTheMidst, 0)).written).toEqual([]);
});
