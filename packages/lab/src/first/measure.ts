/**
 * `npm run lab -- first`: the first message of a process, by library, as a package and as a bundle. Every sample is a fresh
 * process; the processes of one round take turns in random order, so that ratios are of neighbours.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { shuffled } from '../client/random.ts';
import type { FirstMessage } from '../client/room.ts';
import { entries } from '../client/rooms.ts';
import type { Runtime } from '../engines/runtime.ts';
import { table } from '../report/text-table.ts';
import { median } from '../results/medians.ts';

const LENGTHS = [64, 1024, 65_536];
const WAYS = ['bundle', 'package'] as const;
const LIBRARIES = ['lanewise', 'noble'] as const;

/** Prints how long it takes to import the program that is its argument, which makes one call. */
const RUNNER = `const start = performance.now();
await import(process.argv.at(-1));
console.log(performance.now() - start);
`;

interface Program {
  readonly group: string;
  readonly library: (typeof LIBRARIES)[number];
  readonly url: string;
}

const codeOf = ({ name, from, call }: FirstMessage, library: (typeof LIBRARIES)[number], length: number): string =>
  `import { ${name} } from '${from[library]}';\nconst message = new Uint8Array(${length});\n${call};\n`;

/** Imports by the address of the file, because the program is in a folder of its own. */
const located = (code: string): string =>
  code.replace(/from '([^']+)'/g, (_, name: string) => `from '${import.meta.resolve(name)}'`);

async function programsIn(folder: string): Promise<Program[]> {
  const made: Program[] = [];
  for (const first of entries(({ firstMessage }) => firstMessage))
    for (const length of LENGTHS)
      for (const way of WAYS)
        for (const library of LIBRARIES) {
          const group = `${first.primitive}, first ${length} B ${first.done}, ${way}`;
          const file = join(folder, `${made.length}.mjs`);
          const code = codeOf(first, library, length);
          if (way === 'package') writeFileSync(file, located(code));
          else
            await build({
              stdin: { contents: code, resolveDir: import.meta.dirname },
              outfile: file,
              bundle: true,
              minify: true,
              format: 'esm',
              target: 'es2022',
              logLevel: 'error',
            });
          made.push({ group, library, url: pathToFileURL(file).href });
        }
  return made;
}

export interface FirstOptions {
  readonly runtimes: readonly Runtime[];
  readonly pathOf: (runtime: Runtime) => Promise<string>;
  readonly rounds: number;
  /** Only groups that have the text in their names. */
  readonly only: string;
}

/** Prints a table for each runtime; resolves to the exit code. */
export async function measureFirst({ runtimes, pathOf, rounds, only }: FirstOptions): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'lanewise-first-'));
  let exitCode = 0;
  try {
    const runner = join(folder, 'runner.mjs');
    writeFileSync(runner, RUNNER);
    const programs = (await programsIn(folder)).filter(({ group }) => group.includes(only));
    for (const runtime of runtimes) {
      try {
        const path = await pathOf(runtime);
        process.stdout.write(`${runtime.name}, ${rounds} fresh processes each, medians in milliseconds\n`);
        process.stdout.write(`${await tableOf(path, runtime, programs, { runner, rounds })}\n\n`);
      } catch (error) {
        process.stdout.write(`${runtime.name}: not measured: ${(error as Error).message}\n\n`);
        exitCode = 1;
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return exitCode;
}

async function tableOf(
  path: string,
  { command = [], settings }: Runtime,
  programs: readonly Program[],
  { runner, rounds }: { readonly runner: string; readonly rounds: number },
): Promise<string> {
  const options = { env: { ...process.env, NODE_OPTIONS: '', ...settings.environment } };
  const times = new Map<string, number[]>(programs.map(({ group, library }) => [`${group} ${library}`, []]));
  for (let round = 0; round < rounds; round++)
    for (const { group, library, url } of shuffled(programs, Math.random)) {
      const flags = [...command, ...(settings.arguments ?? []), runner, url];
      const { stdout } = await promisify(execFile)(path, flags, options);
      const time = Number(stdout.trim());
      if (!(time > 0)) throw new Error(`a process said ${stdout.trim() || 'nothing'}`);
      times.get(`${group} ${library}`)!.push(time);
    }
  const rows = [...new Set(programs.map(({ group }) => group))].map((group) => {
    const [ours, theirs] = LIBRARIES.map((library) => times.get(`${group} ${library}`)!);
    const ratio = median(ours.map((time, round) => time / theirs[round]));
    return [group, median(ours).toFixed(2), median(theirs).toFixed(2), ratio.toFixed(2)];
  });
  return table(['', ...LIBRARIES, 'ratio'], rows, 1);
}
