/** The client as one file: for browsers and whatever else has no modules of Node, or as a program for Node, Bun and Deno. */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import * as esbuild from 'esbuild';
import { PACKAGES } from './client/package-names.ts';
import { versionOf } from './host.ts';
import { roomFolders } from './room-folders.ts';

export interface BundleOptions {
  /**
   * `web`: everything in one ECMAScript module, which exports `run`, `catalogue`, `plans` and `PROTOCOL`. `node`: a program, a
   * Task on standard input, lines of JSON on standard output; it finds the rivals where its own file is, in node_modules.
   */
  readonly target: 'web' | 'node';
  readonly minify?: boolean;
}

export interface Bundle {
  readonly text: string;
  readonly sha256: string;
}

const entries = { web: 'client/web.ts', node: 'client/node/main.ts' } as const;

/** Packages export their code, but not always the files that it reads. */
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

/** Rivals are what npm installed; the library is bundled, so that no runtime takes its sources for it. */
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

/** The text of `#rooms`: every room, its kernels loaded when they are asked for. */
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

/** Builds it from the library's dist/, which has to be there. */
export async function clientBundle({ target, minify = false }: BundleOptions): Promise<Bundle> {
  const web = target === 'web';
  const { outputFiles } = await esbuild.build({
    entryPoints: [join(import.meta.dirname, entries[target])],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    platform: web ? 'browser' : 'neutral',
    mainFields: ['browser', 'module', 'main'],
    conditions: web ? ['bundle', 'import'] : ['import'],
    plugins: [roomsByFolder, web ? wasmFiles : rivalsOutside],
    loader: { '.wasm': 'binary' },
    define: web
      ? { LAB_VERSIONS: JSON.stringify(Object.fromEntries(PACKAGES.map((name) => [name, versionOf(name)]))) }
      : {},
    // Without it, tsconfig.json would lead to the library's sources.
    tsconfigRaw: '{}',
    minify,
    legalComments: 'none',
    logLevel: 'error',
  });
  const { text } = outputFiles[0];
  return { text, sha256: createHash('sha256').update(text).digest('hex') };
}
