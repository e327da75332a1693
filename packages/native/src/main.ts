#!/usr/bin/env node
/** `lanewise-native`: compiles the addon for this machine, with its own C compiler. */
import { mkdtempSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Addon } from './addon.ts';
import { compile, root } from './compile.ts';
import { compilerHere, linkedHere } from './compiler.ts';
import { lanesHere } from './kernels.ts';
import { ADDON, folderOf, systemName } from './place.ts';

const USAGE = `Usage: lanewise-native

Compiles the native code of lanewise for this machine, with the C compiler of CC, or cc, gcc, clang or zig, and flags of CFLAGS.
It takes up to a minute. Without it, programs that import @lanewise/native run WebAssembly, with the same results.
`;

/** Compiles aside, loads the addon, and puts it in place whole: programs that start meanwhile see the old one or the new. */
function build(compiler: readonly string[]): Addon {
  const folder = folderOf(systemName());
  mkdirSync(dirname(folder), { recursive: true });
  const own = mkdtempSync(`${folder}.`);
  try {
    const generated = join(root, 'generated');
    const flags = process.env['CFLAGS']?.split(' ').filter((flag) => flag !== '');
    const its = { compiler, arch: process.arch, generated, folder: own, addon: ADDON, linked: linkedHere() };
    const addon = compile(flags ? { ...its, flags } : its);
    mkdirSync(folder, { recursive: true });
    renameSync(addon, join(folder, ADDON));
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
  return createRequire(import.meta.url)(join(folder, ADDON)) as Addon;
}

function main(operands: readonly string[]): number {
  if (operands.length > 0) {
    const isHelp = operands.length === 1 && operands[0] === '--help';
    (isHelp ? process.stdout : process.stderr).write(
      isHelp ? USAGE : `lanewise-native takes no ${operands[0]}\n\n${USAGE}`,
    );
    return isHelp ? 0 : 2;
  }
  const compiler = compilerHere();
  if (!compiler) {
    process.stderr.write(
      'lanewise-native: there is no C compiler here: install gcc or clang, or set CC. lanewise goes on in WebAssembly.\n',
    );
    return 1;
  }
  try {
    const lanes = lanesHere(build(compiler));
    process.stdout.write(`compiled for ${systemName()} by ${compiler.join(' ')}; lanes here: ${lanes.join(', ')}\n`);
    return 0;
  } catch (error) {
    const [line] = (error as Error).message.split('\n', 1);
    process.stderr.write(`lanewise-native: ${line}. lanewise goes on in WebAssembly.\n`);
    return 1;
  }
}

process.exitCode = main(process.argv.slice(2));
