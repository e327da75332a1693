/**
 * Contests, which make up axes: each knows where and when it takes place, and prepares its cases when its turn
 * comes.
 */
import { equals, type Output } from './bytes.ts';
import { messageOf } from './checks.ts';
import type { Contestant } from './contestants/contestant.ts';
import type {
  Axis,
  CaseDescription,
  ContestDescription,
  Kind,
  Parameters,
  Place,
  Plan,
  Surroundings,
} from './messages.ts';
import { outFor, type Operation, type Performer, type Work } from './operation.ts';
import { randomBytes, type Random } from './random.ts';
import type { Case, TurnHooks } from './sampler.ts';

/** The session's side of a contest. */
export interface Context {
  readonly kind: Kind;
  readonly random: Random;
  readonly place: Place;
  readonly surroundings: Surroundings;
  readonly hooks: TurnHooks;
  /** Milliseconds for evaluating the library's modules at the start of the session. */
  readonly evaluated: number;
}

/** A case with its description, and a check that returns its fault or undefined. */
export interface ClientCase extends Case {
  readonly description: CaseDescription;
  readonly fault: () => string | undefined | Promise<string | undefined>;
  /** Releases the resources of the case. */
  readonly end?: () => void;
}

/** A case that cannot take part, and the reason. */
export interface Absence {
  readonly case: string;
  readonly contestant: string;
  readonly reason: string;
}

export interface Cases {
  readonly cases: readonly ClientCase[];
  readonly absent: readonly Absence[];
  /** Releases the resources that the cases share. */
  readonly end?: () => void;
}

/** The cases of several operations in one contest. */
export async function merged(all: readonly (Cases | Promise<Cases>)[]): Promise<Cases> {
  const each = await Promise.all(all.map(async (one) => one));
  return { cases: each.flatMap(({ cases }) => cases), absent: each.flatMap(({ absent }) => absent) };
}

/** The results of a contest that is not sampled in rounds. */
export interface Findings {
  readonly cases: readonly CaseDescription[];
  readonly absent: readonly Absence[];
  readonly nanoseconds: Readonly<Record<string, readonly number[]>>;
}

interface Common extends ContestDescription {
  readonly kinds: readonly Kind[];
  /** Everywhere, unless given. */
  readonly places?: readonly Place[] | undefined;
  /** Measured even where the clock is coarse and batches are a hundred times as long. */
  readonly essential?: boolean | undefined;
  /** Within an axis, contests of a lower rank run first; 0 unless given. */
  readonly rank?: number | undefined;
  /** Differences from the task's plan. */
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

type Subject = Pick<Operation, 'id' | 'primitive' | 'operation'>;

/**
 * A contest in rounds about an operation, at a length if there is one. `beginning` is the axis, or begins with it; the id consists of all
 * three.
 */
export const about = (
  beginning: Axis | `${Axis}/${string}`,
  { id, primitive, operation }: Subject,
  length: number | undefined,
  contest: Omit<RoundsContest, keyof ContestDescription> &
    Pick<RoundsContest, 'title'> &
    Partial<Pick<RoundsContest, 'parameters'>>,
): RoundsContest => ({
  id: [beginning, id, ...(length === undefined ? [] : [length])].join('/'),
  axis: beginning.split('/')[0] as Axis,
  form: 'rounds',
  primitive,
  operation,
  parameters: length === undefined ? {} : { length },
  ...contest,
});

/** Random input of this many bytes for an operation. */
export const randomWork = (operation: Operation, bytes: number, random: Random): Promise<Work> =>
  operation.work(
    randomBytes(bytes, random),
    randomBytes(operation.knownAnswer.key.length, random),
    randomBytes(operation.knownAnswer.nonce.length, random),
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

/** Compares the output of `run` with the expected bytes. */
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
  /** The bytes that the description reports; the length of the data unless given. */
  readonly bytes?: number;
}

/** A case in which one performer repeats one operation. */
export async function caseOf(
  operation: Operation,
  performer: Performer,
  work: Work,
  options: CaseOptions = {},
): Promise<ClientCase> {
  const { contestant } = performer;
  const { key, nonce, data, expected } = work;
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
  const out = outFor(operation, work);
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
