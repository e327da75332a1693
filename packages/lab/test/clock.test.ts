import { expect, test } from 'vitest';
import { stepOf, timerOf } from '../src/client/clock.ts';

/** A clock that advances by `cost` with each reading, and shows only whole steps. */
function coarse(step: number, cost: number) {
  let time = 0;
  return () => Math.floor((time += cost) / step) * step;
}

test.each([
  [1, 0.01],
  [0.1, 0.0003],
  [0.005, 0.0001],
])('the step of a clock of %d ms is found', (step, cost) => {
  expect(stepOf(coarse(step, cost))).toBeCloseTo(step, 9);
});

test('of a fine clock it is the time of a reading', () => {
  expect(stepOf(coarse(1e-6, 0.0002))).toBeCloseTo(0.0002, 5);
});

test('a clock that stands still is told from a slow one', () => {
  expect(() => stepOf(() => 5)).toThrow(/the clock does not move/);
});

test('batches hold forty steps at least', () => {
  expect(timerOf(0.0002, 0.25)).toEqual({ stepMilliseconds: 0.0002, batchMilliseconds: 0.25, coarse: false });
  expect(timerOf(0.02, 0.25)).toEqual({ stepMilliseconds: 0.02, batchMilliseconds: 0.8, coarse: false });
  expect(timerOf(0.1, 0.25)).toEqual({ stepMilliseconds: 0.1, batchMilliseconds: 4, coarse: true });
  expect(timerOf(1, 0.25)).toEqual({ stepMilliseconds: 1, batchMilliseconds: 40, coarse: true });
});
