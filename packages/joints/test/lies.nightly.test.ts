/** Arrays that are untrue of themselves, given to calls that take their time. lies.test.ts has the others. */
import { afterAll, expect, test } from 'vitest';
import { believed, isQuick, ours } from './lies.ts';
import { close } from './rows.ts';

afterAll(() => close());

test.each(ours.filter((row) => !isQuick(row)))(
  '$title',
  async ({ run }) => {
    expect(await believed(run)).toEqual([]);
  },
  300_000,
);
