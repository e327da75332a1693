/**
 * Pictures of bars: groups of horizontal bars, one group for each engine or form, one colour for each case. On a
 * logarithmic scale, which has no zero for a bar to begin at, values are dots.
 */
import { logTicks } from '../report/figure.ts';
import { significant } from '../report/numbers.ts';
import {
  at,
  axisLabel,
  COLOURS,
  FONT,
  keys,
  linearTicks,
  MARGIN,
  picture,
  text,
  WIDTH,
  widthOf,
  wrapped,
  type Head,
  type Picture,
} from './svg.ts';

export interface BarGroup {
  readonly name: string;
  /** One for each of `series`; undefined where it was not measured. */
  readonly values: readonly (number | undefined)[];
}

export interface Bars extends Head {
  /** What the bars of a group stand for; a single one has no key. */
  readonly series: readonly string[];
  readonly groups: readonly BarGroup[];
  /** Below the axis. */
  readonly axis: string;
  /** Where the values are far apart. */
  readonly logarithmic?: boolean;
  /** At the end of each bar; three digits unless given. */
  readonly format?: (value: number) => string;
  /** A line across all bars, as at the ratio 1. */
  readonly mark?: number;
}

const BAR = 14;
const GAP = 10;
const MOST_LABEL = 150;
/** Higher than half a window. */
const TALL = 400;

/** Undefined if there is no value. */
export function bars({
  series,
  groups: all,
  axis,
  logarithmic = false,
  format = significant,
  mark,
  ...head
}: Bars): Picture | undefined {
  const groups = all.filter(({ values }) => values.some((value) => value !== undefined));
  const values = groups.flatMap((group) => group.values.filter((value) => value !== undefined));
  if (values.length === 0) return undefined;
  const labels = groups.map(({ name }) => wrapped(name, MOST_LABEL));
  const left = MARGIN + Math.min(MOST_LABEL, Math.max(...labels.flat().map(widthOf))) + 8;
  const right = WIDTH - MARGIN - Math.max(...values.map((value) => widthOf(format(value)))) - 10;
  const most = Math.max(...values, mark ?? 0);
  const least = logarithmic ? Math.min(...values, mark ?? Infinity) / 1.5 : 0;
  const x = (value: number): number =>
    left +
    (right - left) * (logarithmic ? Math.log(Math.max(value, least) / least) / Math.log(most / least) : value / most);
  const ticks = logarithmic ? logTicks(least, most, 5) : linearTicks(most, 4);

  return picture(head, (from) => {
    const key = keys(series, from + 4);
    // Where the scale at the bottom may be out of sight, there is one at the top, too.
    const tall = groups.length * (BAR * series.length + GAP) > TALL;
    const top = from + key.height + (tall ? 26 : 8);
    let y = top;
    const rows = groups.flatMap(({ values: own }, i) => {
      const lines = labels[i];
      const height = Math.max(BAR * own.length, FONT * 1.2 * lines.length);
      const begin = y;
      y += height + GAP;
      const offset = begin + (height - FONT * 1.2 * lines.length) / 2 + FONT;
      const rowTop = begin + (height - BAR * own.length) / 2;
      return [
        // Dots are far from their names, and a line between two groups leads the eye.
        ...(logarithmic && i > 0
          ? [`<path d="M${at(MARGIN)} ${at(begin - GAP / 2)}H${at(WIDTH - MARGIN)}" class="grid"/>`]
          : []),
        ...lines.map((line, n) => text(left - 8, offset + FONT * 1.2 * n - 1, line, { anchor: 'end' })),
        ...own.flatMap((value, n) =>
          value === undefined
            ? []
            : [
                logarithmic
                  ? `<circle cx="${at(x(value))}" cy="${at(rowTop + BAR * n + BAR / 2)}" r="4.5" class="f${n % COLOURS}"/>`
                  : `<rect x="${at(left)}" y="${at(rowTop + BAR * n + 1)}" width="${at(Math.max(1, x(value) - left))}" height="${BAR - 2}" class="f${n % COLOURS}"/>`,
                text(x(value) + (logarithmic ? 9 : 5), rowTop + BAR * n + 11.5, format(value)),
              ],
        ),
      ];
    });
    const bottom = y - GAP + 4;
    const grid = ticks.flatMap((tick) => [
      `<path d="M${at(x(tick))} ${at(top - 4)}V${at(bottom)}" class="grid"/>`,
      text(x(tick), bottom + 15, String(tick), { anchor: 'middle', className: 'quiet' }),
      ...(tall ? [text(x(tick), top - 8, String(tick), { anchor: 'middle', className: 'quiet' })] : []),
    ]);
    const line =
      mark === undefined
        ? []
        : [`<path d="M${at(x(mark))} ${at(top - 4)}V${at(bottom)}" stroke="#888" stroke-width="1.5"/>`];
    return {
      parts: [
        ...key.parts,
        ...grid,
        ...line,
        ...rows,
        text((left + right) / 2, bottom + 32, axisLabel(axis, logarithmic), { anchor: 'middle', className: 'quiet' }),
      ],
      height: bottom + 42,
    };
  });
}
