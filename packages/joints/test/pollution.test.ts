/**
 * Object.prototype has the names of options, as a careless library may leave it: no call reads them from there. The names are those of
 * all optional properties that the packages declare, so that a new option is here, too. pollution.long.test.ts has other values and prototypes.
 */
import { expect, test } from 'vitest';
import { differences, NAMES, random } from './pollution.ts';
import { rows } from './rows.ts';

test('names of options are found', () => {
  expect(NAMES).toEqual(
    expect.arrayContaining([
      'armor',
      'signal',
      'onProgress',
      'maxLength',
      'to',
      'dkLen',
      'offset',
      'pool',
      'leafBytes',
    ]),
  );
  expect(random.size).toBeLessThan(rows.length / 8);
});

test('all names', async () => {
  expect(await differences(NAMES, true, [Object.prototype])).toEqual([]);
});
