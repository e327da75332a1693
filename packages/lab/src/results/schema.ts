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

const plan = v.object({
  rounds: v.pipe(v.tuple([count, count]), v.readonly()),
  budgetMilliseconds: number,
  batchMilliseconds: number,
  warmUpMilliseconds: number,
});

export const header = v.object({
  schema: v.picklist(READABLE),
  id: text,
  startedAt: time,
  lab: v.object({ version: text, commit: v.optional(text), dirty: v.optional(v.boolean()) }),
  host,
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

export const contest = v.object({
  id: name,
  axis: name,
  form: v.picklist(['rounds', 'series', 'once']),
  primitive: name,
  operation: name,
  title: text,
  parameters,
});

export const case_ = v.object({
  id: name,
  contestant: name,
  standing: v.picklist(['ours', 'kernel', 'rival', 'platform', 'native']),
  version: v.optional(name),
  engine: v.optional(v.picklist(['simd', 'scalar', 'js', 'auto'])),
  primitive: name,
  operation: name,
  bytes: count,
  asynchronous: v.optional(v.boolean()),
  parameters,
});

const hello = v.object({
  protocol: count,
  startedAt: time,
  place: name,
  family: name,
  userAgent: text,
  versions: v.record(text, text),
  timer: v.object({ stepMilliseconds: number, batchMilliseconds: number, coarse: v.boolean() }),
  features: v.object({
    wasm: v.boolean(),
    simd: v.boolean(),
    relaxed: v.boolean(),
    wide: v.boolean(),
    threads: v.boolean(),
    workers: v.boolean(),
    /** COOP and COEP are in force. */
    isolated: v.optional(v.boolean()),
    concurrency: v.optional(number),
  }),
  refused: v.record(text, text),
  modules: v.array(v.object({ name, bytes: count, sha256: text })),
  notes: v.array(text),
});

const canary = v.object({
  when: v.picklist(['start', 'end']),
  kernel: text,
  gigahertz: number,
  cyclesPerByte: number,
  best: number,
  trusted: v.boolean(),
  reason: v.optional(text),
});

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
  faults: v.array(v.object({ contest: text, case: text, contestant: text, fault: text })),
  unavailable: v.array(v.object({ contest: text, case: v.optional(text), contestant: v.optional(text), reason: text })),
  errors: v.array(v.object({ contest: v.optional(text), message: text })),
  /** Missing if the session ended early. */
  done: v.optional(v.object({ milliseconds: number, contests: count, stopped: v.boolean(), trusted: v.boolean() })),
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

export type Host = v.InferOutput<typeof host>;
export type Header = v.InferOutput<typeof header>;
export type EngineRecord = v.InferOutput<typeof engine>;
export type MissingRecord = v.InferOutput<typeof missing>;
export type ContestRecord = v.InferOutput<typeof contest>;
export type CaseRecord = v.InferOutput<typeof case_>;
export type SampledRecord = v.InferOutput<typeof sampled>;
export type SessionRecord = v.InferOutput<typeof session>;
export type Result = v.InferOutput<typeof shape>;

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
