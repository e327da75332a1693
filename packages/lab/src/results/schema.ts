/**
 * A result: all findings of one run of the lab, in one JSON file that names its schema. It holds the raw samples, so
 * that everything else can be computed anew; descriptions of contests and cases are in it once, however many sessions
 * had them.
 */
import * as v from 'valibot';
import { UsageError } from '../terminal.ts';
import { isName } from './names.ts';
import { decodeProbes, decodeSamples } from './samples.ts';

/** The version of the file; it changes with the structure. */
export const SCHEMA = 'lanewise-lab/2';
/** Versions that this lab reads. The first has no probes, so that all of its rounds count, and less about processors. */
const READABLE = ['lanewise-lab/1', SCHEMA] as const;

/** The file isn't a result, or cannot be used here. The message is one line. */
export class ResultError extends UsageError {}

export const text = v.string();
export const number = v.pipe(v.number(), v.finite());
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const positive = v.pipe(
  number,
  v.check((value) => value > 0, 'expected more than 0'),
);
/** Names reach pages, tables, pictures and terminals; none of these characters means anything there, nor makes a link. */
export const name = v.pipe(
  text,
  v.maxLength(200, 'expected a name of at most 200 characters'),
  v.check(
    (value) => isName(value),
    "expected a name of letters A-Z, digits, blanks and .,:()@+'/-, which is no address",
  ),
);
/** As `Date.prototype.toISOString` writes it: its first ten characters are a date in pages. */
export const time = v.pipe(
  text,
  v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, 'expected a time'),
  v.check((value) => !Number.isNaN(Date.parse(value)), 'expected a time'),
);
const parameters = v.record(name, v.union([number, name, v.boolean()]));
const decodable = (decode: (value: string) => unknown) =>
  v.pipe(
    text,
    v.check((value) => {
      try {
        decode(value);
        return true;
      } catch {
        return false;
      }
    }, 'expected samples in base64, none of them negative'),
  );
const samples = decodable(decodeSamples);
const probes = decodable((value) => decodeProbes(value, 1));

const host = v.object({
  cpu: name,
  /** The processor as `cpuid` tells it, for virtual machines whose name of it says little. */
  processor: v.optional(v.object({ vendor: name, family: count, model: count, stepping: count })),
  /** Features of the instruction set, under the operating system's names. */
  flags: v.array(text),
  vcpus: count,
  architecture: name,
  platform: name,
  kernel: text,
  memoryBytes: count,
  /** The load average of the last minute; missing where the operating system has none. */
  loadBefore: v.optional(number),
  loadAfter: v.optional(number),
  /** The driver that scales the frequency, and whether this is a virtual machine, as far as it can be seen. */
  governor: v.optional(text),
  virtual: v.optional(v.boolean()),
});

/** How long a contest is sampled. */
const plan = v.object({
  /** The least is always run; more are run, up to the most, while the budget lasts. */
  rounds: v.tuple([count, count]),
  budgetMilliseconds: number,
  /** The least length of a batch; it is longer where the clock is coarse. */
  batchMilliseconds: number,
  /** For each case whose code is new. Other cases run until they are as fast as before. 0 if all code is hot already. */
  warmUpMilliseconds: number,
});

export const header = v.object({
  schema: v.picklist(READABLE),
  id: text,
  startedAt: time,
  lab: v.object({ version: text, commit: v.optional(text), dirty: v.optional(v.boolean()) }),
  host,
  /** How much is measured. `full` is `default` with curves over every length. */
  kind: v.picklist(['quick', 'default', 'full']),
  seed: count,
  plan,
  /** The command line, for those who want to repeat the run. */
  command: v.optional(text),
});

export const engine = v.object({
  id: name,
  name,
  version: name,
  /** Settings beyond the engine's defaults. */
  arguments: v.array(text),
  environment: v.record(text, text),
  preferences: v.record(text, v.union([number, text, v.boolean()])),
  remarks: v.array(text),
  /** The engine was told to stay in its baseline tier: sessions count, although the canary doubts them. */
  tier: v.optional(v.literal('baseline')),
});

export const missing = v.object({ id: name, name, missing: text, howToGet: text });

/** A contest: one task that several cases perform on the same data. */
const contest = v.object({
  id: name,
  axis: name,
  /**
   * `rounds`: samples with the same index come from one round, and pair up. `series`: the index counts calls from a cold start, and
   * nothing pairs up. `once`: each case has one sample in a session.
   */
  form: v.picklist(['rounds', 'series', 'once']),
  /** For example `ChaCha20`, `XChaCha20-Poly1305`, `BLAKE3`. */
  primitive: name,
  /** For example `encrypt`, `seal`, `open`, `reject`, `hash`, `keyed hash`, `output`. */
  operation: name,
  /** A sentence for people. */
  title: text,
  /** Those that all cases share: `length` in bytes, and the parameter that the axis varies. */
  parameters,
});

