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
 * finite; ids are stable across versions of the lab.
 */

/** The version of the messages; it changes with their structure. */
export const PROTOCOL = 1;

/** How much is measured. `full` is `default` with curves over every length. */
export type Kind = 'quick' | 'default' | 'full';

/** The host of the client, as far as it affects the measurements. */
export type Place = 'node' | 'bun' | 'deno' | 'workerd' | 'page' | 'worker';

/** The engine that compiles WebAssembly. */
export type Family = 'v8' | 'spidermonkey' | 'jsc' | 'unknown';

/** How long a contest is sampled. */
export interface Plan {
  /** The first number of rounds is always run; more are run, up to the second number, while the budget lasts. */
  readonly rounds: readonly [least: number, most: number];
  readonly budgetMilliseconds: number;
  /** The least length of a batch; it is longer where the clock is coarse. */
  readonly batchMilliseconds: number;
  /**
   * For each case whose code is new. Other cases run until they are as fast as before. 0 if all code is hot already.
   */
  readonly warmUpMilliseconds: number;
}

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

/**
 * `rounds`: samples with the same index come from one round, and pair up. `series`: the index counts calls from a cold
 * start, and nothing pairs up. `once`: each case has one sample in a session.
 */
export type Form = 'rounds' | 'series' | 'once';

export type Parameters = Readonly<Record<string, number | string | boolean>>;

/** A contest: one task that several cases perform on the same data. */
export interface ContestDescription {
  readonly id: string;
  readonly axis: Axis;
  readonly form: Form;
  /** For example `ChaCha20`, `XChaCha20-Poly1305`, `BLAKE3`. */
  readonly primitive: string;
  /** For example `encrypt`, `seal`, `open`, `reject`, `hash`, `keyed hash`, `output`. */
  readonly operation: string;
  /** A sentence for people. */
  readonly title: string;
  /** Parameters that all cases share: `length` in bytes, and the parameter that the axis varies. */
  readonly parameters: Parameters;
}

/**
 * `ours`: the library's public API. `kernel`: functions over linear memory, ours or for study. `platform`: cryptography
 * that comes with the engine.
 */
export type Standing = 'ours' | 'kernel' | 'rival' | 'platform' | 'native';

export interface CaseDescription {
  /** Unique in its contest, and the same in all contests where the case does the same. */
  readonly id: string;
  /** For example `lanewise`, `noble`, `libsodium.js`. */
  readonly contestant: string;
  readonly standing: Standing;
  readonly version?: string | undefined;
  /** The engine of the library. `auto` is the one that users get. */
  readonly engine?: 'simd' | 'scalar' | 'js' | 'auto' | undefined;
  readonly primitive: string;
  readonly operation: string;
  /** The bytes that one operation handles; 0 for the empty message. */
  readonly bytes: number;
  /** Each operation is awaited, and goes through the event loop. */
  readonly asynchronous?: boolean | undefined;
  /** Parameters that differ from case to case within the contest. */
  readonly parameters: Parameters;
}

export interface TimerDescription {
  /** The least difference of two readings. */
  readonly stepMilliseconds: number;
  /** The length of batches that follows from the step. */
  readonly batchMilliseconds: number;
  /** The clock is too coarse for short batches: there are fewer samples, and estimated cycles are not to be trusted. */
  readonly coarse: boolean;
}

export interface Features {
  readonly wasm: boolean;
  readonly simd: boolean;
  readonly relaxed: boolean;
  readonly wide: boolean;
  readonly threads: boolean;
  readonly workers: boolean;
  /** `crossOriginIsolated`, in hosts that define it. */
  readonly isolated?: boolean | undefined;
  /** `navigator.hardwareConcurrency`. */
  readonly concurrency?: number | undefined;
}

export interface HelloMessage {
  readonly type: 'hello';
  readonly protocol: typeof PROTOCOL;
  readonly startedAt: string;
  readonly place: Place;
  readonly family: Family;
  readonly userAgent: string;
  /**
   * Versions of the runtime and of its parts, as far as it reports them; versions of the rivals by the names of their
   * packages.
   */
  readonly versions: Readonly<Record<string, string>>;
  readonly timer: TimerDescription;
  readonly features: Features;
  /** The library's engines that are not available, with the reasons. */
  readonly refused: Readonly<Partial<Record<'simd' | 'scalar' | 'js', string>>>;
  /** The modules that the library assembles here, under stable names, with hexadecimal digests. */
  readonly modules: readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[];
  /** Sentences that a reader of this session's figures should know. */
  readonly notes: readonly string[];
}

/** A kernel that never changes, timed to see whether code runs in the engine's best tier. */
export interface CanaryMessage {
  readonly type: 'canary';
  readonly when: 'start' | 'end';
  readonly kernel: 'simd' | 'scalar' | 'none';
  readonly gigahertz: number;
  readonly cyclesPerByte: number;
  /** The best known cycles of this family of engines. More than twice as many are not trusted. */
  readonly best: number;
  readonly trusted: boolean;
  /** The reason for no trust. */
  readonly reason?: string | undefined;
}

export interface ContestStartMessage {
  readonly type: 'contest-start';
  readonly index: number;
  readonly of: number;
  readonly contest: ContestDescription;
  /** The cases that are timed: they are available and gave the right answer. */
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
  /** The probe around each sample; missing in hosts without vectors or with a coarse clock, and if the form is not `rounds`. */
  readonly probe?: ProbeSamples | undefined;
  /** The duration of the whole contest. */
  readonly milliseconds: number;
}

/** Times of a kernel that never changes and slows down when another thread uses the same core. */
export interface ProbeSamples {
  /** Passes of the kernel that were timed together: one step of the clock is divided by them. */
  readonly passes: number;
  /** Nanoseconds of a cycle at that time, by the least of many yardsticks. */
  readonly cycle: number;
  /** Nanoseconds of a pass by the id of the case: before each sample and after it, alternately. */
  readonly nanoseconds: Readonly<Record<string, readonly number[]>>;
}

/** A wrong answer: the case is not timed. */
export interface FaultMessage {
  readonly type: 'fault';
  readonly contest: string;
  readonly case: string;
  readonly contestant: string;
  readonly fault: string;
}

/** A case that cannot take place here; a whole contest if no case is named. */
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
  /** The number of the contest in the session. */
  readonly index: number;
  readonly of: number;
  readonly round: number;
  /** The most rounds that may be run. */
  readonly rounds: number;
}

export interface ErrorMessage {
  readonly type: 'error';
  /** The contest that failed; without it the session is over. */
  readonly contest?: string | undefined;
  readonly message: string;
}

export interface DoneMessage {
  readonly type: 'done';
  readonly milliseconds: number;
  /** The number of contests that have samples. */
  readonly contests: number;
  /** The session was stopped by the signal. */
  readonly stopped: boolean;
  /** Both canaries were trusted. */
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
