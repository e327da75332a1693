/**
 * dist/ of a package beside the library, for publishing: JavaScript by rolldown, one file for each entry, and declarations by tsc. Made
 * aside and put in place whole, so that a process that imports dist/ during a build finds all of it.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'rolldown';

/** How a package is built. */
export interface PackageBuild {
  /** The package's folder, with `tsconfig.build.json`. */
  readonly root: string;
  /** The entries: names in dist/, and their sources. */
  readonly input: Readonly<Record<string, string>>;
  readonly platform: 'neutral' | 'node';
  /** The imports from other packages. */
  readonly external: readonly (string | RegExp)[];
  /** The sources that one file has if entries, and parts that are loaded later, share them: so bundlers don't cut it up. */
  readonly shared?: RegExp;
}

export async function buildPackage({ root, input, platform, external, shared }: PackageBuild): Promise<void> {
  const fresh = mkdtempSync(join(root, '.dist-'));
  try {
    await build({
      cwd: root,
      input: { ...input },
      platform,
      external: [...external],
      transform: { target: 'es2022' },
      output: {
        dir: fresh,
        format: 'esm',
        sourcemap: true,
        comments: { annotation: true, jsdoc: false, legal: true },
        entryFileNames: '[name].js',
        chunkFileNames: '[name].js',
        ...(shared && { codeSplitting: { groups: [{ name: 'shared', test: shared, minShareCount: 2 }] } }),
      },
    });
    execFileSync(
      process.execPath,
      [createRequire(import.meta.url).resolve('typescript/bin/tsc'), '-p', 'tsconfig.build.json', '--outDir', fresh],
      { cwd: root, stdio: ['ignore', 2, 2] }, // standard output belongs to the caller of the build
    );
    for (const file of readdirSync(fresh, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.d.ts')) continue;
      const path = join(fresh, file);
      // tsc leaves `./x.ts` in declarations; consumers resolve `./x.js`.
      writeFileSync(path, readFileSync(path, 'utf8').replace(/((?:from |import\()'\.[^']*)\.ts'/g, "$1.js'"));
    }
    chmodSync(fresh, 0o755); // mkdtemp makes it private
    rmSync(join(root, 'dist'), { recursive: true, force: true });
    renameSync(fresh, join(root, 'dist'));
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}
