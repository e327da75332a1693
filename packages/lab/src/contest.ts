/** What a contest is: one task that several cases do on the same data, in the same process, in turns. */
import { faultOf } from './checks.ts';
import type { Contestant, Output } from './contestants.ts';
import type { Random } from './random.ts';
import type { Case } from './sampler.ts';

/** A case, and what is wrong with its result: undefined if nothing is. */
export interface CheckedCase extends Case {
  /** Bytes that one operation handles. */
  readonly bytes: number;
  readonly unavailable?: string | undefined;
  fault(): string | undefined;
}

export interface Contest {
  readonly id: string;
  /** Where it takes place: in the Node that runs everything, unless said. */
  readonly runtime?: 'bun';
  cases(random: Random): CheckedCase[];
}

export function checkedCase(
  contestant: Pick<Contestant, 'name' | 'prepare' | 'unavailable'>,
  bytes: number,
  operation: () => Output,
  expected: Uint8Array,
  id = contestant.name,
): CheckedCase {
  const before = contestant.prepare;
  return {
    id,
    bytes,
    unavailable: contestant.unavailable,
    before,
    run: operation,
    fault: () => {
      before?.();
      return faultOf(operation, expected);
    },
  };
}
