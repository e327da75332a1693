/**
 * Compiles the addon with zig, for all systems (`--all`) or for one (`--target linux-arm64-gnu`): zig's command is in ZIG, `python3 -m ziglang`
 * unless given. Writes `build/SYSTEM/lanewise.node`, and prints their SHA-256.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compile } from '../src/compile.ts';
import { ADDON, folderOf } from '../src/place.ts';
import { generate } from './generate.ts';
import { targets, type Target } from './targets.ts';

const { values } = parseArgs({ options: { all: { type: 'boolean', default: false }, target: { type: 'string' } } });
const source = join(import.meta.dirname, '../source');
const generated = join(import.meta.dirname, '../generated');

/** For dlltool: the functions that an addon of Windows takes from the program that loads it. */
function definitions(folder: string): string {
  const header = readFileSync(join(source, 'node-api.h'), 'utf8');
  const names = [...header.matchAll(/^NAPI napi_status (\w+)/gm)].map(([, name]) => name);
  const file = join(folder, 'node-api.def');
  writeFileSync(file, `NAME node.exe\nEXPORTS\n${names.join('\n')}\n`);
  return file;
}

function forTarget(zig: readonly string[], { name, triple, arch, linked, machine }: Target): void {
  const folder = folderOf(name);
  mkdirSync(folder, { recursive: true });
  const library = join(folder, 'node.lib');
  const [program, ...before] = zig;
  if (machine) execFileSync(program, [...before, 'dlltool', '-d', definitions(folder), '-m', machine, '-l', library]);
  const its = machine ? ['-s', library] : (linked ?? ['-s']);
  const compiler = [...zig, 'cc', '-target', triple];
  const addon = compile({ compiler, arch, generated, folder, addon: ADDON, linked: its });
  console.log(`${createHash('sha256').update(readFileSync(addon)).digest('hex')}  ${name}/${ADDON}`);
}

const zig = (process.env['ZIG'] ?? 'python3 -m ziglang').split(' ');
const wanted = targets.filter(({ name }) => values.all || name === values.target);
if (wanted.length === 0)
  throw new Error(`expected --all, or --target with one of ${targets.map(({ name }) => name).join(', ')}`);
generate(generated);
for (const target of wanted) forTarget(zig, target);
