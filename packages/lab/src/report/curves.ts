/** Curves: cycles per byte by length of the message, and the time of calls while compilers optimise the code. */
import { median } from '../results/medians.ts';
import { middle } from '../results/statistics.ts';
import { perByte, type CaseView, type EngineView, type View } from '../results/view.ts';
import { figure, isNarrow } from '../charts/figure.ts';
import { colourOf, strokeOf } from '../charts/palette.ts';
import { logTicks, Plot } from '../charts/plotting.ts';
import { lengthOf, nameOfGroup, type Group } from './groups.ts';
import type { Markup } from './markup.ts';
import { bytes, shortBytes, significant } from './numbers.ts';

interface Point {
  readonly x: number;
  readonly y: number;
  /** The range over all processes. */
  readonly low: number;
  readonly high: number;
}

interface Line {
  readonly name: string;
  readonly points: readonly Point[];
}

const pointOf = (x: number, found: CaseView | undefined): Point[] => {
  const processes = found && perByte(found);
  if (!processes) return [];
  const middles = processes.map(median);
  // A coarse clock may have shown no time, which has no logarithm.
  if (middles.some((value) => value <= 0)) return [];
  return [{ x, y: middle(processes), low: Math.min(...middles), high: Math.max(...middles) }];
};

const lineOf = (view: View, engine: EngineView, group: Group, id: string): Point[] =>
  group.contests.flatMap((contest) => pointOf(lengthOf(contest), view.case(engine, contest.id, id)));

/** Few lengths belong to tables, and make no curve. */
const dense = (all: readonly Line[]): readonly Line[] => {
  const most = Math.max(0, ...all.map(({ points }) => points.length));
  return all.filter(({ points }) => points.length > 1 && points.length >= most / 8);
};

/** All contestants in one engine. */
export function lengthByContestant(view: View, engine: EngineView, group: Group): Markup | undefined {
  const ids = new Set(
    group.contests.flatMap(({ id }) => view.cases(engine, id).map(({ description }) => description.id)),
  );
  const lines = dense(Array.from(ids, (id) => ({ name: id, points: lineOf(view, engine, group, id) })));
  return curve(`${nameOfGroup(group)}: cycles per byte against length, in ${engine.name}`, lines);
}

/** Our engines in each engine of JavaScript. */
export function lengthByEngine(view: View, group: Group): Markup | undefined {
  const lines = dense(
    view.engines.map((engine) => ({ name: engine.name, points: lineOf(view, engine, group, 'lanewise auto') })),
  );
  return lines.length < 2 ? undefined : curve(`${nameOfGroup(group)}: ours in each engine`, lines);
}

const XS = [1, 8, 64, 512, 4096, 32768, 2 ** 18, 2 ** 21, 2 ** 24];

function curve(caption: string, lines: readonly Line[]): Markup | undefined {
  if (lines.length === 0) return undefined;
  const ends = lines.map(({ name, points }) => {
    const { x, y } = points.at(-1)!;
    return `${name} comes to ${significant(y)} cycles per byte at ${bytes(x)}`;
  });
  const all = lines.flatMap(({ points }) => points);
  const [least, most] = [Math.min(...all.map(({ low }) => low)), Math.max(...all.map(({ high }) => high))];
  const longest = Math.max(...all.map(({ x }) => x));
  return figure({
    caption: `${caption}. Bands go from the least to the most of the processes.`,
    description: `Both axes are logarithmic. ${ends.join('; ')}.`,
    keys: lines.map(({ name }) => name),
    draw: (width) => ({
      height: isNarrow(width) ? 300 : 440,
      marginLeft: 44,
      marginBottom: 44,
      x: { type: 'log', label: 'bytes' },
      y: { type: 'log', label: 'cycles per byte' },
      marks: [
        Plot.gridY(logTicks(least, most, 8)),
        Plot.axisY(logTicks(least, most, 8), { label: 'cycles per byte', text: String }),
        Plot.axisX(
          XS.filter((x, i) => x <= longest && (i % 2 === 0 || !isNarrow(width))),
          { label: 'bytes', labelOffset: 38, text: shortBytes },
        ),
        ...lines.map(({ points }, i) =>
          Plot.areaY(points, { x: 'x', y1: 'low', y2: 'high', fill: colourOf(i), fillOpacity: 0.18 }),
        ),
        ...lines.map(({ points }, i) => Plot.lineY(points, { x: 'x', y: 'y', strokeWidth: 1.8, ...strokeOf(i) })),
      ],
    }),
  });
}

/** The number of points that are drawn of a curve, at equal distances on a logarithmic axis. */
const POINTS = 70;

/** Times from the first call on: one panel for each engine. */
export function tierUp(view: View, contest: string): Markup | undefined {
  const engines = view.engines.filter((engine) => view.cases(engine, contest).length > 0);
  const ids = [
    ...new Set(engines.flatMap((engine) => view.cases(engine, contest).map(({ description }) => description.id))),
  ];
  if (ids.length === 0) return undefined;
  const points = engines.flatMap((engine) => view.cases(engine, contest).flatMap((found) => seriesOf(engine, found)));
  const [least, most] = [Math.min(...points.map(({ y }) => y)), Math.max(...points.map(({ y }) => y))];
  const [first, last] = [Math.min(...points.map(({ x }) => x)), Math.max(...points.map(({ x }) => x))];
  const { title } = view.contest(contest)!;
  return figure({
    caption: `${title}: nanoseconds per byte. The middle of the sessions.`,
    description: 'The time of a call falls as the engine compiles the kernel better. Both axes are logarithmic.',
    keys: ids,
    draw: (width) => ({
      height: 70 + 130 * engines.length,
      marginLeft: 44,
      marginBottom: 44,
      marginTop: 24,
      x: { type: 'log', label: 'calls' },
      y: { type: 'log', label: 'ns per byte' },
      fy: { axis: null, domain: engines.map(({ name }) => name), padding: 0.25 },
      marks: [
        Plot.gridY(logTicks(least, most, 5)),
        Plot.axisY(logTicks(least, most, 5), { label: 'ns per byte', text: String }),
        Plot.axisX(logTicks(first, last, isNarrow(width) ? 5 : 12), {
          label: 'calls',
          labelOffset: 38,
          text: String,
        }),
        Plot.text(engines, {
          fy: 'name',
          text: 'name',
          frameAnchor: 'top-right',
          fontWeight: 600,
          fill: 'currentColor',
        }),
        ...ids.map((name, i) =>
          Plot.lineY(
            points.filter(({ id }) => id === name),
            { x: 'x', y: 'y', fy: 'engine', strokeWidth: 1.6, ...strokeOf(i) },
          ),
        ),
      ],
    }),
  });
}

function seriesOf(engine: EngineView, { description, nanoseconds }: CaseView) {
  const calls = Number(description.parameters['calls'] ?? 1);
  const shortest = Math.min(...nanoseconds.map(({ length }) => length));
  const indices = new Set(
    Array.from({ length: POINTS }, (_, i) =>
      Math.min(shortest - 1, Math.floor(shortest ** (i / (POINTS - 1)) - 0.999)),
    ),
  );
  return Array.from(indices, (i) => ({
    engine: engine.name,
    id: description.id,
    x: (i + 1) * calls,
    y: median(nanoseconds.map((session) => session[i])) / description.bytes,
  }));
}
