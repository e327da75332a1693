/**
 * Properties as tests: `cases` random cases in all, different ones each time; the seed that is printed repeats them. Each browser
 * draws a part of them.
 */
import { expect, test } from 'vitest';
import type { Property } from './properties.ts';

const seed = Number(process.env['LANEWISE_SEED'] ?? Date.now() % 2 ** 31);

const part = Number(process.env['LANEWISE_RANDOM_CASES'] ?? 1);

export function testProperties(properties: readonly Property[], cases: number): void {
  console.log(`properties: LANEWISE_SEED=${seed}`);
  const shares = properties.reduce((sum, { share }) => sum + share, 0);
  test.each(properties)('$name', ({ share, run }) => {
    const count = Math.ceil((part * cases * share) / shares);
    run(count, seed);
    expect(count).toBeGreaterThan(0);
  });
}
