/** `npm run bench`: measures the figures that the project promises, and prints them beside their targets. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { figures, type Figure } from './figures.ts';
import { host, hostLine, versions } from './host.ts';
import { measure, type Measurements, type Settings } from './measure.ts';
import { table } from './report.ts';
import { figureCells, figureHead, rowOf, speedCells, speedHead, verdictOf, type Row } from './rows.ts';
import { progressOn, run, UsageError, wrongArguments } from './terminal.ts';

const HELP = `npm run bench -- [options]

Measures the figures that the project promises, in fresh processes, and prints them beside their targets. Raw samples
go to packages/lab/results/.

  --processes N   processes for each contest (default 5)
  --only TEXT     only the rows whose text contains TEXT
  --quick         2 processes and fewer rounds: a look, not a result
  --seed N        for the order of things and the data (default: from the clock)
  --help          this text

Exit codes: 0 all was measured, whether targets were met or not; 1 a wrong answer, or something could not be measured;
2 wrong arguments.
`;

/** Changes with the shape of the file. */
const SCHEMA = 'lanewise-bench/2';

/** A case takes about 50 × 0.5 ms: a contest of ten a quarter of a second, after a warm-up of one second. */
const thorough = { rounds: [50, 50], budgetMilliseconds: 0, batchMilliseconds: 0.4, warmUpMilliseconds: 100 } as const;
const quick = { ...thorough, rounds: [20, 20], warmUpMilliseconds: 40 } as const;

function natural(name: string, text: string, least: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value < 2 ** 32) return value;
  throw new UsageError(`--${name} expects a whole number from ${least}, not "${text}"`);
}

function readArguments(): { settings: Settings; chosen: readonly Figure[] } | 'help' {
  const options = {
    processes: { type: 'string' },
    only: { type: 'string' },
    quick: { type: 'boolean' },
    seed: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  let values: ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];
  try {
    ({ values } = parseArgs({ options }));
  } catch (error) {
    throw wrongArguments(error);
  }
  if (values.help === true) return 'help';

  const only = values.only ?? '';
  const chosen = figures.filter(({ what }) => what.toLowerCase().includes(only.toLowerCase()));
  if (chosen.length === 0) throw new UsageError(`--only "${only}" fits no row`);
  const processes = values.processes ?? (values.quick === true ? '2' : '5');
  return {
    chosen,
    settings: {
      processes: natural('processes', processes, 1),
      coldProcesses: values.quick === true ? 5 : 15,
      plan: values.quick === true ? quick : thorough,
      seed: values.seed === undefined ? Date.now() % 2 ** 32 : natural('seed', values.seed, 0),
    },
  };
}

function save(settings: Settings, before: ReturnType<typeof host>, rows: readonly Row[], raw: Measurements): string {
  const startedAt = new Date(performance.timeOrigin).toISOString();
  const folder = join(dirname(import.meta.dirname), 'results');
  const path = join(folder, `bench-${startedAt.replaceAll(':', '-').replace(/\.\d+/, '')}.json`);
  const document = {
    schema: SCHEMA,
    startedAt,
    host: { ...before, loadAfter: host().load },
    versions: versions(),
    settings,
    figures: rows.map((row) => ({
      ...row.figure,
      values: row.values,
      note: row.note,
      why: row.why,
      verdict: verdictOf(row),
    })),
    raw,
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, JSON.stringify(document) + '\n');
  return path;
}

await run('bench', async () => {
  const parsed = readArguments();
  if (parsed === 'help') {
    process.stdout.write(HELP);
    return 0;
  }
  const { settings, chosen } = parsed;
  const before = host();
  const measurements = await measure(chosen, settings, progressOn(process.stderr));
  const rows = chosen.map((figure) => rowOf(figure, measurements));
  const path = save(settings, before, rows, measurements);

  const speeds = speedCells(measurements);
  const lines = [
    table(figureHead, rows.map(figureCells), ['left', 'right', 'right', 'right', 'left']),
    '',
    ...(speeds.length > 0
      ? ['Speeds behind the ratios:', table(speedHead, speeds, ['left', 'left', 'right', 'right', 'right']), '']
      : []),
    `${hostLine()}; load ${before.load.toFixed(1)} before, ${host().load.toFixed(1)} after`,
    Object.entries(versions())
      .map(([name, version]) => `${name} ${version}`)
      .join(', '),
    `${settings.processes} fresh processes for each contest, ${settings.plan.rounds[0]} shuffled rounds of ` +
      `${settings.plan.batchMilliseconds} ms batches; ${settings.coldProcesses} cold starts; seed ${settings.seed}`,
    'measured: the median over processes of the medians of paired ratios; spread: the least and the most of a process',
    '× is how many times faster, or, of lengths, how many times longer; MB is 10^6 bytes; outputs go to given buffers',
    `raw samples: ${relative(process.env['INIT_CWD'] ?? process.cwd(), path)}`,
  ];
  process.stdout.write(lines.join('\n') + '\n');
  for (const problem of measurements.problems) process.stderr.write(`bench: ${problem}\n`);
  return measurements.problems.some(Boolean) || rows.some(({ measured }) => measured === undefined) ? 1 : 0;
});
