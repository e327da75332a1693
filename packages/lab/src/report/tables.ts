/** The tables that are customary in the field, as data: report/text.ts and report/html.ts show them. */
import type { ContestRecord } from '../results/schema.ts';
import { middle } from '../results/statistics.ts';
import { median, quantile } from '../results/medians.ts';
import { perByte, type CaseView, type EngineView, type View } from '../results/view.ts';
import { engineCase, groupsOf, lengthOf, nameOfGroup, nanosecondsOf, oursIn, ratio, type Group } from './groups.ts';
import { bytes, duration, megabytesPerSecond, significant, times, withInterval } from './numbers.ts';
import { busyFigure, countOf, mark, MARKED, tallyIn } from './quiet.ts';
import { machineOf, NOTHING, type Table } from './table.ts';

/** Notes of tables in a result with probes explain their marks. */
const isProbed = ({ result }: View): boolean =>
  result.sessions.some(({ contests }) => contests.some(({ probe }) => probe !== undefined));
const explained = (view: View): string => (isProbed(view) ? ` Figures are of quiet rounds; ${MARKED}` : '');

const speed = (found: CaseView | undefined): string =>
  found ? megabytesPerSecond(found.description.bytes, nanosecondsOf(found)) + mark(found.sorted) : NOTHING;

/** A ratio by paired rounds. */
function factor(view: View, engine: EngineView, contest: string, numerator: string, denominator: string): string {
  const found = view.sortedRatios(engine, contest, numerator, denominator);
  return times(middle(found.chosen)) + mark(found);
}

/** A last row with the quiet samples of each column; nothing without probes. */
function quietRow(
  view: View,
  columns: readonly { readonly engine: EngineView; readonly contest: string }[],
): string[][] {
  const tallies = columns.map(({ engine, contest }) => tallyIn(view, engine, [contest]));
  return tallies.some((tally) => tally !== undefined)
    ? [['quiet samples', ...tallies.map((tally) => (tally ? countOf(tally) : NOTHING))]]
    : [];
}

/** How many times as fast one case is as another, and the rounds of that. */
function speedUp(view: View, engine: EngineView, contest: string, slow?: CaseView, fast?: CaseView) {
  if (!slow || !fast) return undefined;
  const pair = [engine, contest, slow.description.id, fast.description.id] as const;
  const [found, rounds] = [ratio(view, ...pair), view.sortedRatios(...pair)];
  return found && { text: withInterval(found) + mark(rounds), rounds };
}

/** Engine × chunk × JavaScript × scalar × SIMD × native × speed-ups, longest chunks first. Results without native code have no column for it. */
function speedTable(view: View, group: Group): Table {
  const probed = isProbed(view);
  const hasNative = group.contests.some(({ id }) =>
    view.engines.some((each) => engineCase(view.cases(each, id), 'native')),
  );
  const rows = view.engines.flatMap((engine) =>
    group.contests.toReversed().flatMap((contest) => {
      const cases = view.cases(engine, contest.id);
      const [simd, scalar, js, native] = ['simd', 'scalar', 'js', 'native'].map((name) => engineCase(cases, name));
      if (!simd && !scalar && !js) return [];
      const faster = speedUp(view, engine, contest.id, scalar, simd);
      const rounds = faster?.rounds;
      return [
        [
          engine.name,
          bytes(lengthOf(contest)),
          speed(js),
          speed(scalar),
          speed(simd),
          faster?.text ?? NOTHING,
          ...(hasNative ? [speed(native), speedUp(view, engine, contest.id, simd, native)?.text ?? NOTHING] : []),
          ...(probed ? [rounds ? busyFigure(rounds, times) : NOTHING, rounds ? countOf(rounds.tally) : NOTHING] : []),
        ],
      ];
    }),
  );
  return {
    title: `${nameOfGroup(group)}: scalar and SIMD`,
    note:
      'MB/s (a million bytes in a second); the speed-up is the median of paired ratios, with its 95 % interval.' +
      explained(view),
    machine: machineOf(view),
    head: [
      'engine',
      'chunk',
      'JS MB/s',
      'scalar MB/s',
      'SIMD MB/s',
      'SIMD ÷ scalar',
      ...(hasNative ? ['native MB/s', 'native ÷ SIMD'] : []),
      ...(probed ? ['busy rounds', 'quiet rounds'] : []),
    ],
    rows,
    names: 1,
  };
}

/** Contestant × length, in one engine. */
function rivalTable(view: View, engine: EngineView, group: Group): Table {
  const columns = group.contests.map((contest) => ({ contest, cases: view.cases(engine, contest.id) }));
  const ids = [...new Set(columns.flatMap(({ cases }) => cases.map(({ description }) => description.id)))];
  const cell = (id: string, { contest, cases }: (typeof columns)[number]): string => {
    const found = cases.find(({ description }) => description.id === id);
    if (!found) return NOTHING;
    const ours = oursIn(cases);
    if (!ours || ours === found || found.description.standing === 'ours') return speed(found);
    return `${speed(found)} (${factor(view, engine, contest.id, id, ours.description.id)})`;
  };
  return {
    title: `${nameOfGroup(group)}: the field in ${engine.name}`,
    note:
      'MB/s; in brackets, how many times as long it takes as ours with SIMD, or the best of ours that is there.' +
      explained(view),
    machine: machineOf(view),
    head: ['', ...group.contests.map((contest) => bytes(lengthOf(contest)))],
    rows: [
      ...ids.map((id) => [id, ...columns.map((column) => cell(id, column))]),
      ...quietRow(
        view,
        group.contests.map((contest) => ({ engine, contest: contest.id })),
      ),
    ],
    names: 1,
  };
}

