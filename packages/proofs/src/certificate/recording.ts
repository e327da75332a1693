/** Takes the place of rooms/poly1305/reduction.ts where certificates are written: a last step is kept, and no solver is asked. */
import { reductionInputs } from '../rooms/poly1305/reduction.ts';
import type { Expression } from '../smt/expression.ts';
import type { Term } from '../terms/term.ts';
import { meaning } from './bits64.ts';

export * from '../rooms/poly1305/reduction.ts';

/** The four words of a tag, and the inputs that they are made of. */
export interface LastStep {
  readonly h: readonly Expression[];
  /** `undefined` if s is zero, and was left out. */
  readonly s: readonly Expression[] | undefined;
  readonly tag: readonly Expression[];
}

let kept: LastStep[] = [];

/** The last steps since the last call of this. */
export function takeLastSteps(): readonly LastStep[] {
  const taken = kept;
  kept = [];
  return taken;
}

export async function requireReduction(tag: readonly Term[], withoutS = false): Promise<void> {
  const { h, s } = reductionInputs();
  kept.push({ h: h.map(meaning), s: withoutS ? undefined : s.map(meaning), tag: tag.map(meaning) });
  return Promise.resolve();
}
