/**
 * dist/ from src/, for publishing: one file of JavaScript by rolldown, and declarations by tsc. Made aside and put in place whole, so
 * that a process that imports dist/ during a build finds all of it.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'rolldown';

const root = dirname(import.meta.dirname);
const fresh = mkdtempSync(join(root, '.dist-'));
try {
  await build({
    cwd: root,
    input: { index: 'src/index.ts' },
    platform: 'neutral',
    external: [/^lanewise\//, /^@noble\/hashes\//, 'age-encryption'],
    transform: { target: 'es2022' },
    output: {
      dir: fresh,
      format: 'esm',
      sourcemap: true,
      comments: { annotation: true, jsdoc: false, legal: true },
      entryFileNames: '[name].js',
    },
  });
  execFileSync(
    process.execPath,
    [createRequire(import.meta.url).resolve('typescript/bin/tsc'), '-p', 'tsconfig.build.json', '--outDir', fresh],
    { cwd: root, stdio: ['ignore', 2, 2] }, // standard output belongs to whoever asked for the build
  );
  for (const file of readdirSync(fresh).filter((name) => name.endsWith('.d.ts'))) {
    const path = join(fresh, file);
    // tsc leaves `./x.ts` in declarations; consumers resolve `./x.js`.
    writeFileSync(path, readFileSync(path, 'utf8').replace(/(from '\.[^']*)\.ts'/g, "$1.js'"));
  }
  chmodSync(fresh, 0o755); // mkdtemp makes it private
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  renameSync(fresh, join(root, 'dist'));
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
