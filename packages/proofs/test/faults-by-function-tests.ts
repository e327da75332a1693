/**
 * Tests that leaks and faults planted in real kernels are found: leaks by the executor (and by the typing,
 * constant-time.test.ts), faults by claims.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { typeModule } from '../src/constant-time/typing.ts';
import type { Kernel } from '../src/kernels.ts';
import { lint } from '../src/lints/lint.ts';
import { claimsAbout } from '../src/mutations/claims.ts';
import { plantedIn, type FoundBy } from '../src/mutations/faults.ts';
import { plantedLeaks } from '../src/mutations/leaks.ts';
import { forgetTerms } from '../src/terms/term.ts';
import { proofsOf } from '../src/rooms.ts';
import { decode } from '../src/wasm/decode.ts';

/** The message of the first claim about an exported function that fails. */
async function objection(kernel: Kernel, name: string): Promise<string> {
  // Those that are about it come first; the others would not say why.
  for (const claim of claimsAbout(kernel, name).slice(0, 8))
    try {
      await claim.prove();
    } catch (error) {
      return `${claim.claim}: ${String(error)}`;
    }
  return 'nothing';
}

const WRONG = /differ|not congruent|more than an accumulator and s|more than \d+ terms/;
/** Memory that has no place in the map is never wiped. */
const MESSAGES: Readonly<Record<FoundBy<'function'>['found']['as'], RegExp>> = {
  result: WRONG,
  backdoor: WRONG,
  unwiped: /depend on secrets are left|stray-write/,
  'stray write': /stray-write/,
};

/** Kernels whose faults are found in a second or two; the others' are in faults-by-function.nightly.test.ts. */
export const isSmall = ({ name }: Kernel): boolean => !/^(chacha long|salsa long|secretbox|disk)/.test(name);

export function testPlanted(kernels: readonly Kernel[]): void {
  afterEach(forgetTerms);
  describe.each(kernels)('$name', (kernel) => {
    it.each(plantedIn(kernel))('$found.as: $planted', async ({ found, name, kernel: faulty }) => {
      expect(WebAssembly.validate(faulty.bytes)).toBe(true);
      expect(lint(faulty)).toEqual([]);
      expect(typeModule(decode(faulty.bytes)).violations).toEqual([]);
      expect(await objection(faulty, name)).toMatch(MESSAGES[found.as]);
    });

    it.each(plantedLeaks(kernel))('leak by $kind', async ({ kind, at, kernel: leaky }) => {
      expect(await objection(leaky, proofsOf(kernel.family).mutations.leak.name)).toMatch(
        new RegExp(`${kind} that depends on a secret, in .* at offset ${at}$`),
      );
    });
  });
}
