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

/** Calls of many jobs take their time: memory.long.test.ts has them in every form. */
const quick = rows.filter((row) => !asynchronous.includes(row));

test.each(quick)('$title', async (row) => {
  const { count, written } = await watching(row, inTheMidst, 0);
  expect(written).toEqual([]);
  for (let place = 0; place < count; place++)
    for (const form of forms) {
      const call = await watching(row, form, place);
      // What the original refuses is the original's matter: it may have written to the output by then.
      const its = row.original && (await watching({ ...row, run: row.original }, form, place)).written;
      if (its && its.join() === call.written.join()) continue;
      expect(call.written, `argument ${place}, ${form.name}: ${call.outcome}`).toEqual([]);
    }
});

test.each(asynchronous)('$title', async (row) => {
  expect((await watching(row, inTheMidst, 0)).written).toEqual([]);
});
