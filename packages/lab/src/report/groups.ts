/** Contests grouped for tables and figures: those of one axis and one operation together, by length. */
import type { ContestRecord } from '../results/schema.ts';
import { middle, estimate, type Estimate } from '../results/statistics.ts';
import { known } from '../client/known.ts';
import { seeded } from '../client/random.ts';
import type { CaseView, EngineView, View } from '../results/view.ts';

export interface Group {
  readonly primitive: string;
  readonly operation: string;
  /** Shortest first. */
  readonly contests: readonly ContestRecord[];
}

export const lengthOf = ({ parameters }: ContestRecord): number => Number(parameters['length']);

/** Groups in the order of the catalogue: a new primitive gets its group without a change here. */
export function groupsOf(view: View, axis: string): Group[] {
  const groups = new Map<string, { primitive: string; operation: string; contests: ContestRecord[] }>();
  for (const contest of view.contests) {
    if (contest.axis !== axis) continue;
    const { primitive, operation } = contest;
    known(groups, `${primitive}, ${operation}`, () => ({ primitive, operation, contests: [] })).contests.push(contest);
  }
  for (const { contests } of groups.values()) contests.sort((a, b) => lengthOf(a) - lengthOf(b));
  return [...groups.values()];
}

/** The customary length of tables in the field. */
const STANDARD_BYTES = 65536;

/** The contest that represents a group in an engine: the longest up to the usual length. */
export const representative = (view: View, engine: EngineView, { contests }: Group): ContestRecord | undefined =>
  contests.findLast((contest) => lengthOf(contest) <= STANDARD_BYTES && view.cases(engine, contest.id).length > 0);

export const nameOfGroup = ({ primitive, operation }: Group): string => `${primitive}, ${operation}`;

/** Nanoseconds of one operation: the median over processes. */
export const nanosecondsOf = ({ nanoseconds }: CaseView): number => middle(nanoseconds);

/** Our case on an engine of the library. */
export const engineCase = (cases: readonly CaseView[], engine: string): CaseView | undefined =>
  cases.find(({ description }) => description.standing === 'ours' && description.engine === engine);

/** Our case with vectors, or the best available one without. */
export const oursIn = (cases: readonly CaseView[]): CaseView | undefined =>
  ['simd', 'auto', 'scalar', 'js'].flatMap((engine) => engineCase(cases, engine) ?? [])[0];

/** The quickest that does the same task, not one that people choose instead. */
export const rivalIn = (
  cases: readonly CaseView[],
  { primitive }: Group,
  standings: readonly CaseView['description']['standing'][] = ['rival'],
): CaseView | undefined =>
  cases
    .filter(({ description }) => standings.includes(description.standing) && description.primitive === primitive)
    .toSorted((a, b) => nanosecondsOf(a) - nanosecondsOf(b))
    .at(0);

/** The time of one case over that of another, with its interval. The same data give the same figures. */
export function ratio(
  view: View,
  engine: EngineView,
  contest: string,
  numerator: string,
  denominator: string,
): Estimate | undefined {
  const processes = view.ratios(engine, contest, numerator, denominator);
  return processes.length === 0 ? undefined : estimate(processes, seeded(1));
}
