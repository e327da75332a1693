/**
 * Memory that the caller transfers, shrinks or grows while a call is under way: the result is that of the bytes as they were at the
 * call, or there is an error of ours. It is never that of other bytes, and never silence.
 * Here are the first moments; lengths.nightly.test.ts has more.
 */
import { afterAll, expect, test } from 'vitest';
import { changes } from './lengths.ts';
import { goesOn, wrongAfterwards, wrongAtOptions } from './lengths-wrong.ts';
import { close, rows } from './rows.ts';
import { asynchronous } from './rows/lanewise.ts';

afterAll(() => close());

const few = changes.filter(({ name }) => name === 'transferred' || name === 'shrunk by half' || name === 'grown');

/** Long messages, in jobs of a pool, take their time: lengths.nightly.test.ts has them. */
const quick = rows.filter((row) => goesOn(row) && !/ by a pool$|^lanewise (Pool|scrypt)\./.test(row.title));

test.each(quick)('$title, as it goes on', async (row) => {
  const wrong = await wrongAfterwards(row, [{ turns: 0 }, { asked: 0 }], few);
  expect(wrong).toEqual([]);
});

/** A call that computes at once can see a change only where it reads an option. */
test.each(rows.filter((row) => !row.title.startsWith('cluster') && !asynchronous.includes(row)))(
  '$title, when options are read',
  async (row) => {
    const wrong = await wrongAtOptions(row);
    expect(wrong).toEqual([]);
  },
);
