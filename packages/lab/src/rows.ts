/** From measurements to the rows of the table. */
import { contests } from './contests.ts';
import { isMet, ratioOf, type Figure, type ModulePart, type Target } from './figures.ts';
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
  /** Why there was nothing to measure, as far as contestants said it. */
  readonly why?: string;
}

export function rowOf(figure: Figure, measurements: Measurements): Row {
  const { values, note } = valuesOf(figure, measurements);
  const why = values.length > 0 ? undefined : whyNot(figure, measurements);
  return {
    figure,
    values,
    ...(values.length > 0 && { measured: spread(values) }),
    ...(note !== undefined && { note }),
    ...(why !== undefined && { why }),
  };
}

function whyNot({ source }: Figure, { contests: results, failed }: Measurements): string | undefined {
  if (source.kind !== 'ratio') return undefined;
  const absent = (results[source.contest] ?? []).flatMap(({ unavailable }) => unavailable);
  return (
    absent.find(({ contestant }) => contestant === source.under || source.over.includes(contestant))?.reason ??
    failed[source.contest]
  );
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
      return { values: [measurements.bundleBytes[source.code] ?? []].flat().map((bytes) => bytes / 1000) };
    case 'module':
      return { values: moduleValues(source.part, measurements) };
  }
}

function moduleValues(part: ModulePart, { generated, used }: Measurements): number[] {
  switch (part) {
    case 'bytes':
      return generated.map(({ bytes }) => bytes / 1000);
    case 'milliseconds':
      return generated.map(({ milliseconds }) => milliseconds);
    case 'first short':
      return used.map(({ first }) => first.short);
    case 'first long':
      return used.map(({ first }) => first.long);
    case 'after import':
      return used.map(({ compiled }) => compiled.import / 1000);
    case 'after short':
      return used.map(({ compiled }) => compiled.short / 1000);
    case 'after long':
      return used.map(({ compiled }) => compiled.long / 1000);
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
  const { figure, measured, values, note, why } = row;
  const number = (value: number): string => (figure.unit === 'KiB' ? value.toFixed(0) : significant(value));
  return [
    figure.what + (note ? ` (${note})` : ''),
    figure.target ? targetText(figure.target, figure.unit) : '',
    measured ? `${number(measured.median)} ${figure.unit}` : '-',
    measured && values.length > 1 ? `${number(measured.least)}..${number(measured.most)}` : '',
    verdictOf(row) + (why === undefined ? '' : `: ${why}`),
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
