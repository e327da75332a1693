/** The work of `npm run studies`: measure, draw, check. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { there } from '../arguments.ts';
import type { StudiesCommand } from './arguments.ts';
import { UsageError } from '../terminal.ts';
import { measureMissing } from './measure.ts';
import { allFiles, allStudies, committedResults, isIndex, leftOver, resultFor, STUDIES } from './pages.ts';
import type { Study } from './study.ts';

async function chosen(names: readonly string[]): Promise<readonly Study[]> {
  const all = await allStudies();
  for (const name of names)
    if (!all.some(({ id }) => id === name))
      throw new UsageError(`there is no study "${name}"; there are ${all.map(({ id }) => id).join(', ')}`);
  return names.length === 0 ? all : all.filter(({ id }) => names.includes(id));
}

/** Makes the folder, unless it has other things than pages of studies: a README.md would be lost, for one. */
function claim(folder: string): void {
  const readme = join(folder, 'README.md');
  if (existsSync(readme) && !isIndex(readFileSync(readme, 'utf8')))
    throw new UsageError(`--out expects a folder for the pages, and ${readme} is none of them`);
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new UsageError(`--out: ${(error as Error).message}`, { cause: error });
  }
}

/** Returns the exit code. */
export async function conductStudies(command: StudiesCommand): Promise<number> {
  const studies = await chosen(command.studies);
  let exitCode = 0;
  if (command.mode === 'measure' || command.mode === 'contribute') {
    exitCode = await measureMissing(studies, command);
    if (exitCode === 130 || command.mode === 'contribute') return exitCode;
  }
  if (command.results.length > 0) {
    const results = command.results.map((path) => resultFor(basename(path), there(path)));
    const folder = there(command.out!);
    const files = await allFiles(studies, results);
    claim(folder);
    for (const [name, text] of files) writeFileSync(join(folder, name), text);
    process.stdout.write(`${files.size} files are drawn\n`);
    return 0;
  }
  const files = await allFiles(studies, committedResults());
  const old = await leftOver(files);
  if (command.mode === 'check') {
    const contentOf = (name: string): string | undefined => {
      const path = join(STUDIES, name);
      return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    };
    const different = Array.from(files.keys()).filter((name) => contentOf(name) !== files.get(name));
    for (const name of different)
      process.stderr.write(`studies: docs/studies/${name} differs from what the results give\n`);
    for (const name of old) process.stderr.write(`studies: docs/studies/${name} is of no study\n`);
    if (different.length + old.length > 0) {
      process.stderr.write('studies: `npm run studies -- --draw` writes them\n');
      return 1;
    }
    process.stdout.write(`the ${files.size} files of ${studies.length} studies agree with the results\n`);
    return 0;
  }
  for (const [name, text] of files) writeFileSync(join(STUDIES, name), text);
  for (const name of old) rmSync(join(STUDIES, name));
  process.stdout.write(`docs/studies has ${files.size} files of ${studies.length} studies\n`);
  return exitCode;
}
