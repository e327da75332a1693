// node packages/proofs/src/smt/solve.ts DIR [--solver z3|cvc5|bitwuzla] [--seconds N] [--all]
//
// Has a solver from PyPI answer all obligations in a folder: 0 is the exit code if every answer is `unsat`, and 1 if one is not. The
// solver is installed in a virtual environment of its own, beside the tools in packages/.cache, the first time it is asked for.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

const PACKAGES = { z3: 'z3-solver', cvc5: 'cvc5', bitwuzla: 'bitwuzla' } as const;
type Solver = keyof typeof PACKAGES;
const isSolver = (name: string): name is Solver => Object.hasOwn(PACKAGES, name);

const HOME = process.env['LANEWISE_SOLVERS'] ?? join(import.meta.dirname, '../../../.cache/solvers');

/** The Python of a solver's environment, if that is there already. */
export function installed(solver: Solver): string | undefined {
  const python = join(HOME, solver, 'bin/python');
  return existsSync(python) ? python : undefined;
}

function install(solver: Solver): string {
  const known = installed(solver);
  if (known !== undefined) return known;
  const folder = join(HOME, solver);
  const python = join(folder, 'bin/python');
  try {
    execFileSync('python3', ['-m', 'venv', folder], { stdio: 'inherit' });
    execFileSync(python, ['-m', 'pip', 'install', '--quiet', PACKAGES[solver]], { stdio: 'inherit' });
  } catch (error) {
    // Half of an installation would be taken for one.
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return python;
}

export interface Answer {
  readonly file: string;
  readonly version: string;
  /** unsat, sat, unknown, or an error. */
  readonly verdict: string;
  readonly seconds: number;
}

/** The answers of an installed solver to files, as they come. */
export async function* answers(solver: Solver, files: readonly string[], seconds: number): AsyncGenerator<Answer> {
  const program = join(import.meta.dirname, 'solve.py');
  const child = spawn(install(solver), [program, solver, String(seconds)], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(files.map((file) => `${file}\n`).join(''));
  let version = '';
  for await (const line of createInterface({ input: child.stdout })) {
    const [first, second, ...rest] = line.split(' ');
    if (first === 'version') version = second;
    else yield { verdict: first, seconds: Number(second), file: rest.join(' '), version };
  }
}

/** All files of obligations in a folder. */
export const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.smt2'))
    .sort()
    .map((name) => join(folder, name));

const USAGE = 'node packages/proofs/src/smt/solve.ts DIR [--solver z3|cvc5|bitwuzla] [--seconds N] [--all]';

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      solver: { type: 'string', default: 'bitwuzla' },
      seconds: { type: 'string', default: '60' },
      all: { type: 'boolean', default: false },
    },
  });
  const { solver, all } = values;
  const seconds = Number(values.seconds);
  if (!isSolver(solver)) throw new RangeError(`--solver is one of ${Object.keys(PACKAGES).join(', ')}, not ${solver}`);
  if (!Number.isInteger(seconds) || seconds < 1) throw new RangeError('--seconds is a whole number from 1 on');
  if (positionals.length !== 1 || !existsSync(positionals[0])) throw new RangeError('DIR is a folder of obligations');
  return { solver, seconds, all, files: filesIn(positionals[0]) };
}

async function main(): Promise<number> {
  let given: ReturnType<typeof readArguments>;
  try {
    given = readArguments();
  } catch (error) {
    console.error(`${(error as Error).message}\n${USAGE}`);
    return 2;
  }
  const { solver, seconds, all, files } = given;
  const counts = new Map<string, number>();
  let total = 0;
  let last = '';
  for await (const { file, version, verdict, seconds: own } of answers(solver, files, seconds)) {
    counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
    total += own;
    last = version;
    if (all || verdict !== 'unsat') console.log(`${file}  ${solver} ${version}  ${own.toFixed(2)} s  ${verdict}`);
  }
  const said = [...counts].map(([verdict, count]) => `${count} ${verdict}`).join(', ');
  console.log(`${solver} ${last}: ${said || 'nothing'}, of ${files.length} obligations, in ${total.toFixed(1)} s`);
  return files.length > 0 && counts.get('unsat') === files.length ? 0 : 1;
}

if (import.meta.main) process.exitCode = await main();
