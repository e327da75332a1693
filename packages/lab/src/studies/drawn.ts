/**
 * Pictures and tables as pages of studies name them: fenced blocks of Markdown, ```` ```bars NAME ````, ```` ```lines NAME ```` and
 * ```` ```table ````, with a line for each property, and ```` ```processors NAME ```` with bars for all processors. `template.ts`
 * describes expressions.
 *
 *     alt: title: description:   of a picture; `$main` is the name of the engine of the block
 *     axis: WORDS | cycles       below bars; `x:` and `y:` of curves, with `; logarithmic`, `; bytes`, `; counts`, `; ticks 1 2 4`
 *     logarithmic  dots  mark: 1  digits: 2  foot: medians  names: 2  head: WORDS
 *     engine: CONTEST, …         the one engine of rows that aren't engines
 *     rows: newest CONTEST, …    also `usual`, `engines`, `cases CONTEST`, `items A; B = LABEL`, and two of them with ` × `
 *     points: 8 64 256           the `$x` of curves
 *     dashed: WORDS              the end of the names of curves that are dashed, in the colour of the curve before
 *     contest: CONTEST           of processors, a group for each engine in which one has measured it
 *     LABEL | EXPRESSION         a column, a bar of each group, or the value of each point; `$` is the item of the row
 */
import { bars, type Bars } from '../charts/bars.ts';
import { lines, type Axis } from '../charts/lines.ts';
import { shortBytes } from '../report/numbers.ts';
import type { Picture } from '../charts/picture.ts';
import { CYCLES, measuredBy } from './forms.ts';
import { titleOf } from './lanes.ts';
import { shortProcessor, type Machine, type MachineEngine } from './machine.ts';
import { isUsual, newest } from './newest.ts';
import { Said, table, type Value } from './prose.ts';
import { MEDIANS, type Shown } from './shown.ts';

/** How a block reads expressions. */
export interface Reading {
  readonly machine: Machine;
  readonly contestOf: (word: string) => string;
  readonly mainOf: (engines: readonly MachineEngine[]) => MachineEngine | undefined;
  readonly number: (expression: string, engine: string, item: string) => number | undefined;
  readonly cell: (expression: string, engine: string, item: string) => Value;
}

interface Row {
  readonly label: string;
  readonly engine: string;
  readonly item: string;
}

/** Counts at ticks: `4096`, `65536` and `1M`. */
const shortCount = (count: number): string => (count >= 2 ** 20 ? `${count / 2 ** 20}M` : String(count));
const digitsOf = (digits: string | undefined) =>
  digits === undefined ? {} : { format: (value: number) => value.toFixed(Number(digits)) };

class Block {
  readonly #lines: readonly string[];
  readonly #reading: Reading;
  readonly #main: MachineEngine | undefined;

  constructor(text: readonly string[], reading: Reading) {
    this.#lines = text;
    this.#reading = reading;
    const engine = this.text('engine');
    this.#main = engine === undefined ? undefined : reading.mainOf(this.#enginesOf(engine));
  }

