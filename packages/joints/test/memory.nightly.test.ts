/** Calls of many jobs, and calls beside an original, never write the caller's memory either, in whatever form it is: see memory.test.ts. */
import { afterAll, expect, test } from 'vitest';
import { forms, inTheMidst } from './memories.ts';
import { close, rows } from './rows.ts';
import { asynchronous } from './rows/lanewise.ts';
import { watching } from './watching.ts';

afterAll(() => close());

const slow = rows.filter((row) => asynchronous.includes(row) || row.original !== undefined);

test.each(slow)('$title', async (row) => {
  const { count } = await watching(row, inTheMidst, 0);
  for (let place = 0; place < count; place++)
    for (const form of forms) {
      const call = await watching(row, form, place);
      // A refusal of the original is the original's matter: it may have written to the output by then.
      const its = row.original && (await watching({ ...row, run: row.original }, form, place)).written;
      if (its && its.join() === call.written.join()) continue;
      expect(call.written, `argument ${place}, ${form.name}: ${call.outcome}`).toEqual([]);
    }
});
