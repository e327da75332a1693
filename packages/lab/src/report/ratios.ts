/** Paired ratios with their intervals, and the raw samples after them. */
import type { ContestRecord } from '../results/schema.ts';
import type { Estimate } from '../results/statistics.ts';
import type { EngineView, View } from '../results/view.ts';
import { figure, isNarrow, rowsOf } from '../charts/figure.ts';
import { logTicks, Plot } from '../charts/plotting.ts';
import { lengthOf, nameOfGroup, oursIn, ratio, type Group } from './groups.ts';
import type { Markup } from './markup.ts';
import { bytes, times, withInterval } from './numbers.ts';

interface Row extends Estimate {
  readonly name: string;
  readonly ours: boolean;
}

/** All contestants against ours, in one engine. */
export function rivalRatios(view: View, engine: EngineView, group: Group, contest: ContestRecord) {
  const cases = view.cases(engine, contest.id);
  const ours = oursIn(cases);
  if (!ours) return undefined;
  const rows = cases.flatMap(({ description: { id, standing } }): Row[] => {
    if (id === ours.description.id) return [];
    const found = ratio(view, engine, contest.id, id, ours.description.id);
    return found ? [{ name: id, ours: standing === 'ours', ...found }] : [];
  });
  const title = `${nameOfGroup(group)}, ${bytes(lengthOf(contest))} in ${engine.name}`;
  return dots(`${title}: time as a multiple of that of ${ours.description.id}`, rows);
}

/** The gain by vectors in each engine. */
export function engineRatios(view: View, group: Group, contest: ContestRecord): Markup | undefined {
  const rows = view.engines.flatMap((engine): Row[] => {
    const found = ratio(view, engine, contest.id, 'lanewise scalar', 'lanewise simd');
    return found ? [{ name: engine.name, ours: true, ...found }] : [];
  });
  const title = `${nameOfGroup(group)}, ${bytes(lengthOf(contest))}`;
  return rows.length < 2 ? undefined : dots(`${title}: scalar time as a multiple of SIMD time`, rows);
}

function dots(caption: string, unsorted: readonly Row[]): Markup | undefined {
  if (unsorted.length === 0) return undefined;
  const rows = unsorted.toSorted((a, b) => a.value - b.value);
  const names = rows.map(({ name }) => name);
  const least = Math.min(1, ...rows.map(({ low }) => low)) / 1.05;
  const most = Math.max(1, ...rows.map(({ high }) => high)) * 1.05;
  return figure({
    caption: `${caption}. Medians of paired ratios, with 95 % intervals.`,
    description: rows.map((row) => `${row.name}: ${withInterval(row)}`).join('; '),
    draw: (width) => {
      const { frame, axis } = rowsOf(names, width);
      return {
        ...frame,
        marginRight: 50,
        x: { type: 'log', label: null, domain: [least, most] },
        marks: [
          axis,
          ...logAxis(least, most, width),
          Plot.ruleX([1], { stroke: 'currentColor', strokeOpacity: 0.6 }),
          Plot.ruleY(rows, {
            y: 'name',
            x1: 'low',
            x2: 'high',
            stroke: colourOf,
            strokeWidth: 2.5,
            strokeOpacity: 0.5,
          }),
          Plot.dot(rows, { y: 'name', x: 'value', fill: colourOf, r: 4, title: withInterval }),
          Plot.text(rows, {
            y: 'name',
            text: (row: Row) => times(row.value),
            frameAnchor: 'right',
            textAnchor: 'start',
            dx: 6,
            fill: 'currentColor',
          }),
        ],
      };
    },
  });
}

const logAxis = (least: number, most: number, width: number) => {
  const ticks = logTicks(least, most, isNarrow(width) ? 5 : 12);
  return [Plot.gridX(ticks), Plot.axisX(ticks, { label: null, text: String })];
};

const colourOf = ({ ours }: Row): string => (ours ? 'var(--c0)' : 'var(--c1)');

interface Sample {
  readonly name: string;
  readonly value: number;
}

/** Draws each sample as a stroke. */
export function strips(view: View, engine: EngineView, group: Group, contest: ContestRecord) {
  const cases = view.cases(engine, contest.id);
  const samples = cases.flatMap(({ description, sorted }) =>
    sorted.all.flat().map((value): Sample => ({ name: description.id, value: value / Math.max(1, description.bytes) })),
  );
  if (samples.length === 0) return undefined;
  const names = cases.map(({ description }) => description.id);
  const values = samples.map(({ value }) => value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return figure({
    caption: `${nameOfGroup(group)}, ${bytes(lengthOf(contest))} in ${engine.name}: all ${samples.length} samples, nanoseconds per byte.`,
    description: 'Each stroke is one sample; the axis is logarithmic. Strokes far to the right were interrupted.',
    draw: (width) => {
      const { frame, axis } = rowsOf(names, width);
      return {
        ...frame,
        x: { type: 'log', label: null },
        marks: [
          axis,
          ...logAxis(least, most, width),
          Plot.tickX(samples, { x: 'value', y: 'name', stroke: 'var(--c0)', strokeOpacity: 0.45, inset: 3 }),
        ],
      };
    },
  });
}
