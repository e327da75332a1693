/** From measurements to the rows of the table. */
import { contests } from './contests.ts';
import { isMet, ratioOf, type Figure, type Target } from './figures.ts';
import type { Measurements } from './measure.ts';
import { duration, megabytesPerSecond, significant } from './report.ts';
import { median, spread, type Spread } from './statistics.ts';

export interface Row {
  readonly figure: Figure;
  /** Over processes; undefined if there was nothing to measure. */
  readonly measured?: Spread;
  /** One number for each process. */
  readonly values: readonly number[];
  /** Which of several cases was the best, if there were several. */
  readonly note?: string;
}

export function rowOf(figure: Figure, measurements: Measurements): Row {
  const { values, note } = valuesOf(figure, measurements);
  return {
    figure,
    values,
    ...(values.length > 0 && { measured: spread(values) }),
    ...(note !== undefined && { note }),
  };
}

function valuesOf({ source }: Figure, measurements: Measurements): { values: number[]; note?: string } {
  switch (source.kind) {
    case 'ratio': {
      const ratios = (measurements.contests[source.contest] ?? []).flatMap(
        ({ nanoseconds }) => ratioOf(source, nanoseconds) ?? [],
      );
      const values = ratios.map(({ value }) => value);
      return source.over.length > 1
        ? { values, note: [...new Set(ratios.map(({ over }) => over))].join('; ') }
        : { values };
    }
    case 'cold':
      return { values: (measurements.cold[source.contestant] ?? []).map((result) => result[source.part]) };
    case 'memory':
      return { values: measurements.memory ? [measurements.memory.bytes / 1024] : [] };
    case 'bundle':
      return { values: measurements.bundleBytes === undefined ? [] : [measurements.bundleBytes / 1000] };
  }
}

const targetText = (target: Target, unit: string): string =>
  'atLeast' in target ? `≥ ${target.atLeast} ${unit}` : `≤ ${target.atMost} ${unit}`;

export const verdictOf = ({ figure: { target }, measured }: Row): 'met' | 'missed' | 'not measured' | '' =>
  measured === undefined
    ? 'not measured'
    : target === undefined
      ? ''
      : isMet(target, measured.median)
        ? 'met'
        : 'missed';

export const figureHead = ['what', 'target', 'measured', 'spread', 'verdict'];

export function figureCells(row: Row): string[] {
  const { figure, measured, values, note } = row;
  const number = (value: number): string => (figure.unit === 'KiB' ? value.toFixed(0) : significant(value));
  return [
    figure.what + (note ? ` (${note})` : ''),
    figure.target ? targetText(figure.target, figure.unit) : '',
    measured ? `${number(measured.median)} ${figure.unit}` : '-',
    measured && values.length > 1 ? `${number(measured.least)}..${number(measured.most)}` : '',
    verdictOf(row),
  ];
}

export const speedHead = ['contest', 'contestant', 'time', 'MB/s', 'MB/s, spread'];

/** The absolute speeds behind the ratios. They depend on the moment; the ratios do not. */
export function speedCells(measurements: Measurements): string[][] {
  return contests.flatMap(({ id }) => {
    const results = measurements.contests[id] ?? [];
    return Object.entries(results[0]?.bytes ?? {}).map(([name, bytes]) => {
      const medians = results.flatMap(({ nanoseconds: { [name]: samples } }) => (samples ? [median(samples)] : []));
      const { median: middle, least, most } = spread(medians);
      return [
        id,
        name,
        duration(middle),
        megabytesPerSecond(bytes, middle),
        `${megabytesPerSecond(bytes, most)}..${megabytesPerSecond(bytes, least)}`,
      ];
    });
  });
}
