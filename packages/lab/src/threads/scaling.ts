/** `npm run lab -- scaling`: the costs of a job in every engine, and from them the speed of up to 64 threads. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { between, markdown } from '../report/markdown.ts';
import { significant, table } from '../report/text-table.ts';
import { load, thisHost } from '../results/host.ts';
import { processorName } from '../results/processor.ts';
import { curvesSvg } from './curves-svg.ts';
import { browserHosts, chosenHosts, newestRuntimes } from './hosts.ts';
import { checkOf, curvesOf, THREADS, type Curve } from './model.ts';
import type { Costs, CostsTask } from './programs/costs.ts';

export interface ScalingOptions extends CostsTask {
  readonly engines: readonly string[] | undefined;
  /** Whether docs/scaling.md gets the figures. */
  readonly write: boolean;
}

/** The costs of all engines, as they are kept beside the document. */
export interface Measured {
  readonly date: string;
  readonly processor: string;
  /** The load average before; undefined where the system has none. */
  readonly load?: number;
  readonly engines: readonly { readonly name: string; readonly costs: Costs }[];
}

const docs = join(import.meta.dirname, '../../../../docs');
export const DOCUMENT: string = join(docs, 'scaling.md');
export const COSTS: string = join(docs, 'scaling', 'costs.json');
export const PICTURE: string = join(docs, 'scaling', 'curves.svg');

const LIMITS = { caller: "the caller's thread", memory: 'memory', reader: 'reading' } as const;
const microseconds = (milliseconds: number | undefined): string =>
  milliseconds === undefined ? '–' : (1000 * milliseconds).toFixed(0);

const COST_HEAD = [
  'µs for each MiB',
  'copy',
  'trip',
  'wake',
  'copy, two workers',
  'Blob',
  'Blob, two',
  'file',
  'file, two',
];

const costCells = (name: string, costs: Costs): string[] => [
  name,
  ...[
    costs.copy,
    costs.trip,
    costs.wake,
    costs.copyByTwo,
    costs.blobByOne,
    costs.blobByTwo,
    costs.fileByOne,
    costs.fileByTwo,
  ].map(microseconds),
];

const CURVE_HEAD = [
  ...['', 'source', 'caller µs', 'worker µs', ...THREADS.map(String)],
  ...['caller allows', 'bends at', 'because of'],
];

const curveCells = ({ work, source, job, speedups, callerAllows, bend, limit }: Curve): string[] => [
  work,
  source,
  microseconds(job.send + job.receive),
  microseconds(job.work),
  ...[...speedups, callerAllows].map(significant),
  bend === undefined ? '–' : String(bend),
  limit === undefined ? '–' : LIMITS[limit],
];

const CHECK_HEAD = ['two threads ÷ one', 'work', 'model', 'measured'];
const checkCells = (name: string, costs: Costs): string[][] =>
  checkOf(costs).map(({ work, model, measured }) => [name, work, significant(model), significant(measured)]);

/** Text in a table's column of names. */
const isName = new Set(['because of']);

/** The section of the document with all figures. */
export function figuresOf({ date, processor, load, engines }: Measured): string {
  const [first] = engines;
  const curves = engines.map(
    ({ name, costs }) => `The curves of ${name}:\n\n${markdown(CURVE_HEAD, curvesOf(costs).map(curveCells), 2)}`,
  );
  return [
    `Measured on ${date}: ${processor}, ${first.costs.cores} processors${load === undefined ? '' : `, load average ${load.toFixed(1)} before`}.`,
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

/** Replaces the section of the figures in the document. */
export const withFigures = (document: string, figures: string): string =>
  between(document, 'npm run lab -- scaling --write', figures);

/** The document and its picture, from the costs that are kept beside them. */
export function written(measured: Measured): { document: string; picture: string } {
  const [{ name, costs }] = measured.engines;
  return {
    document: withFigures(readFileSync(DOCUMENT, 'utf8'), figuresOf(measured)),
    picture: curvesSvg(name, curvesOf(costs)),
  };
}

/** Prints the tables of each engine; resolves to the exit code. */
export async function measureScaling({ engines, rounds, write }: ScalingOptions): Promise<number> {
  let exitCode = 0;
  const loadBefore = load();
  const found: { name: string; costs: Costs }[] = [];
  for (const host of chosenHosts([...newestRuntimes, ...browserHosts], engines)) {
    try {
      const costs = (await host.run('costs', { rounds })) as Costs;
      found.push({ name: host.name, costs });
      const right = (head: readonly string[], names: number) =>
        head.map((title, i) => (i < names || isName.has(title) ? ('left' as const) : ('right' as const)));
      process.stdout.write(
        `${host.name}, ${costs.cores} processors\n` +
          `${table(COST_HEAD, [costCells('', costs)], right(COST_HEAD, 1))}\n\n` +
          `${table(CURVE_HEAD, curvesOf(costs).map(curveCells), right(CURVE_HEAD, 2))}\n\n` +
          `${table(CHECK_HEAD, checkCells('', costs), right(CHECK_HEAD, 2))}\n\n`,
      );
    } catch (error) {
      process.stdout.write(`${host.name}: not measured: ${(error as Error).message}\n\n`);
      exitCode = 1;
    }
  }
  if (write && found.length > 0) {
    const measured: Measured = {
      date: new Date().toISOString().slice(0, 10),
      processor: processorName(thisHost()),
      ...(loadBefore !== undefined && { load: loadBefore }),
      engines: found,
    };
    mkdirSync(join(docs, 'scaling'), { recursive: true });
    writeFileSync(COSTS, `${JSON.stringify(measured, undefined, 2)}\n`);
    const { document, picture } = written(measured);
    writeFileSync(DOCUMENT, document);
    writeFileSync(PICTURE, picture);
    process.stdout.write('docs/scaling.md has these figures\n');
  }
  return exitCode;
}
