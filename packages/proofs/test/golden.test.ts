import { expect, it } from 'vitest';
import { currentGolden, savedGolden } from '../src/golden.ts';

it('golden.json tells the SHA-256 of every kernel; if the change is meant, `npm run golden`', () => {
  expect(currentGolden()).toEqual(savedGolden());
});

it('no two kernels have the same bytes', () => {
  const digests = Object.values(currentGolden()).map((golden) => golden.sha256);
  expect(new Set(digests).size).toBe(digests.length);
});
