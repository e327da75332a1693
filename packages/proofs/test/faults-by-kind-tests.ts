// Every kind of claims finds a fault that no other kind finds. To see that, each kind is put to two damaged kernels: to one
// that has its own fault, and to one that has those of all others.
import { afterEach, describe, expect, it } from 'vitest';
import { Failure, type Claim } from '../src/claims/claim.ts';
import { kernelClaims } from '../src/claims/index.ts';
import { keepingSolver } from '../src/rooms/poly1305/reduction.ts';
import { Stopped } from '../src/execute/machine.ts';
import { kernelOf, type Kernel } from '../src/kernels.ts';
import { faultsFoundBy, kindOf, UNSPECIFIC } from '../src/mutations/faults.ts';
import type { Plant } from '../src/mutations/plant.ts';
import { forgetTerms } from '../src/terms/term.ts';

const claimsOf = (kernel: Kernel, kind: string): Claim[] =>
  kernelClaims(kernel).filter((claim) => kindOf(claim) === kind);

async function failureOf(claim: Claim): Promise<string | undefined> {
  try {
    for (const other of claim.after ?? []) await other.prove();
    await claim.prove();
    return undefined;
  } catch (error) {
    if (error instanceof Failure || error instanceof Stopped) return error.message;
    throw error;
  }
}

const all = faultsFoundBy('kind');
/** The kernels with such faults. */
export const names = [...new Set(all.map(({ module }) => module))];

/** Defines the tests of these kernels' faults. */
export function testKinds(chosen: readonly string[]): void {
  afterEach(forgetTerms);
  describe.each(chosen)('%s', (name) => {
    const faults = all.filter(({ module }) => module === name);
    const shipped = kernelOf(name);
    const planted = (plants: readonly Plant[]): Kernel => {
      const kernel = plants.reduce((before, plant) => plant(before), shipped);
      expect(WebAssembly.validate(kernel.bytes)).toBe(true);
      return kernel;
    };

    it.each(faults)('$found.kind find their fault', async ({ found: { kind }, plant }) => {
      let failure: string | undefined;
      await keepingSolver(async () => {
        for (const claim of claimsOf(planted([plant]), kind)) failure ??= await failureOf(claim);
      });
      expect(failure).toBeDefined();
    });

    const specific = faults.filter(({ found }) => !UNSPECIFIC.includes(found.kind));
    it.each(specific)('$found.kind find no other', async ({ found: { kind } }) => {
      const others = faults.flatMap(({ found, plant }) => (found.kind === kind ? [] : [plant]));
      await keepingSolver(async () => {
        for (const claim of claimsOf(planted(others), kind))
          expect(await failureOf(claim), claim.claim).toBeUndefined();
      });
    });
  });
}

/** Kernels whose rows take a second or two; the others' are in faults-by-kind.nightly.test.ts. */
export const SMALL = ['poly1305 scalar'];
