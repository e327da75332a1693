/**
 * Arrays that are untrue of themselves, given to every call of the drop-in packages: the result is that of the bytes that the array
 * has, or the original's, or an error. It is never that of other bytes.
 */
import { expect, test } from 'vitest';
import { lies, lying, placesOf, turns } from './lies.ts';
import { isError } from './outcome.ts';
import { rows } from './rows.ts';

test.each(rows.filter(({ original }) => original !== undefined))('$title', async ({ run, original }) => {
  const wrong: string[] = [];
  for (let place = 0; place < (await placesOf(run)); place++) {
    const truth = await lying(run, place, undefined);
    // Our question may come before the original's own, and then that hears the change one question earlier.
    const turned = await Promise.all(turns.map((lie) => lying(original!, place, lie)));
    for (const lie of lies) {
      const found = await lying(run, place, lie);
      if (found === truth || isError(found) || found === (await lying(original!, place, lie))) continue;
      if (turns.includes(lie) && turned.includes(found)) continue;
      wrong.push(`argument ${place}, ${lie.name}: ${found.slice(0, 100)}`);
    }
  }
  expect(wrong).toEqual([]);
});
