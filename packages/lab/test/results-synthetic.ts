/** Synthetic runs of the lab, in which the time of each case and the noise are known. */
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { catalogue, plans } from '../src/client/catalogue.ts';
import type { CaseDescription, ContestDescription, Message } from '../src/client/messages.ts';
import { seeded, type Random } from '../src/client/random.ts';
import { assembly } from '../src/results/assemble.ts';
import type { Line } from '../src/results/lines.ts';
import { SCHEMA, type EngineRecord, type Header, type Result } from '../src/results/schema.ts';

export const header: Header = {
  schema: SCHEMA,
  id: 'synthetic',
  startedAt: '2026-01-02T03:04:05.000Z',
  lab: { version: '0.1.0', commit: 'c0ffee', dirty: false },
  host: {
    cpu: 'Synthetic CPU (1)',
    flags: ['avx2', 'ssse3'],
    vcpus: 2,
    architecture: 'x64',
    platform: 'linux',
    kernel: '6.1.0',
    memoryBytes: 8 * 2 ** 30,
    loadBefore: 0.5,
  },
  kind: 'default',
  seed: 7,
  plan: plans.default,
  command: 'npm run lab -- --seed 7',
};

export const engineRecord = (id: string, name = id, version = '1.2.3'): EngineRecord => ({
  id,
  name,
  version,
  arguments: [],
  environment: {},
  preferences: {},
  remarks: [],
});

export const hello = (place: 'node' | 'page' = 'node', coarse = false): Message => ({
  type: 'hello',
  protocol: 1,
  startedAt: '2026-01-02T03:04:05.000Z',
  place,
  family: 'v8',
  userAgent: `${place}/1`,
  versions: { lanewise: '0.1.0' },
  timer: { stepMilliseconds: coarse ? 1 : 0.0001, batchMilliseconds: coarse ? 40 : 0.25, coarse },
  features: { wasm: true, simd: true, relaxed: false, wide: false, threads: true, workers: true },
  refused: {},
  modules: [{ name: 'chacha simd', bytes: 5000, sha256: 'ab'.repeat(32) }],
  notes: [],
});

export const canary = (when: 'start' | 'end', reason?: string): Message => ({
  type: 'canary',
  when,
  kernel: 'simd',
  gigahertz: 4,
  cyclesPerByte: 2,
  best: 2,
  trusted: reason === undefined,
  ...(reason !== undefined && { reason }),
});

export const done: Message = { type: 'done', milliseconds: 1000, contests: 1, stopped: false, trusted: true };

/** Box and Muller's method gives two normally distributed numbers, of which one is used. */
export const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** A contestant with known cycles for each call and for each byte. */
export interface Speed {
  readonly description: Pick<CaseDescription, 'id' | 'contestant' | 'standing' | 'engine'>;
  readonly perCall: number;
  readonly perByte: number;
}

export const ours = (
  engine: 'simd' | 'scalar' | 'js' | 'native' | 'auto',
  perCall: number,
  perByte: number,
): Speed => ({
  description: { id: `lanewise ${engine}`, contestant: 'lanewise', standing: 'ours', engine },
  perCall,
  perByte,
});
const rival = (id: string, perCall: number, perByte: number): Speed => ({
  description: { id, contestant: id, standing: 'rival' },
  perCall,
  perByte,
});

export const field: readonly Speed[] = [
  ours('simd', 500, 2),
  ours('scalar', 500, 5),
  ours('js', 500, 8),
  ours('auto', 500, 2),
  rival('noble', 800, 10),
  rival('libsodium.js', 900, 6),
];

export interface Noise {
  /** Relative deviations of processes and of rounds. */
  readonly process: number;
  readonly round: number;
}

function samplesOf(
  contest: ContestDescription,
  cases: readonly { readonly id: string; readonly cycles: number }[],
  rounds: number,
  nanosecondsOfCycle: number,
  { process, round }: Noise,
  random: Random,
): Message {
  const cycle = Array.from({ length: rounds }, () => nanosecondsOfCycle * (1 + 0.1 * random()));
  const nanoseconds = cases.map(({ id, cycles }) => {
    const own = Math.exp(process * normal(random));
    return [id, cycle.map((each) => cycles * each * own * Math.exp(round * normal(random)))] as const;
  });
  return {
    type: 'samples',
    contest: contest.id,
    nanoseconds: Object.fromEntries(nanoseconds),
    batches: Object.fromEntries(cases.map(({ id }) => [id, 10])),
    cycle: contest.form === 'rounds' ? cycle : [],
    milliseconds: 10,
  };
}

export interface Synthetic {
  readonly engines?: readonly EngineRecord[];
  readonly sessions?: number;
  readonly rounds?: number;
  readonly seed?: number;
  readonly noise?: Noise;
  readonly speeds?: readonly Speed[];
  /** Contests of the default catalogue; those of platforms and lengths, unless given. */
  readonly wanted?: (contest: ContestDescription) => boolean;
  readonly header?: Partial<Header>;
  readonly coarse?: boolean;
  readonly nanosecondsOfCycle?: number;
}

export function linesOf({
  engines = [engineRecord('node26', 'Node 26', '26.10.0'), engineRecord('bun', 'Bun', '1.4.5')],
  sessions = 5,
  rounds = 10,
  seed = 1,
  noise = { process: 0.005, round: 0.02 },
  speeds = field,
  wanted = ({ axis }) => axis === 'platforms' || axis === 'length',
  header: changes = {},
  coarse = false,
  nanosecondsOfCycle = 0.25,
}: Synthetic = {}): Line[] {
  const random = seeded(seed);
  const contests = catalogue('default', 'node').filter((contest) => contest.form === 'rounds' && wanted(contest));
  const lines: Line[] = [
    { line: 'run', run: { ...header, ...changes } },
    ...engines.map((engine): Line => ({ line: 'engine', engine })),
  ];
  let count = 0;
  for (let i = 0; i < sessions; i++) {
    for (const { id } of engines) {
      const session = count++;
      const say = (message: Message): void => void lines.push({ line: 'message', session, message });
      lines.push({ line: 'session', session, engine: id, seed: i, startedAt: header.startedAt });
      say(hello('node', coarse));
      say(canary('start'));
      contests.forEach((contest, index) => {
        const bytes = Number(contest.parameters['length']);
        const { primitive, operation } = contest;
        const cases = speeds.map(({ description }) => ({
          ...description,
          primitive,
          operation,
          bytes,
          parameters: {},
        }));
        say({ type: 'contest-start', index, of: contests.length, contest, cases });
        const cycles = speeds.map(({ description, perCall, perByte }) => ({
          id: description.id,
          cycles: perCall + perByte * bytes,
        }));
        say(samplesOf(contest, cycles, rounds, nanosecondsOfCycle, noise, random));
      });
      say(canary('end'));
      say(done);
    }
  }
  lines.push({ line: 'end', endedAt: '2026-01-02T03:14:05.000Z', loadAfter: 1.5 });
  return lines;
}

export function resultOf(lines: readonly Line[]): Result {
  const assembled = assembly();
  lines.forEach((line) => assembled.add(line));
  return assembled.result();
}

export const synthetic = (options?: Synthetic): Result => resultOf(linesOf(options));

export const temporaryPath = (name: string): string =>
  join(tmpdir(), `lanewise-lab-test-${randomBytes(6).toString('hex')}`, name);
