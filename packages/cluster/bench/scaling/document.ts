/** The figures of docs/cluster-scaling.md, from the costs beside it. */
import { lines } from '../../../lab/src/charts/lines.ts';
import { markdown } from '../../../lab/src/report/markdown.ts';
import { measuredText, ScalingDocument, type Measured } from '../../../lab/src/scaling/document.ts';
import { spanBytesOf } from '../../src/jobs/spans.ts';
import { GIB, leafBytesFor, LIMITS, MIB, TIB, type Limits } from './limits.ts';
import type { Measurement } from './measure.ts';
import { curveOf, type Curve, type Point } from './model.ts';

export interface ClusterCosts extends Measured {
  readonly costs: Measurement;
}

const SIZE = 5 * TIB;
const MACHINES = [1, 3, 10, 30, 100, 300, 1000, 3000, 10_000];

/** Short requests: there are more of them, and more first bytes to wait for. */
const SHORT: Limits = { ...LIMITS, range: 8 * MIB };
/** Machines whose threads need more connections to use the network. */
const FAST: Limits = { ...LIMITS, network: 100e9 / 8, connections: 16 };

/** Bytes in binary units: all of these are whole numbers. */
const sized = (bytes: number): string => (bytes >= GIB ? `${bytes / GIB} GiB` : `${bytes / MIB} MiB`);

function curvesFrom(costs: Measurement): readonly Curve[] {
  const leaf = leafBytesFor(SIZE);
  const asItIs = `as it is: ${LIMITS.connections} requests of ${sized(LIMITS.range)} at a time`;
  const curve = (name: string, leaf: number, limits = LIMITS): Curve =>
    curveOf(costs, name, { size: SIZE, leaf, limits }, MACHINES);
  const small = 64 * MIB;
  return [
    curve(asItIs, leaf),
    curve(`requests of ${sized(SHORT.range)}`, leaf, SHORT),
    curve('leaves of 64 MiB, were they allowed', small, { ...LIMITS, range: spanBytesOf(small) }),
    curve('networks of 100 Gbit/s, 16 requests at a time', leaf, FAST),
  ];
}

const COST_HEAD = ['what', 'cost'];
const micro = (seconds: number): string => `${(seconds * 1e6).toFixed(0)} µs`;
const costRows = ({ hash, add, serve, merge, memory }: Measurement): string[][] => [
  ['one thread hashes a MiB', micro(hash)],
  ['a leaf is put into the queue', micro(add)],
  ["the queue's server works for a leaf, until its result is there", micro(serve)],
  ['the root fetches, checks and merges a leaf', micro(merge)],
  ["the queue's memory for a leaf that waits", `${memory} B`],
];

function duration(seconds: number): string {
  if (seconds < 600) return `${seconds.toFixed(seconds < 100 ? 1 : 0)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const CURVE_HEAD = ['machines', 'threads', 'time', 'GB/s', 'times as fast as one', 'what binds'];
const curveRow = ({ machines, seconds, speed, binder }: Point, [one]: readonly Point[]): string[] => [
  machines.toLocaleString('en'),
  (machines * LIMITS.threads).toLocaleString('en'),
  duration(seconds),
  (speed / 1e9).toFixed(1),
  (speed / one.speed).toFixed(1),
  binder ?? 'several',
];

const curveText = ({ name, leaf, leaves, points, bend }: Curve): string =>
  [
    `**${name[0].toUpperCase()}${name.slice(1)}**: ${leaves.toLocaleString('en')} leaves of ${sized(leaf)}, ` +
      (bend === undefined ? 'no bend' : `a bend at ${bend.toLocaleString('en')} machines`) +
      '.',
    '',
    markdown(
      CURVE_HEAD,
      points.map((point) => curveRow(point, points)),
      0,
    ),
  ].join('\n');

/** The section of the document with all figures. */
function figuresOf({ costs, ...measured }: ClusterCosts, curves: readonly Curve[]): string {
  return [
    measuredText(measured),
    '',
    markdown(COST_HEAD, costRows(costs), 1),
    '',
    'The model for an object of 5 TiB:',
    '',
    '![Machines, and how many bytes a second they hash together](cluster-scaling/curves.svg)',
    '',
    ...curves.flatMap((curve) => [curveText(curve), '']),
  ]
    .join('\n')
    .trimEnd();
}

const pictureOf = (curves: readonly Curve[]): string =>
  lines({
    title: 'Machines, and how many bytes of one object they hash a second: the model',
    description: curves
      .map(
        ({ name, points }) =>
          `${name}: ${(points.at(-1)!.speed / 1e9).toFixed(1)} GB/s by ${points.at(-1)!.machines} machines.`,
      )
      .join(' '),
    x: { label: 'machines', logarithmic: true, ticks: MACHINES, format: (count) => count.toLocaleString('en') },
    y: { label: 'GB/s', logarithmic: true },
    dots: true,
    curves: curves.map(({ name, points }) => ({
      name,
      points: points.map(({ machines, speed }) => ({ x: machines, y: speed / 1e9 })),
    })),
  })!();

export const clusterScaling: ScalingDocument<ClusterCosts> = new ScalingDocument(
  'cluster-scaling',
  'npm run scaling:cluster -- --write',
  (costs) => {
    const curves = curvesFrom(costs.costs);
    return { figures: figuresOf(costs, curves), picture: pictureOf(curves) };
  },
);
