/** One contest: its cases are prepared, checked, timed, and checked again. */
import { descriptionOf } from './catalogue.ts';
import type { Absence, ClientCase, ClientContest, Context, OwnContest, RoundsContest } from './contest.ts';
import type { CaseDescription, Emit, Plan, ProbeSamples } from './messages.ts';
import type { RecentCycle } from './probe.ts';
import { sampleInTurns, type Probe } from './sampler.ts';
import { YARDSTICK, type Yardstick } from './yardstick.ts';

/** The session's side of a contest that is running. */
export interface Session {
  readonly context: Context;
  readonly plan: Plan;
  readonly yardstick: Yardstick;
  /** Undefined in hosts without vectors or with a coarse clock. */
  readonly probe?: Probe | undefined;
  readonly recentCycle: RecentCycle;
  readonly emit: Emit;
  readonly now: () => number;
  /** The code that has run long enough to be compiled. */
  readonly hot: Set<string>;
  /** The number of contests in the session. */
  readonly of: number;
}

/** Progress messages are sent this often. */
const PROGRESS_MILLISECONDS = 100;

/** Messages of one size class run the same code: many kernels treat short messages separately. */
const sizeOf = (bytes: number): string => (bytes <= 64 ? 'a block' : bytes <= 2048 ? 'short' : 'long');

/** Cases with the same key run the same code on other data. */
const codeOf = ({ description }: ClientCase): string => {
  const { contestant, engine = '', standing, primitive, operation, bytes } = description;
  return [contestant, engine, standing, primitive, operation, sizeOf(bytes)].join('/');
};

/** Engines compile a function after it has processed a few megabytes, or after a few thousand calls. */
const COMPILED_BYTES = 2 ** 22;
const COMPILED_CALLS = 2 ** 11;
const leastOf = ({ description: { bytes } }: ClientCase): number =>
  Math.ceil(Math.min(COMPILED_CALLS, COMPILED_BYTES / Math.max(bytes, 1)));

/** Runs a contest; whether there were samples. */
export const runContest = (contest: ClientContest, index: number, session: Session): Promise<boolean> =>
  contest.form === 'rounds' ? runRounds(contest, index, session) : runOwn(contest, index, session);

function begin(
  contest: ClientContest,
  index: number,
  { emit, of }: Session,
  cases: readonly CaseDescription[],
  absent: readonly Absence[],
): void {
  emit({ type: 'contest-start', index, of, contest: descriptionOf(contest), cases });
  for (const absence of absent) emit({ type: 'unavailable', contest: contest.id, ...absence });
}

async function runOwn(contest: OwnContest, index: number, session: Session): Promise<boolean> {
  const { context, emit, now } = session;
  const start = now();
  const { cases, absent, nanoseconds } = await contest.measure(context);
  begin(contest, index, session, cases, absent);
  const batches = Object.fromEntries(cases.map(({ id }) => [id, 1]));
  emit({ type: 'samples', contest: contest.id, nanoseconds, batches, cycle: [], milliseconds: now() - start });
  return true;
}

/** Separates the cases with the right answer from those with a fault. */
async function checked(cases: readonly ClientCase[]) {
  const right: ClientCase[] = [];
  const wrong: { item: ClientCase; fault: string }[] = [];
  for (const item of cases) {
    const fault = await item.fault();
    if (fault === undefined) right.push(item);
    else wrong.push({ item, fault });
  }
  return { right, wrong };
}

async function runRounds(contest: RoundsContest, index: number, session: Session): Promise<boolean> {
  const { emit, now } = session;
  const start = now();
  const { cases, absent, end } = await contest.prepare(session.context);
  const tell = ({ id, description }: ClientCase, fault: string): void => {
    emit({ type: 'fault', contest: contest.id, case: id, contestant: description.contestant, fault });
  };
  try {
    const { right, wrong } = await checked(cases);
    begin(
      contest,
      index,
      session,
      right.map(({ description }) => description),
      absent,
    );
    for (const { item, fault } of wrong) tell(item, fault);
    if (right.length === 0) return false;

    const { nanoseconds, batches, cycle, probe } = await sampled(contest, index, session, right);
    // Optimising compilers have replaced the code by now, so the answers are checked again.
    const later = await checked(right);
    const kept = later.right.map(({ id }) => id);
    const of = <T>(all: Readonly<Record<string, T>>): Record<string, T> =>
      Object.fromEntries(kept.map((id) => [id, all[id]]));
    emit({
      type: 'samples',
      contest: contest.id,
      nanoseconds: of(nanoseconds),
      batches: of(batches),
      cycle,
      ...(probe && { probe: { ...probe, nanoseconds: of(probe.nanoseconds) } }),
      milliseconds: now() - start,
    });
    for (const { item, fault } of later.wrong) tell(item, `${fault} after it was timed`);
    return kept.length > 0;
  } finally {
    for (const item of cases) item.end?.();
    end?.();
  }
}

/** Samples all cases, and converts the yardstick's times into nanoseconds per cycle. */
async function sampled(contest: RoundsContest, index: number, session: Session, cases: readonly ClientCase[]) {
  const { context, emit, hot, now, of, probe, recentCycle, yardstick } = session;
  const plan: Plan = { ...session.plan, ...contest.plan, batchMilliseconds: session.plan.batchMilliseconds };
  let told = now();
  const onRound = (round: number): void => {
    if (now() - told < PROGRESS_MILLISECONDS) return;
    told = now();
    emit({ type: 'progress', contest: contest.id, index, of, round, rounds: plan.rounds[1] });
  };
  const timed = cases.map((item) => ({ ...item, least: leastOf(item), hot: hot.has(codeOf(item)) }));
  const samples = await sampleInTurns([...timed, yardstick], plan, context.random, {
    ...context.hooks,
    onRound,
    probe,
  });
  for (const item of cases) hot.add(codeOf(item));
  const { nanoseconds, batches, probes } = samples;
  const cycle = nanoseconds[YARDSTICK].map(yardstick.cycle);
  const recent = recentCycle.after(cycle);
  const around: ProbeSamples | undefined = probe &&
    probes && { passes: probe.passes, cycle: recent, nanoseconds: probes };
  return { nanoseconds, batches, cycle, probe: around };
}
