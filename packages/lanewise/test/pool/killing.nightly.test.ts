/** 200 runs of work whose workers are killed at random. */
import { expect, it } from 'vitest';
import { killAtRandom } from '../support/pool/killing.ts';

it('200 runs', async () => {
  const seen = await killAtRandom(200, Date.now() % 2 ** 31);
  console.log(seen);
  expect(seen.right + seen.failed).toBe(200);
  expect(seen.right).toBeGreaterThan(100);
  expect(seen.killed).toBeGreaterThan(100);
});
