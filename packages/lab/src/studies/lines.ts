/** Pictures of curves over lengths, offsets or numbers of keys. */
import { logTicks } from '../report/figure.ts';
import { bytes, significant } from '../report/numbers.ts';
import {
  at,
  axisLabel,
  COLOURS,
  keys,
  linearTicks,
  MARGIN,
  picture,
  text,
  WIDTH,
  type Head,
  type Picture,
} from './svg.ts';

export interface Curve {
  readonly name: string;
  readonly points: readonly { readonly x: number; readonly y: number | undefined }[];
}

export interface Axis {
  readonly label: string;
  readonly logarithmic?: boolean;
  /** At ticks. */
  readonly format?: (value: number) => string;
  /** Ticks, instead of those that fit. */
  readonly ticks?: readonly number[];
}

export interface Lines extends Head {
  readonly x: Axis;
  readonly y: Axis;
  readonly curves: readonly Curve[];
  /** A level line, as at the ratio 1. */
  readonly mark?: number;
  /** Whether each point has a dot; where there are few of them. */
  readonly dots?: boolean;
}

/** Lengths at ticks: `64`, `16K`, `1M`. */
export const shortBytes = (count: number): string =>
  bytes(count).replace(' KiB', 'K').replace(' MiB', 'M').replace(' GiB', 'G').replace(' B', '');

const LEFT = 52;
const HEIGHT = 250;

/** Powers of two, as many as fit. */
export function powersOfTwo(least: number, most: number, count: number): number[] {
  const [from, to] = [Math.ceil(Math.log2(Math.max(1, least)) - 1e-9), Math.floor(Math.log2(most) + 1e-9)];
  const step = Math.max(1, Math.ceil((to - from + 1) / count));
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => 2 ** (from + i * step));
}

/** Undefined if no curve has a point. */
export function lines({ x: xAxis, y: yAxis, curves, mark, dots = false, ...head }: Lines): Picture | undefined {
  const drawn = curves
    .map(({ name, points }) => ({
      name,
      points: points.flatMap(({ x, y }) =>
        y === undefined || (xAxis.logarithmic === true && x <= 0) ? [] : [{ x, y }],
      ),
    }))
    .filter(({ points }) => points.length > 0);
  if (drawn.length === 0) return undefined;
  const [xs, ys] = [
    drawn.flatMap(({ points }) => points.map(({ x }) => x)),
    drawn.flatMap(({ points }) => points.map(({ y }) => y)),
  ];
  const marks = mark === undefined ? [] : [mark];
  const [x0, x1] = [Math.min(...xs), Math.max(...xs)];
  const [y0, y1] = [
    yAxis.logarithmic === true ? Math.min(...ys, ...marks) : 0,
    Math.max(...ys, ...marks) * (yAxis.logarithmic === true ? 1 : 1.04),
  ];
  const share = (value: number, from: number, to: number, logarithmic = false): number =>
    from === to ? 0.5 : logarithmic ? Math.log(value / from) / Math.log(to / from) : (value - from) / (to - from);

  return picture(head, (from) => {
    const key = keys(
      drawn.map(({ name }) => name),
      from + 4,
    );
    const top = from + key.height + 22;
    const bottom = top + HEIGHT;
    const right = WIDTH - MARGIN - 8;
    const left = LEFT;
    const px = (value: number): number => left + (right - left) * share(value, x0, x1, xAxis.logarithmic);
    const py = (value: number): number => bottom - HEIGHT * share(value, y0, y1, yAxis.logarithmic);
    const xTicks = xAxis.ticks ?? (xAxis.logarithmic === true ? powersOfTwo(x0, x1, 8) : linearTicks(x1, 6));
    const yTicks = yAxis.ticks ?? (yAxis.logarithmic === true ? logTicks(y0, y1, 6) : linearTicks(y1, 5));
    const grid = [
      ...xTicks
        .filter((tick) => tick >= x0 && tick <= x1)
        .flatMap((tick) => [
          `<path d="M${at(px(tick))} ${at(top)}V${at(bottom)}" class="grid"/>`,
          text(px(tick), bottom + 16, (xAxis.format ?? String)(tick), { anchor: 'middle', className: 'quiet' }),
        ]),
      ...yTicks
        .filter((tick) => tick >= y0 && tick <= y1)
        .flatMap((tick) => [
          `<path d="M${at(left)} ${at(py(tick))}H${at(right)}" class="grid"/>`,
          text(left - 6, py(tick) + 4, (yAxis.format ?? ((value) => String(Number(significant(value)))))(tick), {
            anchor: 'end',
            className: 'quiet',
          }),
        ]),
    ];
    const paths = drawn.flatMap(({ points }, i) => {
      const path = points.map(({ x, y }, n) => `${n === 0 ? 'M' : 'L'}${at(px(x))} ${at(py(y))}`).join('');
      const dash = i >= COLOURS ? ' stroke-dasharray="5 3"' : '';
      return [
        `<path d="${path}" class="line s${i % COLOURS}"${dash}/>`,
        ...(dots || points.length === 1
          ? points.map(({ x, y }) => `<circle cx="${at(px(x))}" cy="${at(py(y))}" r="3" class="f${i % COLOURS}"/>`)
          : []),
      ];
    });
    const line = marks.map(
      (value) => `<path d="M${at(left)} ${at(py(value))}H${at(right)}" stroke="#888" stroke-width="1.5"/>`,
    );
    return {
      parts: [
        ...key.parts,
        text(MARGIN, top - 8, axisLabel(yAxis.label, yAxis.logarithmic), { className: 'quiet' }),
        ...grid,
        ...line,
        ...paths,
        text((left + right) / 2, bottom + 34, axisLabel(xAxis.label, xAxis.logarithmic), {
          anchor: 'middle',
          className: 'quiet',
        }),
      ],
      height: bottom + 44,
    };
  });
}
