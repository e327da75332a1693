/** Bundles the test files for browsers: the same sources, with stand-ins for modules of Node. */
import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { nameOf, sourceOf } from './suite.ts';

const here = import.meta.dirname;
const source = join(here, '../../src');
const tests = join(here, '..');
const vectors = join(here, '../../../../vectors');

const standIns: Readonly<Record<string, string>> = {
  'node:crypto': 'crypto.ts',
  'node:fs': 'fs.ts',
  'node:path': 'path.ts',
  'node:util': 'util.ts',
  'node:vm': 'vm.ts',
  'libsodium-wrappers-sumo': 'libsodium.ts',
};

const replaceModules: Plugin = {
  name: 'stand-ins',
  setup(setup) {
    setup.onResolve({ filter: /^(node:|libsodium|fs$|path$|crypto$)/ }, ({ path, importer }) => {
      // Other packages import modules of Node only after they have detected Node.
      if (importer.includes('node_modules')) return { path, namespace: 'absent' };
      if (path in standIns) return { path: join(here, 'stand-ins', standIns[path]) };
      return { path: `${path}, which ${basename(importer)} imports`, namespace: 'unknown' };
    });
    setup.onLoad({ filter: /.*/, namespace: 'absent' }, () => ({ contents: 'module.exports = {};' }));
    // A failure of this file, and of no other.
    setup.onLoad({ filter: /.*/, namespace: 'unknown' }, ({ path }) => {
      const message = `test/browsers has no stand-in for ${path}: it needs one, or suite.ts a reason why it is not there`;
      return { contents: `module.exports = (() => { throw new Error(${JSON.stringify(message)}); })();` };
    });
    // Tables of tests that run in Node only, and of scripts.
    setup.onLoad({ filter: /\/test\/[\w-]+\/table\/(interleaved|overflow|timing)\.ts$/ }, () => ({
      contents: 'export {};',
    }));
    // Streams of Node.
    setup.onLoad({ filter: /\/test\/stream-node\/table\/calls\.ts$/ }, () => ({
      contents: 'export const calls = {};',
    }));
    // The worker of a pool is a bundle of its own.
    setup.onLoad({ filter: /\/src\/pool\/spawn\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll("'../worker.ts'", "'../pool-worker.js'"),
      loader: 'ts',
    }));
    setup.onResolve({ filter: /^lanewise:files$/ }, ({ path }) => ({ path, namespace: 'lanewise' }));
    setup.onLoad({ filter: /.*/, namespace: 'lanewise' }, () => {
      const names = readdirSync(vectors).filter((name) => name.endsWith('.json'));
      const texts = Object.fromEntries(names.map((name) => [name, readFileSync(join(vectors, name), 'utf8')]));
      const tables = globSync('*/table', { cwd: tests }).map(
        (path) => [dirname(path), readdirSync(join(tests, path))] as const,
      );
      const files = {
        vectors: texts,
        wasm: readdirSync(join(source, 'wasm')),
        tables: Object.fromEntries(tables),
      };
      return { contents: JSON.stringify(files), loader: 'json' };
    });
  },
};

/** Tests reload these modules with `import()` after `vi.resetModules`; such imports go through the page. */
const DYNAMIC = /\bimport\('\.\.\/\.\.\/src\/([\w/-]+)\.ts'\)/g;

/** The modules that tests load anew, and the test files that do, found while these are bundled. */
interface Reloads {
  readonly modules: Set<string>;
  readonly files: Set<string>;
}

function reloads({ modules, files }: Reloads): Plugin {
  return {
    name: 'reloads',
    setup(setup) {
      setup.onLoad({ filter: /\.test\.ts$/ }, ({ path }) => {
        const contents = readFileSync(path, 'utf8').replace(DYNAMIC, (_, name: string) => {
          modules.add(name);
          files.add(nameOf(path));
          return `lanewiseImport('${name}')`;
        });
        return { contents, loader: 'ts' };
      });
    },
  };
}

export interface Bundle {
  readonly folder: string;
  /** All that one of its modules imports, directly or not. */
  readonly needs: (name: string) => ReadonlySet<string>;
  /** Whether a test file loads modules of the library anew. */
  readonly reloads: (file: string) => boolean;
}

/** Writes the files that the server serves to a folder. `seed` is for tests with random cases; `programs` are others beside these, by their names. */
export async function bundle(
  folder: string,
  files: readonly string[],
  seed: number,
  programs: Readonly<Record<string, string>> = {},
): Promise<Bundle> {
  const { LANEWISE_SLOW } = process.env;
  const common = {
    absWorkingDir: folder,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'error',
    define: {
      'import.meta.dirname': '"."',
      'process.env': JSON.stringify({ LANEWISE_SEED: `${seed}`, LANEWISE_SLOW, LANEWISE_RANDOM_CASES: '0.1' }),
    },
  } satisfies BuildOptions;
  const again: Reloads = { modules: new Set(), files: new Set() };
  const pages = ['page', 'realm', 'worker', 'program'].map((name) => [name, join(here, `page/${name}.ts`)]);
  const { metafile } = await build({
    ...common,
    entryPoints: Object.fromEntries([
      ...pages,
      ...Object.entries(programs),
      ...files.map((file) => [`files/${file}`, sourceOf(file)]),
    ]),
    outdir: folder,
    splitting: true,
    chunkNames: 'shared/[hash]',
    metafile: true,
    inject: [join(here, 'stand-ins/buffer.ts')],
    plugins: [replaceModules, reloads(again)],
  });
  const worker = join(source, 'worker.ts');
  await build({ ...common, entryPoints: [worker], outfile: join(folder, 'pool-worker.js') });
  const contents = [...again.modules].map((name) => `export * as '${name}' from './${name}.ts';`).join('\n');
  // Otherwise Node 20 treats the files as CommonJS.
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  await build({ ...common, stdin: { contents, resolveDir: source }, outfile: join(folder, 'again.js') });

  return {
    folder,
    needs(name) {
      const found = new Set<string>();
      const visit = (output: string): void => {
        for (const { path, external } of metafile.outputs[output].imports)
          if (!external && !found.has(path)) {
            found.add(path);
            visit(path);
          }
      };
      visit(name);
      return found;
    },
    reloads: (file) => again.files.has(file),
  };
}
