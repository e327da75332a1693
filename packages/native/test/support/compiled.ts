/** The addon for tests: compiled here once for each state of its sources, with this machine's compiler. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { generate } from '../../scripts/generate.ts';
import { headers } from '../../scripts/headers.ts';
import type { Addon } from '../../src/addon.ts';
import { compile } from '../../src/compile.ts';
import { compilerHere, linkedHere } from '../../src/compiler.ts';

const source = join(import.meta.dirname, '../../source');
const cache = join(import.meta.dirname, '../../../../node_modules/.cache/lanewise/native');

const compiler = compilerHere();
if (!compiler) console.log('native code is not tested: there is no compiler here (cc, gcc, clang or zig)');

/** Compiles the addon with additional flags; two at a time write to folders of their own. */
export function compiledWith(flags: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify([compiler, flags, headers()]));
  for (const file of readdirSync(source)) hash.update(readFileSync(join(source, file)));
  hash.update(readFileSync(join(import.meta.dirname, '../../src/compile.ts')));
  const folder = join(cache, hash.digest('hex').slice(0, 16));
  const addon = 'lanewise.node';
  if (!existsSync(join(folder, addon))) {
    const own = `${folder}.${process.pid}`;
    mkdirSync(dirname(folder), { recursive: true });
    const generated = join(own, 'generated');
    generate(generated);
    compile({ compiler: compiler!, arch: process.arch, generated, folder: own, addon, flags, linked: linkedHere() });
    // Another process may have been faster.
    if (existsSync(folder)) rmSync(own, { recursive: true });
    else renameSync(own, folder);
  }
  return join(folder, addon);
}

/** Undefined where nothing can compile it. */
export const addon = compiler && (createRequire(import.meta.url)(compiledWith([])) as Addon);
