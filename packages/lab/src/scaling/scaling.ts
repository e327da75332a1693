/** `npm run lab -- scaling`: the costs of a job in every engine, and from them the speed of up to 64 threads. */
import { lines } from '../charts/lines.ts';
import { markdown } from '../report/markdown.ts';
import { significant } from '../report/text-table.ts';
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
const tableOf = <Row>(columns: Columns<Row>, rows: readonly Row[], names: number): string =>
  markdown(
    columns.map(([head]) => head),
    rows.map((row) => columns.map(([, text]) => text(row))),
    names,
  );

const COSTS: Columns<EngineCosts['engines'][number]> = [
  ['µs for each MiB', ({ name }) => name],
  ...(
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
  ).map(([head, cost]) => [head, ({ costs }: { readonly costs: Costs }) => microseconds(costs[cost])] as const),
];

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

const CHECKS: Columns<{ readonly name: string; readonly check: ReturnType<typeof checkOf>[number] }> = [
  ['two threads ÷ one', ({ name }) => name],
  ['work', ({ check }) => check.work],
  ['model', ({ check }) => significant(check.model)],
  ['measured', ({ check }) => significant(check.measured)],
];

/** The section of the document with all figures. */
const figuresOf = ({ engines, ...measured }: EngineCosts): string =>
  [
    measuredText(measured, `, ${engines[0].costs.cores} processors`),
    tableOf(COSTS, engines, 1),
    ...engines.map(({ name, costs }) => `The curves of ${name}:\n\n${tableOf(CURVES, curvesOf(costs), 2)}`),
    'The model beside the measurement, where both are possible:',
    tableOf(
      CHECKS,
      engines.flatMap(({ name, costs }) => checkOf(costs).map((check) => ({ name, check }))),
      2,
    ),
    '![Threads, and how many times as fast as one thread they are](scaling/curves.svg)',
  ].join('\n\n');

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

/** Prints the figures; resolves to the exit code. */
export async function measureScaling({ engines, rounds, write }: ScalingOptions): Promise<number> {
  let exitCode = 0;
  const found: { name: string; costs: Costs }[] = [];
  const measured = await measuredNow(async () => {
    for (const engine of chosenEngines(poolEngines(all), engines)) {
      try {
        found.push({ name: engine.name, costs: (await resultOf(engine, 'costs', { rounds })) as Costs });
      } catch (error) {
        process.stdout.write(`${engine.name}: not measured: ${(error as Error).message}\n\n`);
        exitCode = 1;
      }
    }
    return { engines: found };
  });
  if (found.length > 0) process.stdout.write(`${figuresOf(measured)}\n`);
  if (write && found.length > 0) {
    scalingDocument.write(measured);
    process.stdout.write('docs/scaling.md has these figures\n');
  }
  return exitCode;
}
