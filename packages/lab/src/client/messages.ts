/**
 * The messages of the client, as plain JSON: it takes one Task and emits Messages, in this order:
 *
 *     hello → (contests of cold starts) → canary → (contests) → canary → done
 *     a contest: contest-start → [unavailable | fault]* → progress* → samples → fault*
 *
 * If a whole contest cannot take place, its only message is an `unavailable` without a case. A fault after the samples was
 * found when all answers were checked again; the samples lack its case.
 *
 * `error` can come at any time: with a contest it ends that contest only, without one it ends the session. Numbers are
 * finite; ids are stable across versions of the lab. The schema of results has the structure of each.
 */
import type { CaseRecord, ContestRecord, Header, Message, Plan } from '../results/schema.ts';

export type { Message, Plan };

/** The version of the messages; it changes with their structure. */
export const PROTOCOL = 1;

export type Kind = Header['kind'];

/** The host of the client, as far as it affects the measurements. */
export type Place = 'node' | 'bun' | 'deno' | 'workerd' | 'page' | 'worker';

/** The engine that compiles WebAssembly. */
export type Family = 'v8' | 'spidermonkey' | 'jsc' | 'unknown';

export interface Task {
  /** Decides the data and the order of contests and cases. */
  readonly seed: number;
  readonly kind: Kind;
  readonly plan: Plan;
  /** Ids from `catalogue`; contests run in the order of the catalogue. */
  readonly contests: readonly string[];
}

export type Axis =
  | 'platforms'
  | 'length'
  | 'alignment'
  | 'keys'
  | 'many'
  | 'streams'
  | 'parallel'
  | 'context'
  | 'direction'
  | 'cold'
  | 'boundary'
  | 'kernels'
  | 'studies';

export type Parameters = ContestRecord['parameters'];
export interface ContestDescription extends ContestRecord {
  readonly axis: Axis;
}
export type CaseDescription = CaseRecord;
export type Standing = CaseRecord['standing'];

export type MessageOf<T extends Message['type']> = Extract<Message, { type: T }>;
export type HelloMessage = MessageOf<'hello'>;
export type CanaryMessage = MessageOf<'canary'>;
export type SamplesMessage = MessageOf<'samples'>;
export type FaultMessage = MessageOf<'fault'>;
export type UnavailableMessage = MessageOf<'unavailable'>;
export type DoneMessage = MessageOf<'done'>;
export type TimerDescription = HelloMessage['timer'];
export type Features = HelloMessage['features'];
export type ProbeSamples = NonNullable<SamplesMessage['probe']>;

export type Emit = (message: Message) => void;

/** Resources that only the client's host can provide. */
export interface Surroundings {
  readonly signal?: AbortSignal | undefined;
  /**
   * Modules that were compiled outside, by name, for engines that compile nothing at run time: see kernel-modules.ts.
   */
  readonly modules?: Readonly<Record<string, WebAssembly.Module>> | undefined;
  /** The address from which workers are started; `import.meta.url` of the bundle, unless given. */
  readonly workerUrl?: string | undefined;
}

/** The bundle exports it as `run`. It never rejects: a failure is an ErrorMessage. */
export type Run = (task: Task, emit: Emit, surroundings?: Surroundings) => Promise<void>;

/** The bundle and `client/catalogue.ts` export it as `catalogue`: it loads no contestant. */
export type Catalogue = (kind: Kind, place: Place) => readonly ContestDescription[];
