/** Heat maps of keys and alignment, and bars of cold starts. */
import { median } from '../results/medians.ts';
import { middle } from '../results/statistics.ts';
import type { EngineView, View } from '../results/view.ts';
import { figure, isNarrow, rowsOf } from '../charts/figure.ts';
import { colourOf } from '../charts/palette.ts';
import { Plot } from '../charts/plotting.ts';
import type { Markup } from './markup.ts';
import { grouped, shortBytes, significant } from './numbers.ts';

interface Cell {
  readonly row: string;
  readonly column: number;
  /** The ratio to the first column. */
  readonly value: number;
}

/**
 * The ratios at which colours change: between the first two, a cell is as fast as the first column, within the noise.
 */
const STEPS = [0.97, 1.03, 1.1, 1.25, 1.5, 2];
const SHADES = ['quicker', 'the same', ...STEPS.slice(1).map((step) => `from ${step.toString()}×`)];
const shade = (index: number): string => `var(--h${index})`;
const heat = (value: number): string => shade(STEPS.filter((step) => value >= step).length);

/** Fewer values stay in a table. */
const LEAST_COLUMNS = 4;

/** A heat map: one row for each engine (and kernel), one column for each value of a parameter. */
export function heatMap(view: View, contest: string, parameter: string): Markup | undefined {
  const cells = view.engines.flatMap((engine) => cellsOf(view, engine, contest, parameter));
  if (cells.length === 0) return undefined;
  const rows = [...new Set(cells.map(({ row }) => row))];
  const columns = [...new Set(cells.map(({ column }) => column))].sort((a, b) => a - b);
  if (columns.length < LEAST_COLUMNS) return undefined;
  const worst = cells.reduce((most, cell) => (cell.value > most.value ? cell : most));
  const { title } = view.contest(contest)!;
  return figure({
    caption: `${title}; time as a multiple of that in the first column.`,
    keys: SHADES,
    colour: shade,
    description: `The most is ${significant(worst.value)} at ${parameter} ${worst.column} in ${worst.row}.`,
    draw: (width) => {
      const { frame, axis } = rowsOf(rows, width, 6);
      // A number has four characters.
      const legible = (width - frame.marginLeft) / columns.length >= 30;
      return {
        ...frame,
        height: frame.height + 8,
        marginTop: 8,
        marginBottom: 46,
        padding: 0.06,
        x: {
          domain: columns,
          label: parameter,
          tickSize: 0,
          tickFormat: (value: number) =>
            legible || columns.length < 12 ? shortBytes(value) : value % 4 === 0 ? String(value) : '',
        },
        marks: [
          axis,
          Plot.cell(cells, {
            x: 'column',
            y: 'row',
            fill: ({ value }: Cell) => heat(value),
            title: ({ row, column, value }: Cell) => `${row}, ${parameter} ${column}: ${significant(value)}×`,
          }),
          ...(legible
            ? [
                Plot.text(cells, {
                  x: 'column',
                  y: 'row',
                  text: ({ value }: Cell) => significant(value),
                  fill: ({ value }: Cell) => (value >= STEPS[3] ? 'var(--on-hot)' : 'var(--on-cool)'),
                }),
              ]
            : []),
        ],
      };
    },
  });
}

/** Cases whose ids differ in the parameter only are one row. */
function cellsOf(view: View, engine: EngineView, contest: string, parameter: string): Cell[] {
  const cases = view
    .cases(engine, contest)
    .filter(({ description: { parameters } }) => typeof parameters[parameter] === 'number');
  const rows = new Map<string, { id: string; column: number }[]>();
  for (const { description } of cases) {
    const name = description.id.split(',')[0];
    const row = rows.get(name) ?? [];
    rows.set(name, row);
    row.push({ id: description.id, column: Number(description.parameters[parameter]) });
  }
  return Array.from(rows, ([name, each]) => {
    const first = each.reduce((least, one) => (one.column < least.column ? one : least));
    return each.map(({ id, column }) => ({
      row: rows.size === 1 ? engine.name : `${engine.name}, ${name}`,
      column,
      value: middle(view.ratios(engine, contest, id, first.id)),
    }));
  }).flat();
}

interface Bar {
  readonly name: string;
  readonly part: string;
  readonly milliseconds: number;
}

const NANOSECONDS = 1e6;

/** The single calls of a contest in one engine: one bar for each case, or for all cases with the same prefix. */
export function bars(view: View, engine: EngineView, contest: string): Markup | undefined {
  const all = view.cases(engine, contest).map(({ description, nanoseconds }): Bar => {
    const part = description.parameters['part'];
    return {
      name: typeof part === 'string' ? description.id.replace(`: ${part}`, '') : description.id,
      part: typeof part === 'string' ? part : '',
      milliseconds: median(nanoseconds.flat()) / NANOSECONDS,
    };
  });
  if (all.length === 0) return undefined;
  const names = [...new Set(all.map(({ name }) => name))];
  const parts = [...new Set(all.map(({ part }) => part))];
  const total = (name: string): number =>
    all.filter((bar) => bar.name === name).reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  const { title } = view.contest(contest)!;
  return figure({
    caption: `${title}, in ${engine.name}: milliseconds, the median of ${grouped(engine.sessions.length)} sessions.`,
    description: names.map((name) => `${name}: ${significant(total(name))} ms`).join('; '),
    keys: parts,
    draw(width) {
      const { frame, axis } = rowsOf(names, width, 4);
      return {
        ...frame,
        marginRight: 44,
        x: { label: null, grid: true, ticks: isNarrow(width) ? 3 : 8 },
        marks: [
          axis,
          // Bars of a name are stacked.
          Plot.barX(all, {
            y: 'name',
            x: 'milliseconds',
            fill: ({ part }: Bar) => colourOf(parts.indexOf(part)),
            order: parts,
            z: 'part',
            inset: 1,
            title: ({ name, part, milliseconds }: Bar) =>
              [name, part, `${significant(milliseconds)} ms`].filter(Boolean).join(', '),
          }),
          Plot.text(names, {
            y: (name: string) => name,
            x: total,
            text: (name: string) => significant(total(name)),
            textAnchor: 'start',
            dx: 4,
            fill: 'currentColor',
          }),
        ],
      };
    },
  });
}
