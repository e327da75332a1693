/** Calls of many jobs never write the caller's memory either, in whatever form it is: see memory.test.ts. */
import { afterAll, expect, test } from 'vitest';
import { forms, inTheMidst } from './memories.ts';
import { close } from './rows.ts';
import { asynchronous } from './rows/lanewise.ts';
import { watching } from './watching.ts';

afterAll(() => close());

test.each(asynchronous)('$title', async (row) => {
  const { count } = await watching(row, inTheMidst, 0);
  for (let place = 0; place < count; place++)
    for (const form of forms) {
      const { written, outcome } = await watching(row, form, place);
      expect(written, `argument ${place}, ${form.name}: ${outcome}`).toEqual([]);
    }
});
