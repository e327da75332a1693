/**
 * What goes in and out of the client, as plain JSON: one Task in, Messages out. The order of the messages:
 *
 *     hello → (contests of what is cold) → canary → (contests) → canary → done
 *     a contest: contest-start → [unavailable | fault]* → progress* → samples → fault*
 *
 * or nothing but `unavailable` without a case, if the whole contest cannot take place. A fault behind the samples was found
 * when all was checked once more; the samples lack its case.
 *
 * `error` can come at any time: with a contest it ends that contest only, without one it ends everything. Numbers are
 * finite; ids are stable across versions of the lab.
 */

/** Changes with the shape of the messages. */
export const PROTOCOL = 1;

/** How much is measured. `full` is `default` with curves over every length. */
export type Kind = 'quick' | 'default' | 'full';

/** Where the client runs, as far as it matters for what can be measured. */
export type Place = 'node' | 'bun' | 'deno' | 'workerd' | 'page' | 'worker';

/** What compiles WebAssembly there. */
export type Family = 'v8' | 'spidermonkey' | 'jsc' | 'unknown';

/** How long a contest is sampled. */
export interface Plan {
  /** All rounds are made in any case up to the first number; after it, only while the budget lasts. */
  readonly rounds: readonly [least: number, most: number];
  readonly budgetMilliseconds: number;
  /** At least this long; longer where the clock is coarse. */
  readonly batchMilliseconds: number;
  /** For each case whose code is new; others run until they are as fast as before. 0 if all have run often enough. */
  readonly warmUpMilliseconds: number;
}

export interface Task {
  /** For the data, and the order of things. */
  readonly seed: number;
  readonly kind: Kind;
  readonly plan: Plan;
  /** Ids, from `catalogue`; they run in the order of the catalogue. */
  readonly contests: readonly string[];
}

export type Axis =
  | 'platforms'
  | 'length'
  | 'alignment'
  | 'keys'
  | 'many'
  | 'parallel'
  | 'context'
  | 'direction'
  | 'cold'
  | 'boundary'
  | 'kernels';

/**
 * `rounds`: the samples with one index come from one round, and pair up. `series`: the index counts calls from a cold start,
 * and nothing pairs up. `once`: each case has one sample in a session.
 */
export type Form = 'rounds' | 'series' | 'once';

export type Parameters = Readonly<Record<string, number | string | boolean>>;

/** One task that several cases do on the same data. */
export interface ContestDescription {
  readonly id: string;
  readonly axis: Axis;
  readonly form: Form;
  /** As in `ChaCha20`, `XChaCha20-Poly1305`, `BLAKE3`. */
  readonly primitive: string;
  /** As in `encrypt`, `seal`, `open`, `reject`, `hash`, `keyed hash`, `output`. */
  readonly operation: string;
  /** For people. */
  readonly title: string;
  /** What all cases have in common: `length` in bytes, and what the axis varies. */
  readonly parameters: Parameters;
}

/** `ours`: the library's public API. `kernel`: functions over linear memory, ours or for study. `platform`: what comes with the engine. */
export type Standing = 'ours' | 'kernel' | 'rival' | 'platform' | 'native';

export interface CaseDescription {
  /** Unique in its contest, the same in all contests where it does the same. */
  readonly id: string;
  /** As in `lanewise`, `noble`, `libsodium.js`. */
  readonly contestant: string;
  readonly standing: Standing;
  readonly version?: string | undefined;
  /** Of ours. `auto` is what users get. */
  readonly engine?: 'simd' | 'scalar' | 'js' | 'auto' | undefined;
  readonly primitive: string;
  readonly operation: string;
  /** That one operation handles; 0 for the empty message. */
  readonly bytes: number;
  /** Awaited: each operation goes through the event loop. */
  readonly asynchronous?: boolean | undefined;
  /** What differs from case to case within the contest. */
  readonly parameters: Parameters;
}

export interface TimerDescription {
  /** The least difference of two readings. */
  readonly stepMilliseconds: number;
  /** The batches that follow from it. */
  readonly batchMilliseconds: number;
  /** Too coarse for short batches: there are fewer samples, and estimated cycles are not to be trusted. */
  readonly coarse: boolean;
}

export interface Features {
  readonly wasm: boolean;
  readonly simd: boolean;
  readonly relaxed: boolean;
  readonly wide: boolean;
  readonly threads: boolean;
  readonly workers: boolean;
  /** `crossOriginIsolated`, where there is such a thing. */
  readonly isolated?: boolean | undefined;
  /** What `navigator` says. */
  readonly concurrency?: number | undefined;
}

