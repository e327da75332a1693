/**
 * Arrays that are untrue of themselves, given to every call: the result is that of the bytes that the array has, an output has it, or
 * there is an error. A drop-in package may also do what its original does. The result is never that of other bytes.
 * Here are the calls that end soon; lies.nightly.test.ts has the others.
 */
import { afterAll, expect, test } from 'vitest';
import { believed, isQuick, lies, lying, ours, placesOf, turns } from './lies.ts';
import { isError } from './outcome.ts';
import { close, rows } from './rows.ts';

afterAll(() => close());

test.each(ours.filter(isQuick))('$title', async ({ run }) => {
  expect(await believed(run)).toEqual([]);
});

test.each(rows.filter(({ original }) => original !== undefined))('$title', async ({ run, original }) => {
  const wrong: string[] = [];
  for (let place = 0; place < (await placesOf(run)).places; place++) {
    const truth = await lying(run, place, undefined);
    // Our question may come before the original's own, and then that hears the change one question earlier.
    const turned: string[] = [];
    for (const lie of turns) turned.push(await lying(original!, place, lie));
    for (const lie of lies) {
      const found = await lying(run, place, lie);
      if (found === truth || isError(found) || found === (await lying(original!, place, lie))) continue;
      if (turns.includes(lie) && turned.includes(found)) continue;
      wrong.push(`argument ${place}, ${lie.name}: ${found.slice(0, 100)}`);
    }
  }
  expect(wrong).toEqual([]);
});