const case_ = v.object({
  /** Unique in its contest, and the same in all contests where the case does the same. */
  id: name,
  /** For example `lanewise`, `noble`, `libsodium.js`. */
  contestant: name,
  /**
   * `ours`: the library's public API. `kernel`: functions over linear memory, ours or for study. `platform`: cryptography that comes
   * with the engine.
   */
  standing: v.picklist(['ours', 'kernel', 'rival', 'platform', 'native']),
  version: v.optional(name),
  /** The engine of the library. `auto` is the one that users get. */
  engine: v.optional(v.picklist(['simd', 'scalar', 'js', 'native', 'auto'])),
  primitive: name,
  operation: name,
  /** The bytes that one operation handles; 0 for the empty message. */
  bytes: count,
  /** Each operation is awaited, and goes through the event loop. */
  asynchronous: v.optional(v.boolean()),
  /** Parameters that differ from case to case within the contest. */
  parameters,
});

const hello = v.object({
  protocol: count,
  startedAt: time,
  place: name,
  family: name,
  userAgent: text,
  /** Versions of the runtime and of its parts, as far as it reports them; versions of the rivals by the names of their packages. */
  versions: v.record(text, text),
  timer: v.object({
    /** The least difference of two readings. */
    stepMilliseconds: number,
    /** The length of batches that follows from the step. */
    batchMilliseconds: number,
    /** The clock is too coarse for short batches: there are fewer samples, and estimated cycles are not to be trusted. */
    coarse: v.boolean(),
  }),
  features: v.object({
    wasm: v.boolean(),
    simd: v.boolean(),
    relaxed: v.boolean(),
    wide: v.boolean(),
    threads: v.boolean(),
    workers: v.boolean(),
    /** `crossOriginIsolated`, in hosts that define it: COOP and COEP are in force. */
    isolated: v.optional(v.boolean()),
    /** `navigator.hardwareConcurrency`. */
    concurrency: v.optional(number),
  }),
  /** The library's engines that are not available, with the reasons. */
  refused: v.record(text, text),
  /** The modules that the library assembles here, under stable names, with hexadecimal digests. */
  modules: v.array(v.object({ name, bytes: count, sha256: text })),
  /** Sentences that a reader of this session's figures should know. */
  notes: v.array(text),
});

/** A kernel that never changes, timed to see whether code runs in the engine's best tier. */
const canary = v.object({
  when: v.picklist(['start', 'end']),
  kernel: v.picklist(['simd', 'scalar', 'none']),
  gigahertz: number,
  cyclesPerByte: number,
  /** The best known cycles of this family of engines. More than twice as many are not trusted. */
  best: number,
  trusted: v.boolean(),
  /** The reason for no trust. */
  reason: v.optional(text),
});

/** A wrong answer: the case is not timed. */
const fault = v.object({ contest: text, case: text, contestant: text, fault: text });
/** A case that cannot take place here; a whole contest if no case is named. */
const unavailable = v.object({
  contest: text,
  case: v.optional(text),
  contestant: v.optional(text),
  reason: text,
});
/** The contest that failed; without it the session is over. */
const failure = v.object({ contest: v.optional(text), message: text });
const done = v.object({
  milliseconds: number,
  /** The number of contests that have samples. */
  contests: count,
  /** The session was stopped by the signal. */
  stopped: v.boolean(),
  /** Both canaries were trusted. */
  trusted: v.boolean(),
});

const numbers = v.array(number);
/** What a session says, in any engine: `client/messages.ts` has the order. */
export const message = v.variant('type', [
  v.object({ type: v.literal('hello'), ...hello.entries }),
  v.object({ type: v.literal('canary'), ...canary.entries }),
  /** The cases are those that are timed: they are available and gave the right answer. */
  v.object({ type: v.literal('contest-start'), index: count, of: count, contest, cases: v.array(case_) }),
  v.object({
    type: v.literal('samples'),
    contest: text,
    /** Nanoseconds per operation by the id of the case, in the order of the rounds. */
    nanoseconds: v.record(text, numbers),
    /** Operations in a batch, by the id of the case. */
    batches: v.record(text, number),
    /** Nanoseconds of one cycle by the yardstick, in the order of the rounds; empty if the form is not `rounds`. */
    cycle: numbers,
    /**
     * Times of a kernel that never changes and slows down when another thread uses the same core; missing in hosts without vectors or
     * with a coarse clock, and if the form is not `rounds`.
     */
    probe: v.optional(
      v.object({
        /** Passes of the kernel that were timed together: one step of the clock is divided by them. */
        passes: count,
        /** Nanoseconds of a cycle at that time, by the least of many yardsticks. */
        cycle: number,
        /** Nanoseconds of a pass by the id of the case: before each sample and after it, alternately. */
        nanoseconds: v.record(text, numbers),
      }),
    ),
    /** The duration of the whole contest. */
    milliseconds: number,
  }),
  v.object({ type: v.literal('fault'), ...fault.entries }),
  v.object({ type: v.literal('unavailable'), ...unavailable.entries }),
  /** `index` is the number of the contest in the session, `rounds` the most that may be run. */
  v.object({ type: v.literal('progress'), contest: text, index: count, of: count, round: count, rounds: count }),
  v.object({ type: v.literal('error'), ...failure.entries }),
  v.object({ type: v.literal('done'), ...done.entries }),
]);

