/** How much code there is, in a function and in each of its loops. */
import type { Instruction } from './instruction.ts';
import { isConditional, isIndexed, isJump } from './operands.ts';

export interface Counts {
  readonly instructions: number;
  readonly branches: number;
  /** Loads and stores whose address has an index besides its base. */
  readonly indexed: number;
}

export interface Loop extends Counts {
  readonly from: number;
  readonly to: number;
}

export const countsOf = (own: readonly Instruction[]): Counts => ({
  instructions: own.length,
  branches: own.filter(({ op }) => isConditional(op)).length,
  indexed: own.filter(isIndexed).length,
});

/** The instructions that a jump to an earlier one repeats. */
export function loopsOf(own: readonly Instruction[]): Loop[] {
  const ends = new Map<number, number>();
  for (const { op, offset, target } of own)
    if (isJump(op) && target !== undefined && target >= 0 && target <= offset)
      ends.set(target, Math.max(ends.get(target) ?? 0, offset));
  return [...ends]
    .sort(([x], [y]) => x - y)
    .map(([from, to]) => {
      return { from, to, ...countsOf(own.filter(({ offset }) => offset >= from && offset <= to)) };
    });
}
