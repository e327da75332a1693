/** The README's table of speeds, computed from a result of the lab: no figure in it is written by hand. */
import { pathToFileURL } from 'node:url';
import { rooms } from '../client/rooms.ts';
import { nanosecondsOf, oursIn, ratio } from '../report/groups.ts';
import { megabytesPerSecond, significant } from '../report/numbers.ts';
import { countOf, mark, MARKED } from '../report/quiet.ts';
import { processorName } from '../results/processor.ts';
import { sumOf, type Sorted } from '../results/quiet.ts';
import type { Result } from '../results/schema.ts';
import { viewOf, type View } from '../results/view.ts';
import { roomFolders } from '../room-folders.ts';
import type { Figure } from './figure.ts';

/** The engine whose figures the README shows. */
const ENGINE = 'node26';

/** The rows of all rooms, in the order of the rooms. */
async function figuresOfRooms(): Promise<readonly Figure[]> {
  const files = new Map(roomFolders().map(({ name, file }) => [name, file('figures')]));
  const all = await Promise.all(
    rooms.map(async ({ name }) => {
      const path = files.get(name);
      if (path === undefined) return [];
      const module = (await import(/* @vite-ignore */ pathToFileURL(path).href)) as { figures: readonly Figure[] };
      return module.figures;
    }),
  );
  return all.flat();
}

/** Native code: it may use the processor's widest vectors, and its instructions for AES. */
const isNative = (name: string): boolean => /native|node:crypto|WebCrypto/.test(name);

interface Rival {
  readonly name: string;
  readonly times: number;
  readonly sorted: Sorted;
}

interface Row {
  readonly speed: string;
  readonly rivals: readonly Rival[];
  /** Our samples, and the rounds of each ratio. */
  readonly all: readonly Sorted[];
}

function rowOf(view: View, { contest, ours, rivals: named }: Figure): Row {
  const engine = view.engines.find(({ key }) => key === ENGINE);
  if (!engine) throw new Error(`the result has no ${ENGINE}`);
  const cases = view.cases(engine, contest);
  const own = ours === undefined ? oursIn(cases) : cases.find(({ description: { id } }) => id === ours);
  if (!own) throw new Error(`the result has no ${contest} in ${ENGINE}`);
  const rivals = cases
    .filter(({ description }) => named.includes(description.id))
    .flatMap(({ description: { id } }) => {
      const found = ratio(view, engine, contest, id, own.description.id);
      const sorted = view.sortedRatios(engine, contest, id, own.description.id);
      return found ? [{ name: id, times: found.value, sorted }] : [];
    })
    .sort((a, b) => a.times - b.times);
  return {
    speed: megabytesPerSecond(own.description.bytes, nanosecondsOf(own)) + mark(own.sorted),
    rivals,
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

/**
 * The section in the format of Prettier: a paragraph about the run, and a table. Rows that the first run lacks come from
 * the next that has them.
 */
export async function speedSection(runs: readonly NamedResult[]): Promise<string> {
  const views = runs.map(({ result }) => viewOf(result));
  const [{ name, result }, ...later] = runs;
  const processor = processorName(result.host);
  for (const other of later) {
    const its = processorName(other.result.host);
    if (its !== processor)
      throw new Error(`one table shows one machine: ${name} is of ${processor}, ${other.name} of ${its}`);
  }
  const figures = (await figuresOfRooms()).map((figure) => ({
    figure,
    run: views.findIndex((view) => view.contest(figure.contest)),
  }));
  const found = figures
    .filter(({ run }) => run >= 0)
    .map(({ figure, run }) => ({ figure, run, row: rowOf(views[run], figure) }));
  const rows = found.map(({ figure: { title, result: to }, run, row: { speed, rivals } }) => {
    return [
      run > 0 ? `${title} ${LATER.repeat(run)}` : title,
      to === 'out' ? '`out`' : to,
      speed,
      listed(rivals.filter((rival) => !isNative(rival.name))),
      listed(rivals.filter((rival) => isNative(rival.name))),
    ];
  });
  const head = ['', 'result', 'MB/s', 'times as fast as', 'as native code'];
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i].length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`;
  const explained = later.map((each, i) =>
    found.some(({ run }) => run === i + 1)
      ? ` Rows with ${LATER.repeat(i + 1)} are of another run on this machine (${each.name}), ${processesOf(each.result)}.`
      : '',
  );
  return [
    `One run of the lab (${name}) on ${processor}, ${views[0].engines.find(({ key }) => key === ENGINE)!.name}, ${processesOf(result)}: medians of paired ratios${roundsOf(found.flatMap(({ row }) => row.all))}. Our results go to a buffer that is given (\`out\`), or are allocated.${explained.join('')}${notMeasured(figures.filter(({ run }) => run < 0).map(({ figure }) => figure))}`,
    '',
    line(head),
    line(widths.map((width) => '-'.repeat(width))),
    ...rows.map(line),
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

const START = '<!-- `npm run figures` writes from here … -->';
const END = '<!-- … to here. -->';

/** Replaces the section between its marks in the README. */
export function withSpeeds(readme: string, section: string): string {
  const [start, end] = [readme.indexOf(START), readme.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`the README lacks the marks "${START}" and "${END}"`);
  return `${readme.slice(0, start + START.length)}\n\n${section}\n\n${readme.slice(end)}`;
}