const sampled = v.object({
  contest: text,
  milliseconds: number,
  /** Nanoseconds of a cycle, one for each round; empty if the contest has no rounds. */
  cycle: samples,
  /**
   * The passes of the probe that were timed together, the nanoseconds of a cycle at that time, and those of the quickest
   * pass of the contest.
   */
  probe: v.optional(v.object({ passes: v.pipe(count, v.minValue(1)), cycle: positive, least: positive })),
  /**
   * `case` is the index of a case of the result. `nanoseconds` are those of one operation, in the order of the rounds.
   * `probes` are those before each sample and after it, alternately, as multiples of the quickest.
   */
  cases: v.array(v.object({ case: count, batch: number, nanoseconds: samples, probes: v.optional(probes) })),
});

const session = v.object({
  /** The id of an engine of the result. */
  engine: name,
  seed: count,
  startedAt: time,
  /** Missing if the session failed before its first message. */
  hello: v.optional(hello),
  canaries: v.array(canary),
  contests: v.array(sampled),
  faults: v.array(fault),
  unavailable: v.array(unavailable),
  errors: v.array(failure),
  /** Missing if the session ended early. */
  done: v.optional(done),
});

const shape = v.object({
  ...header.entries,
  /** Missing if the run ended early. */
  endedAt: v.optional(time),
  engines: v.array(engine),
  missing: v.array(missing),
  contests: v.array(contest),
  cases: v.array(case_),
  sessions: v.array(session),
});

/** Data that only their author changes. */
export type Data<T> = T extends object ? { readonly [K in keyof T]: Data<T[K]> } : T;

export type Host = Data<v.InferOutput<typeof host>>;
export type Plan = Data<v.InferOutput<typeof plan>>;
export type Header = Data<v.InferOutput<typeof header>>;
export type EngineRecord = Data<v.InferOutput<typeof engine>>;
export type MissingRecord = Data<v.InferOutput<typeof missing>>;
export type ContestRecord = Data<v.InferOutput<typeof contest>>;
export type CaseRecord = Data<v.InferOutput<typeof case_>>;
export type Message = Data<v.InferOutput<typeof message>>;
export type SampledRecord = Data<v.InferOutput<typeof sampled>>;
export type SessionRecord = Data<v.InferOutput<typeof session>>;
export type Result = Data<v.InferOutput<typeof shape>>;

/** Checks references, which the schema cannot express: every index and id must exist. The fault, or undefined. */
function danglingIn({ engines, contests, cases, sessions }: Result): string | undefined {
  const engineIds = new Set(engines.map(({ id }) => id));
  const forms = new Map(contests.map(({ id, form }) => [id, form]));
  for (const [i, { engine: id, contests: all }] of sessions.entries()) {
    if (!engineIds.has(id)) return `sessions.${i}.engine: there is no engine "${id}"`;
    for (const { contest: name, cycle, probe, cases: each } of all) {
      const form = forms.get(name);
      if (form === undefined) return `sessions.${i}.contests: there is no contest "${name}"`;
      for (const { case: index, nanoseconds, probes: around } of each) {
        if (index >= cases.length) return `sessions.${i}.contests: there is no case ${index}`;
        if (form === 'rounds' && nanoseconds.length !== cycle.length) {
          return `sessions.${i}.contests: "${name}" lacks samples of some rounds`;
        }
        const wanted = probe ? 2 * decodeSamples(nanoseconds).length : 0;
        if (decodeProbes(around ?? '', 1).length !== wanted) {
          return `sessions.${i}.contests: "${name}" needs two probes for each sample`;
        }
      }
    }
  }
  return undefined;
}

/** `name` is the name of the file. */
export function parseResult(data: unknown, name: string): Result {
  if (typeof data !== 'object' || data === null || !('schema' in data)) {
    throw new ResultError(`${name} is no result of the lab: it has no schema`);
  }
  if (!READABLE.some((schema) => schema === data.schema)) {
    const known = READABLE.map((schema) => `"${schema}"`).join(' and ');
    throw new ResultError(`${name} has schema ${JSON.stringify(data.schema)}; this lab reads ${known}`);
  }
  const { success, output, issues } = v.safeParse(shape, data, { abortEarly: true });
  if (!success) {
    const [issue] = issues;
    throw new ResultError(`${name} is damaged at ${v.getDotPath(issue) ?? 'its top'}: ${firstLine(issue.message)}`);
  }
  const dangling = danglingIn(output);
  if (dangling !== undefined) throw new ResultError(`${name} is damaged at ${dangling}`);
  return output;
}

const firstLine = (message: string): string => message.split('\n')[0];
