/**
 * Cost grows as the work does: four times as many pieces, calls or aborts take some four times as long, where a square would take
 * sixteen. It measures the processor's time of this process; the bar is about the shape, and far from both.
 * Here are calls that share something, as those with the defects did; cost.nightly.test.ts has all.
 */
import { expect, test } from 'vitest';
import { costs } from './cost.ts';
import { BAR, ratioOf } from './ratio.ts';

test.each(costs.filter(({ title }) => title.includes('pool')))('$title', async (cost) => {
  const ratio = await ratioOf(cost);
  expect(ratio).toBeLessThan(BAR);
});
