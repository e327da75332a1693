/** Pictures of curves over lengths, offsets, numbers of keys, or threads. */
import { significant } from '../report/numbers.ts';
import { strokeOf } from './palette.ts';
import { axisLabel, MARGIN, picture, type Head, type Picture } from './picture.ts';
import { logTicks, Plot } from './plotting.ts';

export interface Curve {
  readonly name: string;
  /** The curve beside the one before it, dashed and in the same colour. */
  readonly beside?: boolean;
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

const HEIGHT = 320;

/** Powers of two, as many as fit. */
function powersOfTwo(least: number, most: number, count: number): number[] {
  const [from, to] = [Math.ceil(Math.log2(Math.max(1, least)) - 1e-9), Math.floor(Math.log2(most) + 1e-9)];
  const step = Math.max(1, Math.ceil((to - from + 1) / count));
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => 2 ** (from + i * step));
}

/** Undefined if no curve has a point. */
export function lines({ x: xAxis, y: yAxis, curves, mark, dots = false, ...head }: Lines): Picture | undefined {
  const drawn = curves
    .map(({ points, ...curve }) => ({
      ...curve,
      points: points.filter(({ x, y }) => y !== undefined && (xAxis.logarithmic !== true || x > 0)),
    }))
    .filter(({ points }) => points.length > 0);
  if (drawn.length === 0) return undefined;
  const places = drawn.map((_, i) => drawn.slice(0, i + 1).filter(({ beside }) => beside !== true).length - 1);
  const stroke = (i: number) => strokeOf(places[i], drawn[i].beside);
  const xs = drawn.flatMap(({ points }) => points.map(({ x }) => x));
  const ys = [...drawn.flatMap(({ points }) => points.map(({ y }) => y!)), ...(mark === undefined ? [] : [mark])];
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const number = (value: number): string => String(Number(significant(value)));
  const scale = ({ logarithmic }: Axis, domain: readonly [number, number]) =>
    ({ type: logarithmic === true ? 'log' : 'linear', domain }) as const;
  const xTicks = xAxis.ticks ?? (xAxis.logarithmic === true ? powersOfTwo(x0, x1, 9) : 7);
  const yTicks = yAxis.ticks ?? (yAxis.logarithmic === true ? logTicks(y0, y1, 7) : 6);
  const within = (ticks: readonly number[] | number, low: number, high: number) =>
    typeof ticks === 'number' ? { ticks } : { ticks: ticks.filter((tick) => tick >= low && tick <= high) };
  const quiet = { tickSize: 0, labelArrow: 'none', className: 'quiet' } as const;
  return picture(
    head,
    drawn.map(({ name }) => name),
    stroke,
    {
      height: HEIGHT,
      marginTop: 28,
      marginBottom: 42,
      marginLeft: 52,
      marginRight: MARGIN + 10,
      x: scale(xAxis, [x0, x1]),
      y: scale(yAxis, [yAxis.logarithmic === true ? y0 : 0, yAxis.logarithmic === true ? y1 : y1 * 1.04]),
      marks: [
        Plot.gridX(within(xTicks, x0, x1)),
        Plot.gridY(within(yTicks, y0, y1)),
        Plot.axisX({
          ...quiet,
          ...within(xTicks, x0, x1),
          labelAnchor: 'center',
          label: axisLabel(xAxis.label, xAxis.logarithmic),
          text: xAxis.format ?? String,
        }),
        Plot.axisY({
          ...quiet,
          ...within(yTicks, y0, y1),
          labelOffset: 40,
          label: axisLabel(yAxis.label, yAxis.logarithmic),
          text: yAxis.format ?? number,
        }),
        mark === undefined ? undefined : Plot.ruleY([mark], { stroke: '#888', strokeWidth: 1.5 }),
        ...drawn.map(({ points }, i) => Plot.lineY(points, { x: 'x', y: 'y', strokeWidth: 2, ...stroke(i) })),
        ...drawn.flatMap(({ points }, i) =>
          dots || points.length === 1 ? [Plot.dot(points, { x: 'x', y: 'y', fill: stroke(i).stroke, r: 3 })] : [],
        ),
      ],
    },
  );
}