/**
 * The columns of eBACS. Its "long" is a slope, without the cost of a call; here the slope is between lengths at which
 * trees are wide.
 */
const COLUMNS = [8, 64, 576, 1536, 4096];
const SLOPES = [
  [16384, 65536],
  [4096, 65536],
] as const;

/** Engine × length in cycles per byte: ours in every engine, the others in the principal engine. */
function cyclesTable(view: View, group: Group): Table | undefined {
  const byLength = new Map(group.contests.map((contest) => [lengthOf(contest), contest.id]));
  const slope = SLOPES.find((ends) => ends.every((end) => byLength.has(end)));
  const columns = COLUMNS.filter((length) => byLength.has(length));
  const cycles = (engine: EngineView, id: string, length: number): number | undefined => {
    const found = view.case(engine, byLength.get(length) ?? '', id);
    const values = found && perByte(found);
    return values && middle(values);
  };
  const cell = (value: number | undefined): string => (value === undefined ? NOTHING : significant(value));
  const long = (engine: EngineView, id: string): number | undefined => {
    if (!slope) return undefined;
    const [low, high] = slope.map((length) => cycles(engine, id, length));
    return low === undefined || high === undefined
      ? undefined
      : (high * slope[1] - low * slope[0]) / (slope[1] - slope[0]);
  };
  const rows = view.engines.flatMap((engine) => {
    const ids = new Set(
      group.contests.flatMap(({ id }) =>
        view
          .cases(engine, id)
          .filter(({ cycles: known, description }) => known && (engine === view.principal || isOurs(description)))
          .map(({ description }) => description.id),
      ),
    );
    return Array.from(ids, (id) => [
      engine.name,
      id,
      ...columns.map((length) => cell(cycles(engine, id, length))),
      cell(long(engine, id)),
    ]);
  });
  if (rows.length === 0) return undefined;
  const sloped = slope ? `; "long" is the slope from ${slope[0]} to ${slope[1]} bytes` : '';
  return {
    title: `${nameOfGroup(group)}: cycles per byte`,
    note: `Estimated, by the yardstick of each round${sloped}.`,
    machine: machineOf(view),
    head: ['engine', '', ...columns.map(String), 'long'],
    rows,
    names: 2,
  };
}

const isOurs = ({ standing }: CaseView['description']): boolean => standing === 'ours';

/** Case × engine, for any contest. */
export function contestTable(view: View, id: string): Table {
  const contest = view.contest(id)!;
  const engines = view.engines.filter((engine) => view.cases(engine, id).length > 0);
  const columns = engines.map((engine) => new Map(view.cases(engine, id).map((each) => [each.description.id, each])));
  const ids = [...new Set(columns.flatMap((cases) => [...cases.keys()]))];
  const cell = (cases: ReadonlyMap<string, CaseView>, engine: EngineView, caseId: string): string => {
    const [found, first] = [cases.get(caseId), cases.get(ids[0])];
    if (!found) return NOTHING;
    const took = duration(nanosecondsOf(found)) + mark(found.sorted);
    if (!first || first === found || contest.form !== 'rounds') return took;
    return `${took} (${factor(view, engine, id, caseId, ids[0])})`;
  };
  return {
    title: contest.title,
    note:
      contest.form === 'rounds'
        ? 'Time of one operation; in brackets, as a multiple of the first row, by paired ratios.' + explained(view)
        : 'Time; the median of the sessions.',
    machine: machineOf(view),
    head: ['', ...engines.map(({ name }) => name)],
    rows: [
      ...ids.map((caseId) => [caseId, ...columns.map((cases, i) => cell(cases, engines[i], caseId))]),
      ...quietRow(
        view,
        engines.map((engine) => ({ engine, contest: id })),
      ),
    ],
    names: 1,
  };
}

const QUARTILES = [0, 0.05, 0.25, 0.5, 0.75, 0.95];

/** Case × quartile, in one engine. */
export function quartileTable(view: View, engine: EngineView, { id, title }: ContestRecord): Table {
  const rows = view.cases(engine, id).map(({ description, sorted }) => {
    const { all } = sorted;
    return [
      description.id,
      String(all.length),
      ...QUARTILES.map((share) => duration(median(all.map((process) => quantile(process, share))))),
    ];
  });
  return {
    title: `${title}: quartiles`,
    note: 'Time of one operation: quartiles and percentiles of all rounds of each process, of which the median over processes is given.',
    machine: machineOf(view),
    head: ['', 'processes', 'least', '5 %', '25 %', '50 %', '75 %', '95 %'],
    rows,
    names: 1,
  };
}

const withRows = (tables: readonly Table[]): Table[] => tables.filter(({ rows }) => rows.length > 0);

export const speedTables = (view: View): Table[] =>
  withRows(groupsOf(view, 'platforms').map((group) => speedTable(view, group)));

export const rivalTables = (view: View, engine: EngineView): Table[] =>
  withRows(groupsOf(view, 'platforms').map((group) => rivalTable(view, engine, group)));

/** The contests of an axis, whatever their parameters are. */
export const contestTables = (view: View, axis: string): Table[] =>
  withRows(view.contests.filter((contest) => contest.axis === axis).map(({ id }) => contestTable(view, id)));

export const cyclesTables = (view: View): Table[] =>
  groupsOf(view, 'length').flatMap((group) => cyclesTable(view, group) ?? []);
