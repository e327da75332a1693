/**
 * A result prepared for computations: samples decoded and sorted by the state of the core, sessions grouped by engine,
 * untrusted ones set aside.
 */
import { known } from '../client/known.ts';
import { median, pairs } from './medians.ts';
import {
  bestOf,
  probesOf,
  sorted,
  statesOf,
  together,
  type CoreState,
  type Probes,
  type Rounds,
  type Sorted,
} from './quiet.ts';
import { decodeProbes, decodeSamples } from './samples.ts';
import type { CaseRecord, ContestRecord, EngineRecord, Result, SampledRecord, SessionRecord } from './schema.ts';
import { drift, isNoisy, type Processes } from './statistics.ts';

/** An engine in one kind of host: a page and a worker are two. */
export interface EngineView {
  /** Stable: `firefox`, or `firefox in a worker`. */
  readonly key: string;
  /** With its version. */
  readonly name: string;
  readonly record: EngineRecord;
  readonly place: string;
  /** The clock is so coarse that cycles mean nothing. */
  readonly coarse: boolean;
  readonly sessions: readonly SessionView[];
  /** Sessions that are in no table, with the reasons. */
  readonly distrusted: readonly string[];
}

/** Samples of a case in one session. */
export interface Sampled {
  readonly description: CaseRecord;
  readonly batch: number;
  readonly nanoseconds: readonly number[];
}

export interface SampledContest {
  /** Samples by the id of the case. */
  readonly cases: ReadonlyMap<string, Sampled>;
  readonly cycle: readonly number[];
  readonly probes: Probes | undefined;
}

export interface SessionView {
  readonly record: SessionRecord;
  readonly contest: (id: string) => SampledContest | undefined;
  /** Those of all contests. */
  readonly probes: () => readonly Probes[];
  /** Contests in which the yardstick was disturbed. */
  readonly noisy: () => readonly string[];
  /** Whether the clock rate fell or rose from the first contest to the last. */
  readonly drifting: () => boolean;
}

/** One case of one contest in all sessions of an engine. */
export interface CaseView {
  readonly description: CaseRecord;
  /** One list for each session, with one number for each round; of quiet rounds, where there are enough. */
  readonly nanoseconds: Processes;
  /** Cycles of one operation in the same rounds; undefined where there is no yardstick that is to be trusted. */
  readonly cycles: Processes | undefined;
  /** All rounds, and which of them `nanoseconds` has. */
  readonly sorted: Sorted;
}

export interface View {
  readonly result: Result;
  readonly engines: readonly EngineView[];
  /** The engine that represents all where there is room for one only: the newest Node, if it took part. */
  readonly principal: EngineView | undefined;
  readonly contests: readonly ContestRecord[];
  contest(id: string): ContestRecord | undefined;
  /** Cases in the order of the contest; empty if it did not take place. */
  cases(engine: EngineView, contest: string): readonly CaseView[];
  case(engine: EngineView, contest: string, id: string): CaseView | undefined;
  /** Paired ratios: the time of one case over that of another, in each session that has both; of quiet rounds. */
  ratios(engine: EngineView, contest: string, numerator: string, denominator: string): Processes;
  /** The same with the rounds that were not chosen. */
  sortedRatios(engine: EngineView, contest: string, numerator: string, denominator: string): Sorted;
}

