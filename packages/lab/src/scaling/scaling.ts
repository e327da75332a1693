/** `npm run lab -- scaling`: the costs of a job in every engine, and from them the speed of up to 64 threads. */
import { lines } from '../charts/lines.ts';
import { markdown } from '../report/markdown.ts';
import { significant, table } from '../report/text-table.ts';
import { measuredNow, measuredText, ScalingDocument, type Measured } from './document.ts';
import { engines as all } from '../engines/all.ts';
import { chosenEngines, poolEngines } from '../lab/field.ts';
import { checkOf, curvesOf, THREADS, type Curve } from './model.ts';
import { resultOf } from './programs.ts';
import type { Costs, CostsTask } from './programs/costs.ts';

export interface ScalingOptions extends CostsTask {
  readonly engines: readonly string[] | undefined;
  /** Whether docs/scaling.md gets the figures. */
  readonly write: boolean;
}

/** The costs of all engines. */
export interface EngineCosts extends Measured {
  readonly engines: readonly { readonly name: string; readonly costs: Costs }[];
}

const LIMITS = { caller: "the caller's thread", memory: 'memory', reader: 'reading' } as const;
const microseconds = (milliseconds: number | undefined): string =>
  milliseconds === undefined ? '–' : (1000 * milliseconds).toFixed(0);

/** Columns of a table: the head and the text of each. */
type Columns<Row> = readonly (readonly [head: string, text: (row: Row) => string])[];
const headOf = (columns: Columns<never>): readonly string[] => columns.map(([head]) => head);
const cellsOf = <Row>(columns: Columns<Row>, row: Row): string[] => columns.map(([, text]) => text(row));

const COSTS = (
  [
    ['copy', 'copy'],
    ['trip', 'trip'],
    ['wake', 'wake'],
    ['copy, two workers', 'copyByTwo'],
    ['Blob', 'blobByOne'],
    ['Blob, two', 'blobByTwo'],
    ['file', 'fileByOne'],
    ['file, two', 'fileByTwo'],
  ] as const
).map(([head, cost]) => [head, (costs: Costs) => microseconds(costs[cost])] as const);
const COST_HEAD = ['µs for each MiB', ...headOf(COSTS)];
const costCells = (name: string, costs: Costs): string[] => [name, ...cellsOf(COSTS, costs)];

const CURVES: Columns<Curve> = [
  ['', ({ work }) => work],
  ['source', ({ source }) => source],
  ['caller µs', ({ job }) => microseconds(job.send + job.receive)],
  ['worker µs', ({ job }) => microseconds(job.work)],
  ...THREADS.map((threads, i) => [String(threads), ({ speedups }: Curve) => significant(speedups[i])] as const),
  ['caller allows', ({ callerAllows }) => significant(callerAllows)],
  ['bends at', ({ bend }) => (bend === undefined ? '–' : String(bend))],
  ['because of', ({ limit }) => (limit === undefined ? '–' : LIMITS[limit])],
];
const CURVE_HEAD = headOf(CURVES);
const curveCells = (curve: Curve): string[] => cellsOf(CURVES, curve);

const CHECK_HEAD = ['two threads ÷ one', 'work', 'model', 'measured'];
const checkCells = (name: string, costs: Costs): string[][] =>
  checkOf(costs).map(({ work, model, measured }) => [name, work, significant(model), significant(measured)]);

/** Text in a table's column of names. */
const isName = new Set(['because of']);

/** The section of the document with all figures. */
function figuresOf({ engines, ...measured }: EngineCosts): string {
  const curves = engines.map(
    ({ name, costs }) => `The curves of ${name}:\n\n${markdown(CURVE_HEAD, curvesOf(costs).map(curveCells), 2)}`,
  );
  return [
    measuredText(measured, `, ${engines[0].costs.cores} processors`),
    '',
    markdown(
      COST_HEAD,
      engines.map(({ name, costs }) => costCells(name, costs)),
      1,
    ),
    '',
    ...curves.flatMap((one) => [one, '']),
    'The model beside the measurement, where both are possible:',
    '',
    markdown(
      CHECK_HEAD,
      engines.flatMap(({ name, costs }) => checkCells(name, costs)),
      2,
    ),
    '',
    '![Threads, and how many times as fast as one thread they are](scaling/curves.svg)',
  ].join('\n');
}

/** The curves of an engine, as many times as fast as one thread. */
function pictureOf({ name, costs }: EngineCosts['engines'][number]): string {
  const curves = curvesOf(costs).map(({ work, source, speedups }) => ({
    name: `${work}, ${source}`,
    points: THREADS.map((x, i) => ({ x, y: speedups[i] })),
  }));
  const axis = { logarithmic: true, ticks: THREADS } as const;
  return lines({
    title: `Threads, and how many times as fast as one thread they are, in ${name}`,
    description: `The model. ${curves.map((curve) => `${curve.name}: ${significant(curve.points.at(-1)!.y)} times with ${THREADS.at(-1)!} threads.`).join(' ')}`,
    x: { label: 'threads', ...axis },
    y: { label: 'times as fast as one thread', ...axis },
    dots: true,
    curves,
  })!();
}

export const scalingDocument: ScalingDocument<EngineCosts> = new ScalingDocument(
  'scaling',
  'npm run lab -- scaling --write',
  (costs) => ({ figures: figuresOf(costs), picture: pictureOf(costs.engines[0]) }),
);

/** Prints the tables of each engine; resolves to the exit code. */
export async function measureScaling({ engines, rounds, write }: ScalingOptions): Promise<number> {
  let exitCode = 0;
  const found: { name: string; costs: Costs }[] = [];
  const right = (head: readonly string[], names: number) =>
    head.map((title, i) => (i < names || isName.has(title) ? ('left' as const) : ('right' as const)));
  const measured = await measuredNow(async () => {
    for (const engine of chosenEngines(poolEngines(all), engines)) {
      try {
        const costs = (await resultOf(engine, 'costs', { rounds })) as Costs;
        found.push({ name: engine.name, costs });
        process.stdout.write(
          `${engine.name}, ${costs.cores} processors\n` +
            `${table(COST_HEAD, [costCells('', costs)], right(COST_HEAD, 1))}\n\n` +
            `${table(CURVE_HEAD, curvesOf(costs).map(curveCells), right(CURVE_HEAD, 2))}\n\n` +
            `${table(CHECK_HEAD, checkCells('', costs), right(CHECK_HEAD, 2))}\n\n`,
        );
      } catch (error) {
        process.stdout.write(`${engine.name}: not measured: ${(error as Error).message}\n\n`);
        exitCode = 1;
      }
    }
    return { engines: found };
  });
  if (write && found.length > 0) {
    scalingDocument.write(measured);
    process.stdout.write('docs/scaling.md has these figures\n');
  }
  return exitCode;
}
