/**
 * The client as one file: an ECMAScript module for browsers and other hosts without Node's modules, or a program for
 * Node, Bun and Deno.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import * as esbuild from 'esbuild';
import { PACKAGES } from './client/package-names.ts';
import { versionOf } from './host.ts';
import { roomFolders } from './room-folders.ts';

export interface BundleOptions {
  /**
   * `web`: one ECMAScript module with all dependencies, which exports `run`, `catalogue`, `plans` and `PROTOCOL`.
   * `node`: a program that reads a Task from standard input and writes lines of JSON to standard output; it loads the
   * rivals from the node_modules of its own folder.
   */
  readonly target: 'web' | 'node';
  readonly minify?: boolean;
}

const entries = { web: 'client/web.ts', node: 'client/node/main.ts' } as const;

/** Some packages do not export the WebAssembly files that their code reads, so these are found by path. */
const wasmFiles: esbuild.Plugin = {
  name: 'wasm files of packages',
  setup(build) {
    const require = createRequire(import.meta.url);
    build.onResolve({ filter: /\.wasm$/ }, ({ path }) => {
      const [, name, rest] = /^((?:@[^/]+\/)?[^/]+)\/(.+)$/.exec(path) ?? [];
      return { path: join(dirname(require.resolve(`${name}/package.json`)), rest) };
    });
  },
};

/**
 * Rivals stay outside and are loaded as npm installed them. The library is bundled, so that no runtime resolves it to
 * its sources.
 */
const rivalsOutside: esbuild.Plugin = {
  name: 'rivals outside',
  setup(build) {
    build.onResolve({ filter: /^[^./#]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path === 'lanewise' || path.startsWith('lanewise/')
        ? undefined
        : { path, external: true },
    );
  },
};

/** The text of `#rooms`: the list of all rooms, each with a function that loads its kernels. */
function roomsModule(): string {
  const folders = roomFolders();
  const imports = folders.flatMap(({ file }, i) =>
    (['operations', 'contests'] as const).flatMap((name) => {
      const path = file(name);
      return path === undefined ? [] : [`import { ${name} as ${name}${i} } from ${JSON.stringify(path)};`];
    }),
  );
  const rooms = folders.map(({ name, file }, i) => {
    const forms = file('forms');
    return `{
      name: ${JSON.stringify(name)},
      operations: ${file('operations') === undefined ? '[]' : `operations${i}`},
      contests: ${file('contests') === undefined ? '{}' : `contests${i}`},
      kernels: async () => ${forms === undefined ? '({ ours: [] })' : `(await import(${JSON.stringify(forms)})).kernels`},
    }`;
  });
  return `${imports.join('\n')}\nexport const found = [${rooms.join(', ')}];`;
}

const roomsByFolder: esbuild.Plugin = {
  name: 'rooms by folder',
  setup(build) {
    build.onResolve({ filter: /^#rooms$/ }, () => ({ path: 'rooms', namespace: 'rooms' }));
    build.onLoad({ filter: /^rooms$/, namespace: 'rooms' }, () => ({
      contents: roomsModule(),
      resolveDir: import.meta.dirname,
    }));
  },
};

/** Every bundle of this package: a module for engines of today, without comments, and told of errors only. */
export const MODULE = {
  bundle: true,
  write: false,
  format: 'esm',
  target: 'es2022',
  // An empty configuration: the real tsconfig.json would resolve the library to its sources.
  tsconfigRaw: '{}',
  legalComments: 'none',
  logLevel: 'error',
} as const satisfies esbuild.BuildOptions;

/** Bundles the client. Needs the library's dist/. */
export async function clientBundle({ target, minify = false }: BundleOptions): Promise<string> {
  const web = target === 'web';
  const { outputFiles } = await esbuild.build({
    ...MODULE,
    entryPoints: [join(import.meta.dirname, entries[target])],
    platform: web ? 'browser' : 'neutral',
    mainFields: ['browser', 'module', 'main'],
    conditions: web ? ['bundle', 'import'] : ['import'],
    plugins: [roomsByFolder, web ? wasmFiles : rivalsOutside],
    loader: { '.wasm': 'binary' },
    define: web
      ? { LAB_VERSIONS: JSON.stringify(Object.fromEntries(PACKAGES.map((name) => [name, versionOf(name)]))) }
      : {},
    minify,
  });
  return outputFiles[0].text;
}

/** The name of the file in which the library in a bundle looks for the worker of its pools, in the folder of the bundle. */
export const POOL_WORKER = 'worker.js';

/** The worker of pools, as users of a bundler get it: the library alone. Needs its dist/. */
export async function poolWorkerBundle({ minify = false }: Pick<BundleOptions, 'minify'> = {}): Promise<string> {
  const { outputFiles } = await esbuild.build({
    ...MODULE,
    stdin: { contents: "import 'lanewise/worker.js';", resolveDir: import.meta.dirname },
    minify,
  });
  return outputFiles[0].text;
}
