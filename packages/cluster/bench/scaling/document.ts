/** The figures of docs/cluster-scaling.md, from the costs beside it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { between, markdown } from '../../../lab/src/report/markdown.ts';
import { curvesSvg } from './curves-svg.ts';
import { spanBytesOf } from '../../src/jobs/spans.ts';
import { GIB, leafBytesFor, LIMITS, MIB, TIB, type Limits } from './limits.ts';
import type { Measurement } from './measure.ts';
import { curveOf, type Curve, type Point } from './model.ts';

/** What is kept beside the document. */
export interface Measured {
  readonly date: string;
  readonly processor: string;
  /** The load average before; undefined where the system has none. */
  readonly load?: number;
  readonly costs: Measurement;
}

export const COMMAND = 'npm run scaling:cluster -- --write';

const docs = join(import.meta.dirname, '../../../../docs');
export const DOCUMENT: string = join(docs, 'cluster-scaling.md');
export const COSTS: string = join(docs, 'cluster-scaling', 'costs.json');
export const PICTURE: string = join(docs, 'cluster-scaling', 'curves.svg');

const SIZE = 5 * TIB;
const MACHINES = [1, 3, 10, 30, 100, 300, 1000, 3000, 10_000];

/** Short requests, of which more are made and more first bytes waited for. */
const SHORT: Limits = { ...LIMITS, range: 8 * MIB };
/** Machines of which a thread needs more connections to use the network. */
const FAST: Limits = { ...LIMITS, network: 100e9 / 8, connections: 16 };

/** Bytes in binary units, of which all of these are whole numbers. */
const sized = (bytes: number): string => (bytes >= GIB ? `${bytes / GIB} GiB` : `${bytes / MIB} MiB`);

export function curvesFrom(costs: Measurement): readonly Curve[] {
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
export function figuresOf({ date, processor, load, costs }: Measured, curves = curvesFrom(costs)): string {
  return [
    `Measured on ${date}: ${processor}${load === undefined ? '' : `, load average ${load.toFixed(1)} before`}.`,
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

/** The document and its picture, from the costs that are kept beside them. */
export function written(measured: Measured): { document: string; picture: string } {
  const curves = curvesFrom(measured.costs);
  return {
    document: between(readFileSync(DOCUMENT, 'utf8'), COMMAND, figuresOf(measured, curves)),
    picture: curvesSvg(curves),
  };
}
