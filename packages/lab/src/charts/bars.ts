/**
 * Pictures of bars: groups of horizontal bars, one group for each engine or form, one colour for each case. On a
 * logarithmic scale, which has no zero for a bar to begin at, values are dots, and those of a group are in one row.
 */
import { significant } from '../report/numbers.ts';
import { colourOf } from './palette.ts';
import { axisLabel, MARGIN, picture, widthOf, type Head, type Picture } from './picture.ts';
import { logTicks, Plot } from './plotting.ts';

export interface BarGroup {
  readonly name: string;
  /** One for each of `series`; undefined where it was not measured. */
  readonly values: readonly (number | undefined)[];
}

export interface Bars extends Head {
  /** The meaning of the bars of a group; a single one has no key. */
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

/** The value of a group at the place n. */
interface Bar {
  readonly i: number;
  readonly n: number;
  readonly value: number;
}

const BAR = 15;
const GAP = 9;
const DOT_ROW = 19;
const LINE = 15;
const MOST_LABEL = 165;
/** Higher than half a window: then the scale is at the top, too. */
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
  const values = groups.flatMap(({ values: own }, i) =>
    own.flatMap((value, n) => (value === undefined ? [] : [{ i, n, value }])),
  );
  if (values.length === 0) return undefined;
  const numbers = [...values.map(({ value }) => value), ...(mark === undefined ? [] : [mark])];
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  const longest = Math.max(...groups.map(({ name }) => widthOf(name)));
  const room = Math.min(longest, MOST_LABEL);
  const lines = longest <= room ? 1 : Math.ceil((1.25 * longest) / room);
  const row = Math.max(logarithmic ? DOT_ROW : BAR * series.length + GAP, LINE * lines + 3);
  const isTall = row * groups.length > TALL;
  const ends = logarithmic ? [10] : values.map(({ value }) => widthOf(format(value)) + 8);
  const ticks = logarithmic ? logTicks(least, most, 6) : undefined;
  const scale = (anchor: 'top' | 'bottom') =>
    Plot.axisX({
      anchor,
      labelAnchor: 'center',
      labelArrow: 'none',
      tickSize: 0,
      ticks: ticks ?? 5,
      label: anchor === 'top' ? null : axisLabel(axis, logarithmic),
      ...(ticks && { text: String }),
    });
  /** A group takes the height 1; its bars leave a part of it free. */
  const free = GAP / 2 / row;
  const top = ({ i, n }: Bar): number => i + free + ((1 - 2 * free) * n) / series.length;
  const fill = ({ n }: Bar): string => colourOf(n);
  const [marginTop, marginBottom] = [isTall ? 24 : 8, 42];
  return picture(head, series, undefined, {
    height: marginTop + row * groups.length + marginBottom,
    marginTop,
    marginBottom,
    marginLeft: MARGIN + room + 12,
    marginRight: MARGIN + Math.max(...ends),
    x: logarithmic ? { type: 'log', domain: [least / 1.06, most * 1.06] } : { domain: [0, most] },
    y: { domain: [groups.length, 0] },
    marks: [
      Plot.gridX({ ticks: ticks ?? 5 }),
      scale('bottom'),
      isTall ? scale('top') : undefined,
      mark === undefined ? undefined : Plot.ruleX([mark], { stroke: '#888', strokeWidth: 1.5 }),
      Plot.axisY(
        groups.map((_, i) => i + 0.5),
        {
          label: null,
          tickSize: 0,
          text: (y: number) => groups[Math.floor(y)].name,
          ...(lines > 1 && { lineWidth: room / 14 }),
        },
      ),
      ...(logarithmic
        ? [
            // Dots are far from their names, and a line leads the eye.
            Plot.gridY(groups.map((_, i) => i + 0.5)),
            Plot.dot(values, { x: 'value', y: ({ i }: Bar) => i + 0.5, fill, r: 5 }),
          ]
        : [
            Plot.rect(values, {
              x1: 0,
              x2: 'value',
              y1: top,
              fill,
              insetTop: 0.5,
              insetBottom: 0.5,
              y2: (bar: Bar) => top({ ...bar, n: bar.n + 1 }),
            }),
            Plot.text(values, {
              x: 'value',
              y: (bar: Bar) => top({ ...bar, n: bar.n + 0.5 }),
              textAnchor: 'start',
              dx: 5,
              text: ({ value }: Bar) => format(value),
            }),
          ]),
    ],
  });
}
