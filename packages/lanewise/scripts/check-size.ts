/** The size in bytes that an import adds to an application. */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type OutputFile } from 'esbuild';
import type { Budget } from '../src/engine/description.ts';
import { rooms } from './rooms.ts';

const root = dirname(import.meta.dirname);

interface Bundle extends Budget {
  /** Where its imports resolve from: the installed package, or the sources. */
  readonly from: 'package' | 'sources';
}

/** A program that keeps all that a folder's modules export, without paying for the names. */
async function everyExport(folder: string): Promise<string> {
  const lines = readdirSync(join(root, folder)).map(async (file, i) => {
    const names = Object.keys((await import(join(root, folder, file))) as object);
    const imports = names.map((name) => `${name} as ${name}${i}`);
    return `import { ${imports.join()} } from './${folder}/${file}'; keep(${names.map((name) => name + String(i)).join()});`;
  });
  return (await Promise.all(lines)).join('\n');
}

const bundles: readonly Bundle[] = [
  ...rooms.flatMap(({ budgets }) => budgets.map((budget) => ({ ...budget, from: 'package' as const }))),
  { name: 'the assembler alone', code: await everyExport('src/wasm'), limit: 2_500, from: 'sources' },
];

/** The beginning of every module, as the assembler writes it and as both kinds of text: bundles have the bytes, and nothing that makes them. */
const ASSEMBLER = /(?:\0|\\0|\\x00)asm/;
const MODULE = /0061736d01000000|#`:a%`R%###/;

/** The bundle of a program whose imports resolve from a folder, minified. */
export async function bundleOf(code: string, resolveDir: string): Promise<OutputFile> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    logLevel: 'warning',
  });
  return outputFiles[0];
}

/** `installed` is a folder whose node_modules holds the packed library. Prints a table; true when all is within budget. */
export async function checkSize(installed: string): Promise<boolean> {
  let ok = true;
  for (const { name, code, limit, target = limit, from, has = [], hasNot = [] } of bundles) {
    const { contents, text } = await bundleOf(code, from === 'package' ? installed : root);
    const size = gzipSync(contents, { level: 9 }).length;
    const faults = [
      ...(size > limit ? ['over budget'] : []),
      ...has.filter((mark) => !mark.test(text)).map((mark) => `lacks ${mark.source}`),
      ...hasNot.filter((mark) => mark.test(text)).map((mark) => `contains ${mark.source}`),
      ...(ASSEMBLER.test(text) === (from === 'sources') ? [] : ['has the assembler, or lacks it']),
      ...(MODULE.test(text) === (from === 'package') ? [] : ['has bytes of modules, or lacks them']),
    ];
    const missed = size > target ? `, but the target of ${target} is missed` : '';
    const verdict = (faults.join(', ') || 'ok') + missed;
    console.log(`${name.padEnd(36)} ${String(size).padStart(6)} of ${String(limit).padStart(6)} bytes  ${verdict}`);
    ok &&= faults.length === 0;
  }
  return ok;
}

if (import.meta.main) {
  // On its own: the package as it stands in the workspace, built but not packed.
  if (!(await checkSize(join(root, '../..')))) process.exitCode = 1;
}
