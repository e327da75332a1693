/**
 * A sample of the mutants that `npm run prove:full` judges: every one that the engine can tell from its original is noticed
 * by a lint, by the typing of secrets, or by a claim.
 */
import { afterAll, expect, it } from 'vitest';
import { keepingSolver } from '../src/rooms/poly1305/reduction.ts';
import type { Kernel } from '../src/kernels.ts';
import { judge } from '../src/mutations/judge.ts';
import { allFlips } from '../src/mutations/mutants.ts';
import { Random } from '../src/mutations/random.ts';
import { Tally } from '../src/mutations/tally.ts';
import { forgetTerms } from '../src/terms/term.ts';

/** Always the same mutants, so that a run judges the change that it is about; `npm run prove:full` looks for other ones. */
const seed = Number(process.env['MUTATION_SEED'] ?? 1);
/**
 * Few, because the planted faults are the tests of claims, and `npm run prove:full` judges all mutants. Claims about kernels of many
 * lanes take longer.
 */
const count = ({ form, short }: Kernel): number => (form !== 'scalar' && short !== true ? 4 : 12);

/** Kernels whose mutants are judged in a few seconds; the others' are in mutations.nightly.test.ts and mutations-blocks.nightly.test.ts. */
export const isSmall = ({ name }: Kernel): boolean => /^(chacha short|poly1305|salsa short)/.test(name);

export const isBlockCipher = ({ name }: Kernel): boolean => /^(serpent|disk)/.test(name);

export function testMutants(ofThese: readonly Kernel[]): void {
  const reports: string[] = [];
  afterAll(() => console.log([`mutants with MUTATION_SEED=${seed}`, ...reports].join('\n')));

  it.for(ofThese)('$name: no mutant that the engine notices passes', { timeout: 1_200_000 }, async (kernel) => {
    const random = new Random(seed);
    const flips = allFlips(kernel.bytes);
    const tally = new Tally();
    await keepingSolver(async () => {
      while (tally.tried < count(kernel)) {
        const flip = random.of(flips);
        tally.add(flip, await judge(kernel, flip, { calls: 4, all: false }));
      }
    });
    forgetTerms();
    reports.push(`${kernel.name}: ${tally.toString()}`);
    expect(tally.gaps, `MUTATION_SEED=${seed}`).toEqual([]);
    // Most mutants are noticed; of ten some more than usual may mean the same.
    expect(tally.of('killed')).toBeGreaterThan(tally.tried / 3);
  });
}