export interface HelloMessage {
  readonly type: 'hello';
  readonly protocol: typeof PROTOCOL;
  readonly startedAt: string;
  readonly place: Place;
  readonly family: Family;
  readonly userAgent: string;
  /** Of the runtime and of its parts, as far as it tells; of the rivals by the name of their package. */
  readonly versions: Readonly<Record<string, string>>;
  readonly timer: TimerDescription;
  readonly features: Features;
  /** Which of the library's engines cannot be had, and why. */
  readonly refused: Readonly<Partial<Record<'simd' | 'scalar' | 'js', string>>>;
  /** What the library assembles here: hexadecimal digests, the names stable. */
  readonly modules: readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[];
  /** What the reader should know about this session, in sentences. */
  readonly notes: readonly string[];
}

/** A kernel that never changes, timed to see whether code runs in the engine's best tier. */
export interface CanaryMessage {
  readonly type: 'canary';
  readonly when: 'start' | 'end';
  readonly kernel: 'simd' | 'scalar' | 'none';
  readonly gigahertz: number;
  readonly cyclesPerByte: number;
  /** The best known of this family of engines. More than twice as many are not trusted. */
  readonly best: number;
  readonly trusted: boolean;
  /** Why not. */
  readonly reason?: string | undefined;
}

export interface ContestStartMessage {
  readonly type: 'contest-start';
  readonly index: number;
  readonly of: number;
  readonly contest: ContestDescription;
  /** Those that are timed: they are there, and gave the right answer. */
  readonly cases: readonly CaseDescription[];
}

export interface SamplesMessage {
  readonly type: 'samples';
  readonly contest: string;
  /** Nanoseconds per operation by the id of the case, in the order of the rounds. */
  readonly nanoseconds: Readonly<Record<string, readonly number[]>>;
  /** Operations in a batch, by the id of the case. */
  readonly batches: Readonly<Record<string, number>>;
  /** Nanoseconds of one cycle by the yardstick, in the order of the rounds; empty if the form is not `rounds`. */
  readonly cycle: readonly number[];
  /** How long all of the contest took. */
  readonly milliseconds: number;
}

/** A wrong answer: the case is not timed. */
export interface FaultMessage {
  readonly type: 'fault';
  readonly contest: string;
  readonly case: string;
  readonly contestant: string;
  readonly fault: string;
}

/** A case, or without one a whole contest, that cannot take place here. */
export interface UnavailableMessage {
  readonly type: 'unavailable';
  readonly contest: string;
  readonly case?: string | undefined;
  readonly contestant?: string | undefined;
  readonly reason: string;
}

export interface ProgressMessage {
  readonly type: 'progress';
  readonly contest: string;
  /** Counts contests. */
  readonly index: number;
  readonly of: number;
  readonly round: number;
  /** At most. */
  readonly rounds: number;
}

export interface ErrorMessage {
  readonly type: 'error';
  /** Without one nothing follows. */
  readonly contest?: string | undefined;
  readonly message: string;
}

export interface DoneMessage {
  readonly type: 'done';
  readonly milliseconds: number;
  /** Contests that have samples. */
  readonly contests: number;
  /** The signal came. */
  readonly stopped: boolean;
  /** What both canaries say. */
  readonly trusted: boolean;
}

export type Message =
  | HelloMessage
  | CanaryMessage
  | ContestStartMessage
  | SamplesMessage
  | FaultMessage
  | UnavailableMessage
  | ProgressMessage
  | ErrorMessage
  | DoneMessage;

export type Emit = (message: Message) => void;

/** What only the surroundings of the client can give it. */
export interface Surroundings {
  readonly signal?: AbortSignal | undefined;
  /** Modules that were compiled outside, by name, for engines that compile nothing at run time: see kernel-modules.ts. */
  readonly modules?: Readonly<Record<string, WebAssembly.Module>> | undefined;
  /** Where workers are started from; without it, `import.meta.url` of the bundle. */
  readonly workerUrl?: string | undefined;
}

/** The bundle exports it as `run`. It never rejects: what goes wrong is an ErrorMessage. */
export type Run = (task: Task, emit: Emit, surroundings?: Surroundings) => Promise<void>;

/** The bundle, and `client/catalogue.ts`, export it as `catalogue`: it loads no contestant. */
export type Catalogue = (kind: Kind, place: Place) => readonly ContestDescription[];
