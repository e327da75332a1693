/** The table of docs/speed.md and the README's picture and sentence, computed from a result of the lab. */
import type { RoomContests } from '../client/room.ts';
import { rooms } from '../client/rooms.ts';
import { nanosecondsOf, oursIn, ratio } from '../report/groups.ts';
import { bytes, megabytesPerSecond, significant } from '../report/numbers.ts';
import { markdown } from '../report/markdown.ts';
import { countOf, mark, MARKED } from '../report/quiet.ts';
import { processorName } from '../results/processor.ts';
import { sumOf, type Sorted } from '../results/quiet.ts';
import type { Result } from '../results/schema.ts';
import { viewOf, type View } from '../results/view.ts';
import { bars } from '../charts/bars.ts';

/** The engine whose figures the documents show. */
const ENGINE = 'node26';

/** A row of the table of speeds. */
interface Figure {
  readonly title: string;
  /** The id of the contest in a result of the lab. */
  readonly contest: string;
  readonly result: 'out' | 'allocated';
  /** The id of our case, where a contest has several; the best of ours unless given. */
  readonly ours?: string;
  readonly rivals: readonly string[];
  readonly shown?: boolean;
}

/** The rows of a room: of each primitive the longest messages first. */
const figuresOf = ({ platforms = [], streams = [] }: RoomContests): readonly Figure[] => [
  ...[...Map.groupBy(platforms, ({ operation }) => operation.primitive).values()].flatMap((entries) =>
    entries
      .toSorted((a, b) => b.length - a.length)
      .flatMap(({ operation: { primitive, id, allocates }, length, row }): Figure[] =>
        row
          ? [
              {
                title: `${primitive}, ${bytes(length)}`,
                contest: `platforms/${id}/${length}`,
                result: allocates === true ? 'allocated' : 'out',
                ...row,
              },
            ]
          : [],
      ),
  ),
  ...streams.flatMap(({ id, sizes, rows = [] }) =>
    rows.map((row) => ({ contest: `streams/${id}/${sizes[0].bytes}`, ...row })),
  ),
];

/** Native code: it may use the processor's widest vectors, and its instructions for AES. */
const isNative = (name: string): boolean => /native|node:crypto|WebCrypto/.test(name);

interface Rival {
  readonly name: string;
  readonly times: number;
  readonly sorted: Sorted;
}

interface Row {
  readonly speed: string;
  /** The same as a number. */
  readonly megabytesPerSecond: number;
  readonly rivals: readonly Rival[];
  /** The time of our native code as a multiple of ours; undefined where it wasn't measured. */
  readonly native: Rival | undefined;
  /** Our samples, and the rounds of each ratio. */
  readonly all: readonly Sorted[];
}

function rowOf(view: View, { contest, ours, rivals: named }: Figure): Row {
  const engine = view.engines.find(({ key }) => key === ENGINE);
  if (!engine) throw new Error(`the result has no ${ENGINE}`);
  const cases = view.cases(engine, contest);
  const own = ours === undefined ? oursIn(cases) : cases.find(({ description: { id } }) => id === ours);
  if (!own) throw new Error(`the result has no ${contest} in ${ENGINE}`);
  const beside = (name: string): Rival[] => {
    const pair = [engine, contest, name, own.description.id] as const;
    const found = ratio(view, ...pair);
    return found ? [{ name, times: found.value, sorted: view.sortedRatios(...pair) }] : [];
  };
  const rivals = cases
    .flatMap(({ description: { id } }) => (named.includes(id) ? beside(id) : []))
    .sort((a, b) => a.times - b.times);
  const speed = megabytesPerSecond(own.description.bytes, nanosecondsOf(own));
  return {
    speed: speed + mark(own.sorted),
    megabytesPerSecond: Number(speed),
    rivals,
    native: beside('lanewise native')[0],
    all: [own.sorted, ...rivals.map(({ sorted }) => sorted)],
  };
}

const listed = (rivals: readonly Rival[]): string =>
  rivals
    .map(
      ({ name, times, sorted }) =>
        `${name.replace(/native |, native|, stream$/, '')} ${significant(times)}${mark(sorted)}`,
    )
    .join(', ') || 'none';

/** A result and its name, which is the day of the run. */
export interface NamedResult {
  readonly name: string;
  readonly result: Result;
}

/** Marks rows that the first run lacks. */
const LATER = '†';

const processesOf = ({ sessions }: Result): string => {
  const count = sessions.filter(({ engine }) => engine === ENGINE).length;
  return `${count} ${count === 1 ? 'process' : 'processes'}`;
};

interface Found {
  readonly figure: Figure;
  /** The number of the run that has it. */
  readonly run: number;
  readonly row: Row;
}

interface Read {
  readonly runs: readonly NamedResult[];
  readonly engine: string;
  readonly processor: string;
  readonly found: readonly Found[];
  readonly missing: readonly Figure[];
}

/** Rows that the first run lacks come from the next that has them. */
export function readFigures(runs: readonly NamedResult[]): Read {
  const views = runs.map(({ result }) => viewOf(result));
  const [{ name, result }, ...later] = runs;
  const processor = processorName(result.host);
  for (const other of later) {
    const its = processorName(other.result.host);
    if (its !== processor)
      throw new Error(`one table shows one machine: ${name} is of ${processor}, ${other.name} of ${its}`);
  }
  const figures = rooms
    .flatMap(({ contests }) => figuresOf(contests))
    .map((figure) => ({ figure, run: views.findIndex((view) => view.contest(figure.contest)) }));
  return {
    runs,
    engine: views[0].engines.find(({ key }) => key === ENGINE)!.name,
    processor,
    found: figures.filter(({ run }) => run >= 0).map((each) => ({ ...each, row: rowOf(views[each.run], each.figure) })),
    missing: figures.filter(({ run }) => run < 0).map(({ figure }) => figure),
  };
}

