/**
 * dist/ from src/: JavaScript by rolldown, declarations by tsc, and the modules of the kernels as files. Both are made aside and put in place together, so that
 * a process that imports dist/ during a build sees the old files or the new ones.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build, type Plugin } from 'rolldown';
import { forOldTypeScript } from './old-types.ts';
import { doors, moduleFiles, OLD_TYPES } from './rooms.ts';

const root = dirname(import.meta.dirname);

/** The modules that `import` gives, and those that `require` gives where it cannot have the others. */
type Format = 'esm' | 'cjs';

/**
 * In dist/, all modules are in one folder, and the worker is beside the pool; CommonJS has one folder below, and takes the same worker.
 * The words around the name of the worker's file are those by which bundlers find it. One character less, and a space, so that the source
 * map stays true.
 */
const placed = (format: Format): Plugin => ({
  name: 'the worker is beside the pool',
  transform(code) {
    if (!code.includes("'../worker.ts'")) return undefined;
    if (format === 'esm') return { code: code.replaceAll("'../worker.ts'", "'./worker.js' "), map: null };
    return code
      .replaceAll("'../worker.ts'", "'../worker.js'")
      .replaceAll('import.meta.url', "process.getBuiltinModule('node:url').pathToFileURL(__filename)");
  },
});

/** Sources, by a pattern of their paths from src/ on. */
const at = (pattern: string): RegExp => new RegExp(String.raw`[\\/]src[\\/](?:js[\\/]generated[\\/])?(?:${pattern})`);

/**
 * Files that some entries share and others don't load: threads and pages of disks; hashes and derivations, which a page with passphrases may load
 * later; sources of bytes, for streams and pools. Bundlers that split an application put each of them where it is needed.
 */
const APART = [
  ['more-shared', String.raw`work[\\/]|disk[\\/]|engine[\\/]own-memory|poly1305\b`],
  ['stream-shared', String.raw`stream[\\/]|io[\\/](?!handles|node\b|steps|store)`],
  ['blake3-shared', String.raw`blake3\b`],
  ['argon2-shared', 'argon2'],
  ['hash-shared', String.raw`blake2|scrypt|sha2|sha512`],
] as const;
const EVERYWHERE = new RegExp(`^(?!.*${at(APART.map(([, pattern]) => pattern).join('|')).source})`);

/**
 * One file for each entry, one that all entries share, and those that only some do: so there is one copy of the engine's state, and an import
 * loads few files. Finding and parsing files is most of the time of a first call: without the files apart, that of chacha.js took twice as long.
 */
async function javascript(format: Format, outdir: string): Promise<void> {
  const common = { cwd: root, platform: 'neutral', external: /^node:/, transform: { target: 'es2022' } } as const;
  const output = {
    dir: outdir,
    format,
    sourcemap: format === 'esm',
    // As modules are: in other code `arguments` has every parameter a second time, and `f.arguments` shows those of a running call.
    strict: true,
    // Comments for callers are in the declarations.
    comments: { annotation: true, jsdoc: false, legal: true },
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
  } as const;
  const entries = doors.filter((name) => name !== 'index' && name !== 'worker');
  await build({
    ...common,
    plugins: [placed(format)],
    input: Object.fromEntries(entries.map((name) => [name, `src/${name}.ts`])),
    output: {
      ...output,
      exports: 'named',
      codeSplitting: {
        groups: [
          { name: 'shared', test: EVERYWHERE, minShareCount: 2, priority: 2 },
          ...APART.map(([name, test], i) => ({ name, test: at(test), minShareCount: 2, priority: 1 - i / 10 })),
        ],
      },
    },
  });
  // A worker is one file: it starts sooner, and bundlers that copy it as it is do no harm.
  const outro = format === 'esm' ? 'export {};' : '';
  await build({ ...common, input: { worker: 'src/worker.ts' }, output: { ...output, outro } });
  // The root imports all public modules: were it one of the entries above, everything would be shared.
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
    output: { ...output, exports: 'named' },
  });
}

/**
 * Only the declarations that an entry's types reach are published: for `import` and `require`, and each for today's TypeScript and for
 * that before 5.7.
 */
function declarations(outdir: string, scratch: string): void {
  const write = (folder: string, file: string, text: string): void => {
    const path = join(outdir, folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  for (const project of ['tsconfig.build.json', 'tsconfig.build-node.json'])
    execFileSync(process.execPath, [tsc, '-p', project, '--outDir', scratch], {
      cwd: root,
      stdio: ['ignore', 2, 2], // standard output belongs to the caller of the build
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
    for (const folder of ['', 'cjs']) {
      write(folder, file, text);
      write(join(folder, OLD_TYPES), file, forOldTypeScript(text));
    }
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
  const required = join(fresh, 'cjs');
  await Promise.all([javascript('esm', fresh), javascript('cjs', required)]);
  // The folder of CommonJS says so itself, to hosts and to TypeScript.
  writeFileSync(join(required, 'package.json'), '{ "type": "commonjs" }\n');
  declarations(fresh, scratch);
  moduleFilesTo(fresh);
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  renameSync(fresh, join(root, 'dist'));
  chmodSync(join(root, 'dist'), 0o755); // mkdtemp makes it private
} finally {
  for (const folder of [fresh, scratch]) rmSync(folder, { recursive: true, force: true });
}
