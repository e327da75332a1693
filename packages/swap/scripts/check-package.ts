/** Packs this package and checks the tarball that users get: its files, its manifest, and the command, installed in an empty folder. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { lines, targetOf } from '../../drop-ins/src/lines.ts';
import { toPack } from '../../lanewise/scripts/tarballs.ts';

const folder = mkdtempSync(join(tmpdir(), 'lanewise-swap-package-'));

const run = (command: string, values: readonly string[], cwd = folder): string =>
  execFileSync(command, values, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

interface Manifest {
  readonly bin: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

function pack(): string {
  const from = dirname(import.meta.dirname);
  const values = ['pack', toPack(from), '--json', '--loglevel', 'error', '--pack-destination', folder];
  const [{ filename, size, files }] = JSON.parse(run('npm', values, from)) as [Packed];
  const paths = files.map(({ path }) => path).sort();
  const expected = ['LICENSE', 'README.md', 'dist/main.js', 'package.json'];
  if (paths.join() !== expected.join()) throw new Error(`expected ${expected.join(', ')}, got ${paths.join(', ')}`);
  console.log(`${filename}: ${size} bytes, ${paths.join(', ')}`);
  return join(folder, filename);
}

function checkCommand(tarball: string): void {
  writeFileSync(join(folder, 'package.json'), '{ "name": "user", "private": true }\n');
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel', 'error', tarball]);
  const its = join(folder, 'node_modules/@lanewise/swap');
  const { bin, dependencies } = JSON.parse(readFileSync(join(its, 'package.json'), 'utf8')) as Manifest;
  if (Object.keys(bin).join() !== 'swap')
    throw new Error(`expected a command named swap, got ${Object.keys(bin).join()}`);
  const main = join(its, bin['swap']);
  if (process.platform !== 'win32' && (statSync(main).mode & 0o111) !== 0o111)
    throw new Error(`${main} is not executable`);
  for (const [name, range] of Object.entries(dependencies))
    if (!/^\d+\.\d+\.\d+$/.test(range)) throw new Error(`${name} expected an exact version, got ${range}`);
  // A package from the workspace that the bundle asks for would be missing here.
  const imports = [...readFileSync(main, 'utf8').matchAll(/^import .*?from"?\s*["']([^"']+)["']/gm)].map(
    ([, from]) => from,
  );
  const strange = imports.filter((from) => !from.startsWith('node:') && !(from in dependencies));
  if (imports.length === 0 || strange.length > 0)
    throw new Error(`dist/main.js imports ${strange.join(', ') || 'nothing'}`);

  const command = join(folder, 'node_modules/.bin/swap');
  const help = run(command, ['--help']);
  for (const line of lines)
    if (!help.includes(`@lanewise/${line.package}`)) throw new Error(`--help does not name @lanewise/${line.package}`);

  // A program with a lockfile, and an original that is installed by hand: no registry has ours yet.
  const program = join(folder, 'program');
  const original = join(program, 'node_modules/tweetnacl');
  mkdirSync(original, { recursive: true });
  writeFileSync(join(program, 'package.json'), '{ "name": "program", "dependencies": { "tweetnacl": "^1.0.3" } }\n');
  writeFileSync(
    join(program, 'package-lock.json'),
    '{ "packages": { "node_modules/tweetnacl": { "version": "1.0.3" } } }\n',
  );
  writeFileSync(join(original, 'package.json'), '{ "name": "tweetnacl", "version": "1.0.3" }\n');
  const plan = run(command, ['--dry-run'], program);
  const target = targetOf(lines.find((line) => line.original === 'tweetnacl')!);
  if (!plan.includes(target)) throw new Error(`--dry-run does not name ${target}:\n${plan}`);
  const { status, stderr } = spawnSync(command, ['--dryrun'], { cwd: program, encoding: 'utf8' });
  if (status !== 1 || !stderr.startsWith('swap: Unknown option')) throw new Error(`expected an error, got ${stderr}`);
  console.log('the command is right');
}

try {
  const tarball = pack();
  execFileSync('publint', ['run', tarball, '--strict'], { cwd: dirname(import.meta.dirname), stdio: 'inherit' });
  checkCommand(tarball);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
