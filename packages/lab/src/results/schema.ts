/**
 * A result: all that one run of the lab found, in one JSON file that says itself what it is. Raw samples are in it, so that
 * everything else can be computed anew; descriptions of contests and cases are in it once, however many sessions had them.
 */
import * as v from 'valibot';
import { UsageError } from '../terminal.ts';
import { decodeSamples } from './samples.ts';

/** Changes with the shape of the file. */
export const SCHEMA = 'lanewise-lab/1';

/** A file that is no result, or not one that can be used here: one line. */
export class ResultError extends UsageError {}

const text = v.string();
const number = v.pipe(v.number(), v.finite());
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const parameters = v.record(text, v.union([number, text, v.boolean()]));
const samples = v.pipe(
  text,
  v.check((value) => {
    try {
      decodeSamples(value);
      return true;
    } catch {
      return false;
    }
  }, 'expected samples in base64'),
);

const host = v.object({
  cpu: text,
  /** Of the instruction set, as the operating system names them. */
  flags: v.array(text),
  vcpus: count,
  architecture: text,
  platform: text,
  kernel: text,
  memoryBytes: count,
  /** Of the last minute; none where the operating system has no such thing. */
  loadBefore: v.optional(number),
  loadAfter: v.optional(number),
  /** What scales the frequency, and whether this is a virtual machine, as far as it can be seen. */
  governor: v.optional(text),
  virtual: v.optional(v.boolean()),
});

const plan = v.object({
  rounds: v.pipe(v.tuple([count, count]), v.readonly()),
  budgetMilliseconds: number,
  batchMilliseconds: number,
  warmUpMilliseconds: number,
});

const header = v.object({
  schema: v.literal(SCHEMA),
  id: text,
  startedAt: text,
  lab: v.object({ version: text, commit: v.optional(text), dirty: v.optional(v.boolean()) }),
  host,
  kind: v.picklist(['quick', 'default', 'full']),
  seed: count,
  plan,
  /** What was typed, for those who want to do it again. */
  command: v.optional(text),
});

const engine = v.object({
  id: text,
  name: text,
  version: text,
  /** What it was started with, beyond its defaults. */
  arguments: v.array(text),
  environment: v.record(text, text),
  preferences: v.record(text, v.union([number, text, v.boolean()])),
  remarks: v.array(text),
});

const missing = v.object({ id: text, name: text, missing: text, howToGet: text });

const contest = v.object({
  id: text,
  axis: text,
  form: v.picklist(['rounds', 'series', 'once']),
  primitive: text,
  operation: text,
  title: text,
  parameters,
});

const case_ = v.object({
  id: text,
  contestant: text,
  standing: v.picklist(['ours', 'kernel', 'rival', 'platform', 'native']),
  version: v.optional(text),
  engine: v.optional(v.picklist(['simd', 'scalar', 'js', 'auto'])),
  primitive: text,
  operation: text,
  bytes: count,
  asynchronous: v.optional(v.boolean()),
  parameters,
});

const hello = v.object({
  protocol: count,
  startedAt: text,
  place: text,
  family: text,
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
  modules: v.array(v.object({ name: text, bytes: count, sha256: text })),
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
  /** `case` counts those of the result. `nanoseconds` of one operation, in the order of the rounds. */
  cases: v.array(v.object({ case: count, batch: number, nanoseconds: samples })),
});

const session = v.object({
  /** The id of an engine of the result. */
  engine: text,
  seed: count,
  startedAt: text,
  /** None if the session did not get so far. */
  hello: v.optional(hello),
  canaries: v.array(canary),
  contests: v.array(sampled),
  faults: v.array(v.object({ contest: text, case: text, contestant: text, fault: text })),
  unavailable: v.array(v.object({ contest: text, case: v.optional(text), contestant: v.optional(text), reason: text })),
  errors: v.array(v.object({ contest: v.optional(text), message: text })),
  /** None if the session ended before its time. */
  done: v.optional(v.object({ milliseconds: number, contests: count, stopped: v.boolean(), trusted: v.boolean() })),
});

const shape = v.object({
  ...header.entries,
  /** None if the run ended before its time. */
  endedAt: v.optional(text),
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

/** What the shape cannot say: that everything which is named is there. Undefined if it is. */
function danglingIn({ engines, contests, cases, sessions }: Result): string | undefined {
  const engineIds = new Set(engines.map(({ id }) => id));
  const forms = new Map(contests.map(({ id, form }) => [id, form]));
  for (const [i, { engine: id, contests: all }] of sessions.entries()) {
    if (!engineIds.has(id)) return `sessions.${i}.engine: there is no engine "${id}"`;
    for (const { contest: name, cycle, cases: each } of all) {
      const form = forms.get(name);
      if (form === undefined) return `sessions.${i}.contests: there is no contest "${name}"`;
      for (const { case: index, nanoseconds } of each) {
        if (index >= cases.length) return `sessions.${i}.contests: there is no case ${index}`;
        if (form === 'rounds' && nanoseconds.length !== cycle.length) {
          return `sessions.${i}.contests: "${name}" lacks samples of some rounds`;
        }
      }
    }
  }
  return undefined;
}

/** `name` is that of the file. */
export function parseResult(data: unknown, name: string): Result {
  if (typeof data !== 'object' || data === null || !('schema' in data)) {
    throw new ResultError(`${name} is no result of the lab: it has no schema`);
  }
  if (data.schema !== SCHEMA) {
    throw new ResultError(`${name} has schema ${JSON.stringify(data.schema)}; this lab reads "${SCHEMA}"`);
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
