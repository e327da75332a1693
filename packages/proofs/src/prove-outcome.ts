// The outcome of a claim about the kernels that ship.
import { takeAmounts, type Amounts } from './claims/amounts.ts';
import type { Claim } from './claims/claim.ts';

export interface Outcome {
  readonly number: number;
  readonly seconds: number;
  /** Why it is not proved. */
  readonly failure: string | undefined;
  /** How many bytes, calls or instructions it compared. */
  readonly amounts: Amounts;
}

export async function outcomeOf(claim: Claim, number: number): Promise<Outcome> {
  const start = performance.now();
  let failure: string | undefined;
  takeAmounts();
  try {
    await claim.prove();
  } catch (error) {
    // A Failure comes from a claim; any other error, such as a run that cannot go on, means no proof either.
    failure = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
  return { number, seconds: (performance.now() - start) / 1000, failure, amounts: takeAmounts() };
}