/** The section of docs/speed.md in the format of Prettier: a paragraph about the run, and a table. */
export function speedSection({ runs, engine, processor, found, missing }: Read): string {
  const [{ name, result }, ...later] = runs;
  const hasNative = found.some(({ row }) => row.native);
  const rows = found.map(({ figure: { title, result: to }, run, row: { speed, rivals, native } }) => [
    run > 0 ? `${title} ${LATER.repeat(run)}` : title,
    to === 'out' ? '`out`' : to,
    speed,
    listed(rivals.filter((rival) => !isNative(rival.name))),
    listed(rivals.filter((rival) => isNative(rival.name))),
    ...(hasNative ? [native ? significant(1 / native.times) : '–'] : []),
  ]);
  const head = ['', 'result', 'MB/s', 'times as fast as', 'as native code', ...(hasNative ? ['in C, times'] : [])];
  const explained = later.map((each, i) =>
    found.some(({ run }) => run === i + 1)
      ? ` Rows with ${LATER.repeat(i + 1)} are of another run on this machine (${each.name}), ${processesOf(each.result)}.`
      : '',
  );
  return [
    `One run of the lab (${name}) on ${processor}, ${engine}, ${processesOf(result)}: medians of paired ratios${roundsOf(found.flatMap(({ row }) => row.all))}. Our results go to the caller's \`out\`, or are allocated.${explained.join('')}${notMeasured(missing)}`,
    '',
    markdown(head, rows, head.length),
  ].join('\n');
}

const shown = ({ found }: Read): readonly Found[] => found.filter(({ figure }) => figure.shown === true);
const fastest = (rivals: readonly Rival[], native: boolean): Rival | undefined =>
  rivals.filter(({ name }) => isNative(name) === native).sort((a, b) => a.times - b.times)[0];

/** The bars beside ours; one that no row has is left out, as that of native code of ours in results without it. */
const BARS: Readonly<Record<string, (row: Row) => Rival | undefined>> = {
  'fastest other JavaScript or WebAssembly': ({ rivals }) => fastest(rivals, false),
  noble: ({ rivals }) => rivals.find(({ name }) => name === 'noble'),
  'native code': ({ rivals }) => fastest(rivals, true),
  'Lanewise in C': ({ native }) => native,
};

/** The README's picture: the speed of each shown row beside its fastest rivals, with and without native code. */
export function speedPicture(read: Read): string {
  const rows = shown(read);
  const all = Object.entries(BARS).filter(([, of]) => rows.some(({ row }) => of(row)));
  const speed = (row: Row, rival: Rival | undefined): number | undefined =>
    rival && row.megabytesPerSecond / rival.times;
  const picture = bars({
    title: 'Speed',
    description: rows
      .map(({ figure, row }) => `${figure.title}: ${row.speed} MB/s, as fast as ${listed(row.rivals)} times`)
      .join('; '),
    series: ['Lanewise', ...all.map(([name]) => name)],
    groups: rows.map(({ figure, row }) => ({
      // A length stays in one line.
      name: figure.title.replace(/ (?=[KM]?i?B$)/, '\u00a0'),
      values: [row.megabytesPerSecond, ...all.map(([, of]) => speed(row, of(row)))],
    })),
    axis: 'MB/s',
    format: (value) => value.toFixed(0),
  });
  if (picture === undefined) throw new Error('the result has none of the rows that the README shows');
  return picture(`${read.processor}, ${read.engine}`);
}

/** The README's section: the picture, and a sentence about its first row. */
export function speedSummary(read: Read): string {
  const [{ figure, row }] = shown(read);
  const times = ({ name, times }: Rival): string => `${significant(times)} times ${name}`;
  const rivals = row.rivals.filter(({ name }) => !isNative(name)).map(times);
  const native = fastest(row.rivals, true);
  return [
    '![Bars of speeds; docs/speed.md has all figures as a table](docs/speed.svg)',
    '',
    `${figure.title}: **${row.speed} MB/s**, ${rivals.join(' and ')}${native ? `, and ${significant(native.times)} of native code (${native.name})` : ''}: one core of ${read.processor}, ${read.engine}. [All figures](docs/speed.md), and [how they are measured](docs/guide/measuring.md).`,
  ].join('\n');
}

/** Names the rows that are missing because the results are older than their contests. */
const notMeasured = (missing: readonly Figure[]): string =>
  missing.length === 0
    ? ''
    : ` Not measured in that run: ${missing.map(({ title, result }) => `${title} (${result === 'out' ? '`out`' : result})`).join('; ')}.`;

/** How many of the rounds were quiet, for results with probes. */
function roundsOf(all: readonly Sorted[]): string {
  if (all.every(({ basis }) => basis === 'unknown')) return '';
  const few = all.some(({ basis }) => basis === 'all') ? `; ${MARKED.slice(0, -1)}` : '';
  return ` of quiet rounds, ${countOf(sumOf(all.map(({ tally }) => tally)))}${few}`;
}