export function viewOf(result: Result): View {
  const engines = enginesOf(result);
  const byId = new Map(result.contests.map((contest) => [contest.id, contest]));

  /** Half of the rounds took no time that the clock could show. A single call, which isn't a round, may take none. */
  const isBelowClock = (contest: string, nanoseconds: readonly number[]): boolean =>
    byId.get(contest)?.form === 'rounds' && median(nanoseconds) === 0;

  const collected = new Map<string, CaseView[]>();
  const cases = (engine: EngineView, contest: string): CaseView[] =>
    known(collected, `${engine.key} ${contest}`, () => collect(engine, contest));
  const best = new Map<EngineView, number | undefined>();
  const statesIn = (engine: EngineView, { probes }: SampledContest, id: string): readonly CoreState[] | undefined => {
    const quick = known(best, engine, () => bestOf(engine.sessions.flatMap((session) => session.probes())));
    return probes?.times.has(id) && quick !== undefined ? statesOf(probes, id, quick) : undefined;
  };
  const collect = (engine: EngineView, contest: string): CaseView[] => {
    interface Found {
      readonly description: CaseRecord;
      readonly rounds: Rounds[];
      readonly cycles: Rounds[];
    }
    const found = new Map<string, Found>();
    for (const session of engine.sessions) {
      const sampled = session.contest(contest);
      for (const [id, { description, nanoseconds }] of sampled?.cases ?? []) {
        if (nanoseconds.length === 0 || isBelowClock(contest, nanoseconds)) continue;
        const all = known(found, id, (): Found => ({ description, rounds: [], cycles: [] }));
        const states = statesIn(engine, sampled!, id);
        all.rounds.push({ values: nanoseconds, states });
        const { cycle } = sampled!;
        if (cycle.length === nanoseconds.length) all.cycles.push(...paired(nanoseconds, cycle, states));
      }
    }
    return Array.from(found.values(), ({ description, rounds, cycles }): CaseView => {
      const times = sorted(rounds);
      return {
        description,
        nanoseconds: times.chosen,
        cycles: engine.coarse || cycles.length === 0 ? undefined : sorted(cycles).chosen,
        sorted: times,
      };
    });
  };
  const sortedRatios: View['sortedRatios'] = (engine, contest, numerator, denominator) =>
    sorted(
      engine.sessions.flatMap((session): Rounds[] => {
        const sampled = session.contest(contest);
        const [over, under] = [sampled?.cases.get(numerator), sampled?.cases.get(denominator)];
        if (!over || !under || over.nanoseconds.length === 0) return [];
        const [one, other] = [numerator, denominator].map((id) => statesIn(engine, sampled!, id));
        if ([over, under].some(({ nanoseconds }) => isBelowClock(contest, nanoseconds))) return [];
        return paired(over.nanoseconds, under.nanoseconds, one && other && together(one, other));
      }),
    );

  return {
    result,
    engines,
    principal: [...engines].sort(moreOften)[0],
    contests: result.contests,
    contest: (id) => byId.get(id),
    cases,
    case: (engine, contest, id) => cases(engine, contest).find(({ description }) => description.id === id),
    ratios: (engine, contest, numerator, denominator) => sortedRatios(engine, contest, numerator, denominator).chosen,
    sortedRatios,
  };
}

/** The ratios of the rounds in which the clock saw the denominator: nothing can be divided by a time of 0. */
function paired(
  numerators: readonly number[],
  denominators: readonly number[],
  states: readonly CoreState[] | undefined,
): Rounds[] {
  const isSeen = (_: unknown, round: number): boolean => denominators[round] > 0;
  const values = pairs(numerators, denominators).filter(isSeen);
  return values.length === 0 ? [] : [{ values, states: states?.filter(isSeen) }];
}

/** Cycles per byte in each round of each process; undefined where there are none. */
export function perByte({ description, cycles }: CaseView): Processes | undefined {
  const { bytes } = description;
  return bytes === 0 ? undefined : cycles?.map((rounds) => rounds.map((value) => value / bytes));
}

