/** The same as pollution.test.ts with a value of another type, which is right for other options, and in other prototypes. */
import { expect, test } from 'vitest';
import { differences, NAMES } from './pollution.ts';

test('all names, as a number', async () => {
  expect(await differences(NAMES, 7, [Object.prototype])).toEqual([]);
});

test('all names in Array.prototype and Function.prototype', async () => {
  expect(await differences(NAMES, 7, [Array.prototype, Function.prototype])).toEqual([]);
});
