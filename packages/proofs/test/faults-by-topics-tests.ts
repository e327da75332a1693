// Each fault that all claims once missed is refuted now, by every topic of claims that it names.
import { afterEach, describe, expect, it } from 'vitest';
import { takeAmounts } from '../src/claims/amounts.ts';
import { checkClaims } from '../src/claims/checks.ts';
import { Failure, type Claim } from '../src/claims/claim.ts';
import { moduleGaps } from '../src/claims/coverage.ts';
import { kernelClaims } from '../src/claims/index.ts';
import { keepingSolver } from '../src/rooms/poly1305/reduction.ts';
import { changeOf, savedClaims } from '../src/claims-golden.ts';
import { Coverage } from '../src/execute/coverage.ts';
import { Stopped } from '../src/execute/machine.ts';
import { kernelOf } from '../src/kernels.ts';
import { topicOf } from '../src/prove-report.ts';
import { faultsFoundBy } from '../src/mutations/faults.ts';
import { exceptionsOf } from '../src/rooms.ts';
import { forgetTerms } from '../src/terms/term.ts';

async function failureOf(claim: Claim): Promise<string | undefined> {
  try {
    await claim.prove();
    return undefined;
  } catch (error) {
    // A run that cannot go on shows nothing either.
    if (error instanceof Failure || error instanceof Stopped) return error.message;
    throw error;
  }
}

const faults = faultsFoundBy('topics');

const golden = savedClaims();
const COVERAGE = 'coverage';
const covered = faults.filter(({ found }) => found.topics.includes(COVERAGE));
const names = [...new Set(covered.map(({ module }) => module))];

export const coveredKernels = names;
export const SMALL = ['poly1305 scalar'];

export function testCoverage(kernels: readonly string[]): void {
  afterEach(forgetTerms);
  // All of a kernel's together, because nothing but the coverage of all claims about results tells that they are there.
  it.each(kernels)('coverage: %s', async (name) => {
    const faults = covered.filter(({ module }) => module === name);
    const kernel = faults.reduce((before, { plant }) => plant(before), kernelOf(name));
    expect(WebAssembly.validate(kernel.bytes)).toBe(true);
    const coverage = new Coverage(kernel.bytes.length);
    const claims = kernelClaims(kernel, coverage);
    const claim = claims.find((one) => topicOf(one) === COVERAGE)!;
    await keepingSolver(async () => {
      for (const result of claim.after!) {
        takeAmounts();
        expect(await failureOf(result), result.claim).toBeUndefined();
        // Nor is it that claims look at less than they did.
        expect(changeOf({ ...result, amounts: takeAmounts() }, golden), result.claim).toBeUndefined();
      }
    });
    expect(await failureOf(claim)).toMatch(/^no claim about results runs all of it/);
    // Each is a branch that always goes one way, and there are no others.
    const exceptions = exceptionsOf(name).map((gap) => gap.replace(/ \d+:.*/, ''));
    const gaps = moduleGaps(kernel, coverage).map((gap) => gap.name);
    expect(gaps.filter((gap) => !/ \d+: (if|br_if) /.test(gap))).toEqual([]);
    expect(gaps.map((gap) => gap.replace(/ \d+:.*/, '')).sort()).toEqual(
      [...exceptions, ...faults.map((fault) => fault.name)].sort(),
    );
  });
}

const others = faults.flatMap((fault) =>
  fault.found.topics.filter((topic) => topic !== COVERAGE).map((topic) => ({ ...fault, topic })),
);

export function testTopics(): void {
  afterEach(forgetTerms);
  describe.each(others)('$topic: $planted', ({ module: name, plant, topic }) => {
    const shipped = kernelOf(name);
    const kernel = plant(shipped);

    it('is refuted', async () => {
      expect(WebAssembly.validate(kernel.bytes)).toBe(true);
      let failure: string | undefined;
      for (const claim of kernelClaims(kernel).filter((one) => topicOf(one) === topic))
        failure ??= await failureOf(claim);
      expect(failure).toBeDefined();
    });
  });
}

export function testStatic(): void {
  /** The static topics besides the hash of the bytes. */
  const STATIC = ['lints', 'constant time', 'public numbers'];
  it.each(faults)(
    'the static topics say nothing else: $planted',
    async ({ module: name, plant, found: { topics } }) => {
      const claims = checkClaims(plant(kernelOf(name)));
      for (const claim of claims.filter((one) => STATIC.includes(topicOf(one)) && !topics.includes(topicOf(one))))
        expect(await failureOf(claim), claim.claim).toBeUndefined();
    },
  );
}
