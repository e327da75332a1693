/** What an axis is made of: contests that know where and when they take place, and make their cases when it is their turn. */
import { equals, type Output } from './bytes.ts';
import { messageOf } from './checks.ts';
import type { Contestant } from './contestants/contestant.ts';
import type { CaseDescription, ContestDescription, Kind, Parameters, Place, Plan, Surroundings } from './messages.ts';
import type { Operation, Performer, Work } from './operation.ts';
import { randomBytes, type Random } from './random.ts';
import type { Case, TurnHooks } from './sampler.ts';

/** What contests are given by the session. */
export interface Context {
  readonly kind: Kind;
  readonly random: Random;
  readonly place: Place;
  readonly surroundings: Surroundings;
  readonly hooks: TurnHooks;
  /** Milliseconds that the library's own code took to be evaluated, at the start of the session. */
  readonly evaluated: number;
}

/** A case, who it is, and what is wrong with its result: undefined if nothing is. */
export interface ClientCase extends Case {
  readonly description: CaseDescription;
  readonly fault: () => string | undefined | Promise<string | undefined>;
  /** Ends what it started. */
  readonly end?: () => void;
}

/** Who is not there, and why. */
export interface Absence {
  readonly case: string;
  readonly contestant: string;
  readonly reason: string;
}

export interface Cases {
  readonly cases: readonly ClientCase[];
  readonly absent: readonly Absence[];
  /** Ends what they have in common. */
  readonly end?: () => void;
}

/** What a contest that is no matter of rounds found by itself. */
export interface Findings {
  readonly cases: readonly CaseDescription[];
  readonly absent: readonly Absence[];
  readonly nanoseconds: Readonly<Record<string, readonly number[]>>;
}

interface Common extends ContestDescription {
  readonly kinds: readonly Kind[];
  /** Everywhere, unless said. */
  readonly places?: readonly Place[] | undefined;
  /** Worth its time where the clock is coarse, and batches a hundred times as long. */
  readonly essential?: boolean | undefined;
  /** Within an axis, contests of a lower rank run first; 0 unless said. */
  readonly rank?: number | undefined;
  /** What differs from the task's plan. */
  readonly plan?: Partial<Plan> | undefined;
}
export interface RoundsContest extends Common {
  readonly form: 'rounds';
  readonly prepare: (context: Context) => Promise<Cases>;
}
export interface OwnContest extends Common {
  readonly form: 'series' | 'once';
  readonly measure: (context: Context) => Promise<Findings>;
}
export type ClientContest = RoundsContest | OwnContest;

export const NODE_LIKE: readonly Place[] = ['node', 'bun', 'deno'];

/** Random work of so many bytes. */
export const randomWork = (operation: Operation, bytes: number, random: Random): Promise<Work> =>
  operation.work(
    randomBytes(bytes, random),
    randomBytes(operation.keyBytes, random),
    randomBytes(operation.nonceBytes, random),
  );

export const describe = (
  contestant: Contestant,
  { primitive, operation }: Pick<Operation, 'primitive' | 'operation'>,
  id: string,
  bytes: number,
  parameters: Parameters,
): CaseDescription => ({
  id,
  contestant: contestant.library,
  standing: contestant.standing,
  ...(contestant.version !== undefined && { version: contestant.version }),
  ...(contestant.engine && { engine: contestant.engine }),
  primitive,
  operation,
  bytes,
  parameters,
});

/** Compares what `run` gives with what is expected. */
export async function faultIn(run: () => Output | Promise<Output>, expected: Uint8Array): Promise<string | undefined> {
  try {
    return equals(await run(), expected) ? undefined : 'gives wrong bytes';
  } catch (error) {
    return `throws: ${messageOf(error)}`;
  }
}

export interface CaseOptions {
  readonly id?: string;
  readonly parameters?: Parameters;
  /** So that a long operation is not repeated where once is enough. */
  readonly bytes?: number;
}

/** One who does one thing again and again. */
export async function caseOf(
  operation: Operation,
  performer: Performer,
  work: Work,
  options: CaseOptions = {},
): Promise<ClientCase> {
  const { contestant } = performer;
  const { key, nonce, data, expected, room } = work;
  const { id = contestant.name, parameters = {}, bytes = data.length } = options;
  const description = describe(contestant, operation, id, bytes, parameters);
  const before = contestant.prepare;

  if (performer.kind === 'native') {
    const timer = performer.start(work);
    return {
      id,
      description,
      run: () => timer.time(1),
      time: (count) => timer.time(count),
      fault() {
        timer.time(1);
        return timer.fault(expected);
      },
      end: () => timer.end(),
    };
  }
  before?.();
  const out = new Uint8Array(room);
  const run = await performer.start(key, nonce);
  const once = () => run(data, out);
  return {
    id,
    description: performer.kind === 'asynchronous' ? { ...description, asynchronous: true } : description,
    before,
    run: once,
    ...(performer.kind === 'asynchronous' && { asynchronous: true }),
    fault() {
      before?.();
      return faultIn(once, expected);
    },
  };
}
