/**
 * dist/ from src/: JavaScript by rolldown, declarations by tsc, and the modules of the kernels as files. Both are made aside and put in place together, so that
 * a process that imports dist/ during a build sees the old files or the new ones.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'rolldown';
import { doors, moduleFiles } from './rooms.ts';

const root = dirname(import.meta.dirname);

/**
 * One file for each entry, and one that all entries share: so there is one copy of the engine's state, and an import loads at
 * most two files. Finding and parsing files is most of the time of a first call.
 */
async function javascript(outdir: string): Promise<void> {
  /** In dist/, all files are in one folder. The words around the name of the worker's file are those by which bundlers find it. */
  const besideThis = {
    name: 'the worker is beside the pool',
    // One character less, and a space: so the source map stays true.
    transform: (code: string) =>
      code.includes("'../worker.ts'")
        ? { code: code.replaceAll("'../worker.ts'", "'./worker.js' "), map: null }
        : undefined,
  };
  const common = { cwd: root, platform: 'neutral', external: /^node:/, transform: { target: 'es2022' } } as const;
  const output = {
    dir: outdir,
    format: 'esm',
    sourcemap: true,
    // Comments for callers are in the declarations.
    comments: { annotation: true, jsdoc: false, legal: true },
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
  } as const;
  await build({
    ...common,
    plugins: [besideThis],
    input: Object.fromEntries(doors.filter((name) => name !== 'index').map((name) => [name, `src/${name}.ts`])),
    output: {
      ...output,
      codeSplitting: {
        groups: [
          { name: 'shared', test: /^(?!.*[\\/]src[\\/]stream[\\/])/, minShareCount: 2, priority: 1 },
          // Only the doors of streams need it.
          { name: 'stream-shared', minShareCount: 2 },
        ],
      },
    },
  });
  // The root imports the doors: were it one of the entries above, all that any door has would be shared.
  await build({
    ...common,
    input: { index: 'src/index.ts' },
    plugins: [
      {
        name: 'doors stay files of their own',
        resolveId: (id, importer) =>
          importer === undefined ? undefined : { id: id.replace(/\.ts$/, '.js'), external: 'relative' },
      },
    ],
    output,
  });
}

/** Only the declarations that an entry's types reach are published. */
function declarations(outdir: string, scratch: string): void {
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  for (const project of ['tsconfig.build.json', 'tsconfig.build-node.json'])
    execFileSync(process.execPath, [tsc, '-p', project, '--outDir', scratch], {
      cwd: root,
      stdio: ['ignore', 2, 2], // standard output belongs to whoever asked for the build
    });

  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    // tsc leaves `./x.ts` in declarations; consumers resolve `./x.js`.
    const text = readFileSync(join(scratch, file), 'utf8').replace(
      /((?:from|import) ?\(?)(["'])(\.[^"']*)\.ts\2/g,
      (_, before: string, quote: string, path: string) => {
        visit(join(dirname(file), `${path}.d.ts`));
        return `${before}${quote}${path}.js${quote}`;
      },
    );
    mkdirSync(dirname(join(outdir, file)), { recursive: true });
    writeFileSync(join(outdir, file), text);
  };
  for (const name of doors) visit(`${name}.d.ts`);
}

/** The modules as files, for hosts that take compiled ones only. */
function moduleFilesTo(outdir: string): void {
  mkdirSync(join(outdir, 'wasm'), { recursive: true });
  for (const { file, bytes } of moduleFiles) writeFileSync(join(outdir, 'wasm', file), bytes);
}

// Beside dist/, so that the paths in the source maps stay true when it takes that name.
const fresh = mkdtempSync(join(root, '.dist-'));
const scratch = mkdtempSync(join(tmpdir(), 'lanewise-types-'));
try {
  await javascript(fresh);
  declarations(fresh, scratch);
  moduleFilesTo(fresh);
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  renameSync(fresh, join(root, 'dist'));
  chmodSync(join(root, 'dist'), 0o755); // mkdtemp makes it private
} finally {
  for (const folder of [fresh, scratch]) rmSync(folder, { recursive: true, force: true });
}
