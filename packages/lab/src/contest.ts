/** What a contest is: one task that several cases do on the same data, in the same process, in turns. */
import type { Output } from './client/bytes.ts';
import { faultOf } from './client/checks.ts';
import type { Contestant } from './client/contestants/contestant.ts';
import type { NativeContestant, NativeInput } from './client/package-types.ts';
import type { Random } from './client/random.ts';
import type { Case } from './client/sampler.ts';

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

/** Native code, in a process that starts when it is first asked. */
export function nativeCase(contestant: NativeContestant, input: NativeInput, expected: Uint8Array): CheckedCase {
  let timer: ReturnType<typeof contestant.start> | undefined;
  const time = (count: number): number => (timer ??= contestant.start(input)).time(count);
  return {
    id: contestant.name,
    bytes: input.data.length,
    unavailable: contestant.unavailable,
    time,
    run: () => void time(1),
    fault() {
      time(1);
      return timer?.fault(expected);
    },
  };
}