  text(property: string): string | undefined {
    const line = this.#lines.find((each) => each.startsWith(`${property}: `))?.slice(property.length + 2);
    return line?.replaceAll('$main', this.#main?.name ?? '');
  }
  has = (flag: string): boolean => this.#lines.includes(flag);
  /** Whether the one engine that rows need has not measured it. */
  get isMissing(): boolean {
    return this.text('engine') !== undefined && !this.#main;
  }
  get columns(): readonly (readonly [label: string, expression: string])[] {
    return this.#lines
      .filter((line) => line.includes(' | '))
      .map((line) => {
        const [label, expression] = line.split(' | ');
        return [label, expression] as const;
      });
  }

  #enginesOf(contests: string): readonly MachineEngine[] {
    return this.#reading.machine.engines(...contests.split(', ').map((word) => this.#reading.contestOf(word)));
  }
  #set(set: string): readonly Row[] {
    const [, kind, rest] = /^(\w+) (.*)$/.exec(set)!;
    const engine = this.#main?.id ?? '';
    if (kind === 'items')
      return rest.split('; ').map((item) => {
        const [name, label = name] = item.split(' = ');
        return { label, engine, item: name };
      });
    if (kind === 'cases')
      return this.#reading.machine
        .cases(engine, this.#reading.contestOf(rest))
        .map((id) => ({ label: titleOf(id), engine, item: `=${id}` }));
    const all = this.#enginesOf(rest);
    const engines = { newest: newest(all), usual: all.filter(({ id }) => isUsual(id)), engines: all }[kind];
    if (!engines) throw new Error(`"${set}" expected newest, usual, engines, cases or items`);
    return engines.map(({ id, name }) => ({ label: name, engine: id, item: '' }));
  }
  /** Rows with their labels, two where sets are multiplied. */
  get rows(): readonly (Row & { readonly labels: readonly string[] })[] {
    const [first, second] = this.text('rows')!
      .split(' × ')
      .map((set) => this.#set(set));
    if (!second) return first.map((row) => ({ ...row, labels: [row.label] }));
    return first.flatMap((one) =>
      second.map((other) => ({ ...other, item: one.item, labels: [one.label, other.label] })),
    );
  }
  number = (expression: string, { engine, item }: Row, x = ''): number | undefined =>
    this.#reading.number(expression.replaceAll('$x', x), engine, item);
  cell = (expression: string, { engine, item }: Row): Value => this.#reading.cell(expression, engine, item);
}

const titled = (block: Block) => {
  const mark = block.text('mark');
  return {
    title: block.text('title')!,
    description: block.text('description')!,
    ...(mark !== undefined && { mark: Number(mark) }),
  };
};
function axisOf(text: string): Axis {
  const [label, ...more] = text.split('; ');
  const ticks = more.find((word) => word.startsWith('ticks '));
  const format = more.includes('bytes') ? shortBytes : more.includes('counts') ? shortCount : undefined;
  return {
    label,
    logarithmic: more.includes('logarithmic'),
    ...(format && { format }),
    ...(ticks !== undefined && { ticks: ticks.split(' ').slice(1).map(Number) }),
  };
}

function headOf(block: Block): Omit<Bars, 'series' | 'groups'> {
  const axis = block.text('axis')!;
  return {
    ...titled(block),
    ...(axis === 'cycles' ? CYCLES : { axis }),
    logarithmic: block.has('logarithmic'),
    ...digitsOf(block.text('digits')),
  };
}

function barsOf(block: Block): Picture | undefined {
  const { columns } = block;
  return bars({
    ...headOf(block),
    series: columns.map(([label]) => label),
    groups: block.rows.map((row) => ({
      name: row.label,
      values: columns.map(([, expression]) => block.number(expression, row)),
    })),
  });
}

/** A group of bars for each engine, one for each processor; undefined unless there are several. */
function processorsOf(block: Block, [own, ...others]: readonly Reading[]): Picture | undefined {
  const contest = own.contestOf(block.text('contest')!);
  const readings = [own, ...others].filter(({ machine }) => machine.engines(contest).length > 0);
  if (readings.length < 2) return undefined;
  const [[, expression]] = block.columns;
  return bars({
    ...headOf(block),
    series: readings.map(({ machine }) => shortProcessor(machine.processor)),
    groups: measuredBy(
      readings.map(({ machine }) => machine),
      contest,
    ).map(({ id, name }) => ({
      // Versions differ from one processor to the next; of Node several releases were measured.
      name: name.replace(/ [\d.]+$/, (version) => (id.startsWith('node') ? version.split('.')[0] : '')),
      values: readings.map((reading) => reading.number(expression, id, '')),
    })),
  });
}

function linesOf(block: Block): Picture | undefined {
  const points = block.text('points')!.split(' ');
  const [[, expression]] = block.columns;
  const ideal = block.text('dashed');
  return lines({
    ...titled(block),
    x: axisOf(block.text('x')!),
    y: axisOf(block.text('y')!),
    dots: block.has('dots'),
    curves: block.rows.map((row) => ({
      name: row.label,
      beside: ideal !== undefined && row.label.endsWith(ideal),
      points: points.map((x) => ({ x: Number(x), y: block.number(expression, row, x) })),
    })),
  });
}

function tableOf(block: Block): string | undefined {
  const { columns } = block;
  const names = Number(block.text('names') ?? 1);
  return table(
    [...block.text('head')!.split('; '), ...columns.map(([label]) => new Said(label))],
    block.rows.map((row) => [
      ...row.labels.map((label) => new Said(label)),
      ...columns.map(([, expression]) => block.cell(expression, row)),
    ]),
    names,
  );
}

/** The picture or table of a block, with the reading of each machine; undefined if nothing was measured. */
export function drawn(text: string, readings: readonly Reading[], shown: Shown): string | undefined {
  const [fence, ...rest] = text.split('\n');
  const [, kind, name] = /^```(\w+)(?: (\S+))?$/.exec(fence) ?? [];
  const block = new Block(rest.slice(0, -1), readings[0]);
  if (block.isMissing) return undefined;
  if (kind === 'table') return tableOf(block);
  const draw = { bars: barsOf, lines: linesOf, processors: processorsOf }[kind];
  if (!draw) throw new Error(`"${fence}" expected bars, lines, processors or table`);
  return shown(name, block.text('alt')!, draw(block, readings), block.text('foot') === 'medians' ? MEDIANS : undefined);
}
