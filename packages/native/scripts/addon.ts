/**
 * Compiles the addon: `node scripts/addon.ts` for this machine, with its own compiler, or `node scripts/addon.ts --all` for all systems (`--target linux-arm64-gnu` for one),
 * with zig: its command is in ZIG, `python3 -m ziglang` unless given. Writes `build/SYSTEM/lanewise.node`, and prints their SHA-256.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compile } from './compile.ts';
import { compilerHere, include } from './compiler.ts';
import { targets, type Target } from './targets.ts';

const { values } = parseArgs({
  options: { all: { type: 'boolean', default: false }, target: { type: 'string' }, to: { type: 'string' } },
});
const build = values.to ?? join(import.meta.dirname, '../build');

const report = (addon: string): void =>
  console.log(`${createHash('sha256').update(readFileSync(addon)).digest('hex')}  ${addon.slice(build.length + 1)}`);

function forThisMachine(): void {
  const compiler = compilerHere();
  if (!compiler) throw new Error('no compiler here: install gcc or clang, or ziglang of PyPI, or set CC');
  const folder = join(build, `${process.platform}-${process.arch}`);
  const linked = process.platform === 'darwin' ? { linked: ['-Wl,-undefined,dynamic_lookup'] } : {};
  report(compile({ compiler, arch: process.arch, include, folder, addon: 'lanewise.node', ...linked }));
}

function forTarget(zig: readonly string[], { name, triple, arch, linked, machine }: Target): void {
  const folder = join(build, name);
  mkdirSync(folder, { recursive: true });
  const library = join(folder, 'node.lib');
  const definitions = join(include, '../def/node_api.def');
  const [program, ...before] = zig;
  if (machine) execFileSync(program, [...before, 'dlltool', '-d', definitions, '-m', machine, '-l', library]);
  const its = machine ? ['-s', library] : (linked ?? ['-s']);
  const compiler = [...zig, 'cc', '-target', triple];
  report(compile({ compiler, arch, include, folder, addon: 'lanewise.node', linked: its }));
}

if (values.all || values.target !== undefined) {
  const zig = (process.env['ZIG'] ?? 'python3 -m ziglang').split(' ');
  const wanted = targets.filter(({ name }) => values.all || name === values.target);
  if (wanted.length === 0) throw new Error(`--target expected one of ${targets.map(({ name }) => name).join(', ')}`);
  for (const target of wanted) forTarget(zig, target);
} else forThisMachine();
