/** `npm run lab`: every primitive and its rivals, in every engine of this machine. */
import { dirname, join, relative } from 'node:path';
import { forPeople, HELP, readCommand, type Command } from './lab/arguments.ts';
import { run, UsageError } from './terminal.ts';

// Everything else is loaded later, so that help and argument errors appear at once.

async function compareFiles({ before, after, threshold, forced }: Extract<Command, { command: 'compare' }>) {
  const { readResult } = await import('./results/store.ts');
  const { compare } = await import('./results/compare.ts');
  const { comparisonText } = await import('./report/text.ts');
  const comparison = compare(readResult(before), readResult(after), { threshold, forced });
  process.stdout.write(comparisonText(comparison));
  return comparison.regressions.length > 0 ? 1 : 0;
}

async function report({
  result: path,
  beside: otherPath,
  out,
}: Extract<Command, { command: 'report' }>): Promise<number> {
  const { readResult } = await import('./results/store.ts');
  const result = readResult(path);
  const beside = otherPath === undefined ? undefined : readResult(otherPath);
  const { viewOf } = await import('./results/view.ts');
  const { summaryText, tablesText } = await import('./report/text.ts');
  const { besideTable } = await import('./report/beside.ts');
  const { writeReport } = await import('./report/report.ts');
  const { mkdirSync } = await import('node:fs');
  const view = viewOf(result);
  const machines = beside && tablesText([besideTable(view, viewOf(beside))]);
  process.stdout.write(summaryText(view));
  if (machines !== undefined) process.stdout.write(`\n${machines}`);
  const folder = out ?? dirname(path);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'report.html');
  await writeReport(file, result, { jsonName: relative(folder, path), beside });
  process.stdout.write(`\nWritten: ${forPeople(file)}\n`);
  return 0;
}

async function first({ engines, only, rounds }: Extract<Command, { command: 'first' }>): Promise<number> {
  const { programs } = await import('./engines/runtimes.ts');
  const { fetched } = await import('../../runtimes/src/fetched.ts');
  const { measureFirst } = await import('./first/measure.ts');
  const unknown = engines?.filter((name) => !programs.some(({ id }) => id === name)) ?? [];
  if (unknown.length > 0)
    throw new UsageError(`no runtime ${unknown.join(', ')}; there are ${programs.map(({ id }) => id).join(', ')}`);
  return measureFirst({
    runtimes: programs.filter(({ id }) => engines?.includes(id) ?? true),
    pathOf: ({ origin }) => ('path' in origin ? Promise.resolve(origin.path) : fetched(origin.fetch)),
    rounds,
    only,
  });
}

/** Serves until the process is interrupted. */
async function serve({ port }: Extract<Command, { command: 'serve' }>): Promise<number> {
  const { buildPage } = await import('./page/build.ts');
  const { serveFiles } = await import('./lab/serve.ts');
  const serving = await serveFiles(await buildPage(), { port, isolated: true });
  process.stdout.write(`${serving.url} measures the browser that opens it; Ctrl-C ends this.\n`);
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  await serving.close();
  return 0;
}

await run('lab', async () => {
  const args = process.argv.slice(2);
  const command = readCommand(args);
  switch (command.command) {
    case 'help':
      process.stdout.write(HELP);
      return 0;
    case 'compare':
      return compareFiles(command);
    case 'report':
      return report(command);
    case 'first':
      return first(command);
    case 'scaling':
      return (await import('./scaling/scaling.ts')).measureScaling(command);
    case 'serve':
      return serve(command);
    case 'measure':
      return (await import('./lab/measure.ts')).measure(command, args);
  }
});
