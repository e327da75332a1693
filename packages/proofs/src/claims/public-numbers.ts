// Public numbers: where lengths, counts and flags go (src/public-numbers/), and that claims about results meet each constant
// that they are compared with from both sides.
import type { Coverage } from '../execute/coverage.ts';
import type { KernelText } from '../javascript/texts.ts';
import type { Kernel } from '../kernels.ts';
import { checkNumbers, describeUse } from '../public-numbers/check.ts';
import type { Flowing } from '../public-numbers/flow.ts';
import type { Threshold } from '../public-numbers/lists.ts';
import { counted } from './amounts.ts';
import { Failure, require, type Claim } from './claim.ts';

const MOST_SHOWN = 6;
function requireNone(what: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  const more = lines.length > MOST_SHOWN ? `; and ${lines.length - MOST_SHOWN} more` : '';
  throw new Failure(`${what}: ${lines.slice(0, MOST_SHOWN).join('; ')}${more}`);
}

function requireListed(kernel: Flowing): void {
  const { uses, violations } = checkNumbers(kernel);
  requireNone('uses of public numbers that are in no list', violations.map(describeUse));
  counted('uses', uses.length);
}

/** Read off the bytes. */
export const numbersClaim = (kernel: Kernel): Claim => ({
  kernel: kernel.name,
  claim:
    'public numbers: lengths and counts are added, shifted, masked, are addresses and conditions, or stand in a list',
  prove() {
    requireListed(kernel);
  },
});

/** The claim about a text is made about the module that the text is generated from. */
export const textNumbersClaim = (text: KernelText): Claim => ({
  kernel: text.name,
  claim: 'public numbers: the text is what the generator makes of a module of which the same holds',
  prove() {
    require(text.generated() === text.text, () => 'the text is not what the generator makes');
    requireListed({ ...text, bytes: text.moduleBytes() });
  },
});

/** Which sides of a threshold no comparison at an offset was on, although it can be. */
function missing(coverage: Coverage, at: number, { step = 1, never = {} }: Threshold): string[] {
  const seen = {
    below: coverage.wasBelow(at, step),
    equal: coverage.wasEqual(at),
    above: coverage.wasAbove(at, step),
  };
  const sides = ['below', 'equal', 'above'] as const;
  return sides.flatMap((side) => {
    if (seen[side] === (never[side] === undefined)) return [];
    return [seen[side] ? `${side}, which is said never to be` : side];
  });
}

/** A claim that must be proved after the claims about results, which mark the numbers that they compare. */
export const thresholdsClaim = (kernel: Kernel, results: readonly Claim[], coverage: Coverage): Claim => ({
  kernel: kernel.name,
  claim:
    'thresholds: at each constant that a number is compared with, just below and just above, by claims about results',
  after: results,
  prove() {
    const { comparisons } = checkNumbers(kernel);
    const gaps = comparisons.flatMap(({ at, use, threshold }) => {
      const sides = missing(coverage, at, threshold);
      return sides.length ? [`${describeUse(use)}: ${sides.join(' and ')}`] : [];
    });
    requireNone('no claim about results is there', gaps);
    counted('thresholds', comparisons.length);
  },
});