function enginesOf({ engines, sessions, contests, cases }: Result): EngineView[] {
  const forms = new Map(contests.map(({ id, form }) => [id, form]));
  return engines.flatMap((record) => {
    const own = sessions.filter(({ engine }) => engine === record.id);
    const known = own.flatMap(({ hello }) => hello?.place ?? []);
    // A session without a first message is counted in the host of the engine's other sessions.
    const placeOf = ({ hello }: SessionRecord): string => hello?.place ?? known[0] ?? 'unknown';
    const places = [...new Set(own.map(placeOf))];
    return places.map((place): EngineView => {
      const here = own.filter((session) => placeOf(session) === place);
      const inWorker = place === 'worker' ? ' in a worker' : '';
      const reasonOf = (session: SessionRecord): string | undefined => whyNot(session, record.tier === 'baseline');
      const trusted = here.filter((session) => reasonOf(session) === undefined);
      return {
        key: record.id + inWorker,
        name: `${nameOf(record)}${inWorker}`,
        record,
        place,
        coarse: here.some(({ hello }) => hello?.timer.coarse === true),
        sessions: trusted.map((session) => sessionView(session, cases, forms)),
        distrusted: here.flatMap((session) => reasonOf(session) ?? []),
      };
    });
  });
}

/** For example `Node 26.10`, whether or not the name contains a version. */
function nameOf({ name, version }: EngineRecord): string {
  const [major, minor] = version.split('.');
  const short = minor === undefined || minor === '0' ? major : `${major}.${minor}`;
  return `${name.replace(/\s+v?\d[\d.]*$/, '')} ${short}`;
}

/** The reason why a session is not trusted, or undefined. */
function whyNot({ hello, canaries, errors }: SessionRecord, slowTier: boolean): string | undefined {
  if (!hello) return errors[0]?.message ?? 'it said nothing';
  if (slowTier) return undefined;
  const sick = canaries.find(({ trusted }) => !trusted);
  return sick && (sick.reason ?? 'the canary kernel was slow');
}

function sessionView(
  record: SessionRecord,
  descriptions: readonly CaseRecord[],
  forms: ReadonlyMap<string, ContestRecord['form']>,
): SessionView {
  const records = new Map(record.contests.map((contest) => [contest.contest, contest]));
  const decoded = new Map<string, SampledContest | undefined>();
  const contest = (id: string): SampledContest | undefined =>
    known(decoded, id, () => {
      const sampled = records.get(id);
      return (
        sampled && {
          cycle: decodeSamples(sampled.cycle),
          probes: probesIn(sampled, record, descriptions),
          cases: new Map(
            sampled.cases.map(({ case: index, batch, nanoseconds }) => {
              const description = descriptions[index];
              return [description.id, { description, batch, nanoseconds: decodeSamples(nanoseconds) }];
            }),
          ),
        }
      );
    });
  const inRounds = record.contests.map((each) => each.contest).filter((id) => forms.get(id) === 'rounds');
  return {
    record,
    contest,
    probes: () => record.contests.flatMap((sampled) => contest(sampled.contest)?.probes ?? []),
    noisy: () => inRounds.filter((id) => isNoisy(contest(id)!.cycle)),
    drifting: () => drift(inRounds.map((id) => median(contest(id)!.cycle))).drifting,
  };
}

function probesIn(
  { probe, cases }: SampledRecord,
  { hello }: SessionRecord,
  descriptions: readonly CaseRecord[],
): Probes | undefined {
  if (!probe || !hello) return undefined;
  const { least, ...rest } = probe;
  const nanoseconds = Object.fromEntries(
    cases.map(({ case: index, probes = '' }) => [descriptions[index].id, decodeProbes(probes, least)]),
  );
  return probesOf({ ...rest, nanoseconds }, hello.timer.stepMilliseconds);
}

/** Node before others, then engines with more contests, then newer ones. */
function moreOften(one: EngineView, other: EngineView): number {
  const contests = ({ sessions }: EngineView): number => sessions[0]?.record.contests.length ?? 0;
  const major = ({ record }: EngineView): number => Number.parseInt(record.version, 10) || 0;
  const node = ({ place }: EngineView): number => (place === 'node' ? 1 : 0);
  return (
    Math.sign(other.sessions.length) - Math.sign(one.sessions.length) ||
    node(other) - node(one) ||
    contests(other) - contests(one) ||
    major(other) - major(one)
  );
}
