/**
 * `node build.ts [PACKAGE]` writes all lines, or those of one package, to packages/PACKAGE/dist/MAJOR, ready for `npm pack`. A module with
 * sources (src/MAJOR/NAME.ts) is ours; all others hand through the original's. Types are the original's, and our exports have its shapes.
 */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { build, type OutputOptions } from 'rolldown';
import { distOf, folderOf, manifestOf, modulesOf, workspace, type Manifest } from './folders.ts';
import { lines, versionOf, type Line } from './lines.ts';

const sourceOf = (line: Line, module: string): string =>
  join(workspace, 'packages', line.package, 'src', String(line.major), `${module}.ts`);

/**
 * Every line has the files of its original with it. If it depended on the original, under whatever name, an override would reach that
 * dependency too in Deno, and the line would stand in the place of its own original.
 *
 * Version 1 of the noble packages imports itself by its own name, and finds whatever has this name where it is installed: perhaps another
 * version. So the files of version 1 contain the original's code; those of other lines import it from this folder.
 */
const ORIGINAL = 'original';
const contains = (line: Line): boolean => line.modules === 'esm and cjs' && !line.entries;

/** How sources import the original. */
const imported = (line: Line): RegExp => new RegExp(`^${line.alias}(?:/(.+))?$`);

/** The file of a module of the original, for the files that contain it. Its ES modules serve both formats. */
const fileOf = (line: Line, module: string): string => join(folderOf(line.alias), 'esm', `${module}.js`);

/** The path of a module of the original from the root of a line, and from its ES modules where both formats have folders. */
const originalOf = (line: Line, module: string): string => {
  const { main } = manifestOf(line.alias);
  return `./${ORIGINAL}/${line.files && main ? main : `${module}.js`}`;
};

/** Copies the original's modules and types, or only the types where a line contains the modules. */
function copyOriginal(line: Line, from: string, to: string): void {
  const paths = readdirSync(from, { recursive: true, encoding: 'utf8' }).filter(
    (path) =>
      (contains(line) ? /^[^/\\]+\.d\.ts$/ : /\.(?:js|mjs|d\.ts|d\.mts)$/).test(path) &&
      !/^(?:src|node_modules)\b/.test(path),
  );
  const { main, types } = manifestOf(line.alias);
  for (const path of paths.filter((path) => !line.files || path === main || path === types)) {
    const target = join(to, ORIGINAL, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, readFileSync(join(from, path), 'utf8').replace(MAP, ''));
  }
}

/** The modules of a line, but not its root, in one format; shared code becomes files of its own. */
async function bundle(line: Line, folder: string, format: 'esm' | 'cjs'): Promise<void> {
  const named = modulesOf(line).filter((module) => module !== 'index');
  const inputs = named.flatMap((module): [string, string][] =>
    existsSync(sourceOf(line, module))
      ? [[module, sourceOf(line, module)]]
      : contains(line)
        ? [[module, fileOf(line, module)]]
        : [],
  );
  const itself = new RegExp(`^(?:${line.original}|${line.alias})/([\\w-]+)$`);
  await build({
    cwd: workspace,
    input: Object.fromEntries(inputs),
    platform: 'neutral',
    plugins: [
      {
        name: 'the original',
        resolveId(id) {
          const module = contains(line) ? itself.exec(id)?.[1] : undefined;
          return module === undefined ? undefined : fileOf(line, module);
        },
      },
    ],
    // A CommonJS module cannot require the library in every version of Node, so it contains the code that it needs.
    external: [...(format === 'cjs' ? [] : [/^lanewise\//]), ...(contains(line) ? [] : [imported(line)])],
    transform: { target: 'es2022' },
    output: {
      dir: folder,
      format,
      sourcemap: false,
      esModule: !line.files,
      exports: line.files ? 'default' : 'named',
      entryFileNames: '[name].js',
      chunkFileNames: 'shared-[name].js',
      paths: (id) => {
        const its = imported(line).exec(id);
        return its ? originalOf(line, its[1]?.replace(/\.js$/, '') ?? 'index') : id;
      },
      comments: { annotation: true, jsdoc: false, legal: true },
    } satisfies OutputOptions,
  });
}

/**
 * The two modules of a line that is nothing else. They need parts of the library that it does not export, so they contain all that they
 * need of it, from its sources.
 */
async function bundleEntries(line: Line, folder: string): Promise<void> {
  for (const format of ['esm', 'cjs'] as const) {
    const file = line.entries![format];
    const beside = `../../${ORIGINAL}/${file}`;
    await build({
      cwd: workspace,
      input: sourceOf(line, format),
      platform: 'neutral',
      plugins: [
        {
          name: 'the library',
          resolveId(id) {
            const door = /^lanewise\/([\w-]+)\.js$/.exec(id)?.[1];
            return door === undefined ? undefined : join(workspace, 'packages/lanewise/src', `${door}.ts`);
          },
        },
      ],
      external: [line.alias],
      transform: { target: 'es2022' },
      output: {
        dir: join(folder, dirname(file)),
        entryFileNames: basename(file),
        format,
        sourcemap: false,
        exports: format === 'cjs' ? 'default' : 'named',
        esModule: false,
        paths: { [line.alias]: beside },
        comments: { annotation: true, jsdoc: false, legal: true },
      } satisfies OutputOptions,
    });
    // The original's types for CommonJS have no default export.
    const parts = format === 'esm' ? ['*', '{ default }'] : ['*'];
    const text = parts.map((part) => `export ${part} from '${beside}';\n`).join('');
    writeFileSync(join(folder, file.replace(/(m?)js$/, 'd.$1ts')), text);
  }
}

/** Not for users: what the original was made, installed and tested with. */
const WORKSHOP = /^(?:dist|esm)\/build\/|\.test\.|\/test-helpers\.|^[^/]*(?:benchmark|\.config\.m?js$)/;
const KEPT = /\.(?:js|mjs|d\.ts|d\.mts|wasm)$|\/package\.json$/;

/** The original's own files, at their own paths. Its WebAssembly stays for programs that copy or fetch it; nothing here reads it. */
function copyAround(from: string, to: string): void {
  const paths = readdirSync(from, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'));
  for (const path of paths.filter((its) => KEPT.test(its) && !WORKSHOP.test(its) && !its.startsWith('node_modules/'))) {
    const target = join(to, path);
    mkdirSync(dirname(target), { recursive: true });
    if (path.endsWith('.js')) writeFileSync(target, readFileSync(join(from, path), 'utf8').replace(MAP, ''));
    else cpSync(join(from, path), target);
  }
}

function mend({ within }: Line, folder: string): void {
  for (const { file, from, to } of within!.mended) {
    const text = readFileSync(join(folder, file), 'utf8');
    if (text.split(from).length !== 2) throw new Error(`${file} expected once: ${from}`);
    writeFileSync(
      join(folder, file),
      text.replace(from, () => to),
    );
  }
}

/** The modules of a line inside its original. They contain all that they need of the library: pages load them without a bundler. */
async function bundleWithin(line: Line, folder: string): Promise<void> {
  const { isOver = false } = line.within!;
  for (const format of ['esm', 'cjs'] as const) {
    const its = Object.entries(line.within![format]);
    if (its.length === 0) continue;
    const shared = dirname(dirname(its[0][1]));
    for (const [, path] of isOver ? its : []) {
      const [own, beside] = [join(folder, path), join(folder, dirname(path), ORIGINAL, basename(path))];
      mkdirSync(dirname(beside), { recursive: true });
      renameSync(own, beside);
    }
    await build({
      cwd: workspace,
      input: Object.fromEntries(its.map(([source, path]) => [path, sourceOf(line, source)])),
      platform: 'neutral',
      external: isOver ? [line.alias] : [],
      transform: { target: 'es2022' },
      output: {
        dir: folder,
        entryFileNames: '[name]',
        chunkFileNames: join(shared, 'shared-[name].js'),
        format,
        sourcemap: false,
        exports: 'named',
        // The originals of these have none.
        esModule: line.modules !== 'cjs' && !isOver,
        paths: { [line.alias]: `./${ORIGINAL}/${basename(its[0][1])}` },
        comments: { annotation: true, jsdoc: false, legal: true },
      } satisfies OutputOptions,
    });
  }
}

/** Writes modules that are the original's own, and the types of all. */
function handThrough(line: Line, folder: string, inside = ''): void {
  if (line.files) {
    const [main, ...others] = line.files;
    for (const file of others) writeFileSync(join(folder, `${file}.js`), `module.exports = require('./${main}.js');\n`);
    for (const file of line.files)
      writeFileSync(
        join(folder, `${file}.d.ts`),
        `import original = require('./${ORIGINAL}/${manifestOf(line.alias).types?.replace('.d.ts', '')}');\nexport = original;\n`,
      );
    return;
  }
  for (const module of modulesOf(line)) {
    const text = `export * from '${originalOf(line, module)}';\n`;
    writeFileSync(join(folder, `${module}.d.ts`), text);
    const script = join(folder, `${module}.js`);
    // The root of every original throws.
    if (!existsSync(script))
      writeFileSync(
        script,
        contains(line)
          ? readFileSync(join(folderOf(line.alias), inside, `${module}.js`), 'utf8').replace(MAP, '')
          : text,
      );
  }
}

const MAP = /\/\/# sourceMappingURL.*\n?/;

/** Where the modules of a line are, by the paths that the original exports. */
function exportsOf(line: Line, manifest: Manifest): Record<string, unknown> {
  const condition = (file: string): object => ({ types: `${file}.d.ts`, default: `${file}.js` });
  const paths = Object.keys(manifest.exports ?? {}).map((path): [string, unknown] => {
    const module = path === '.' ? 'index' : path.slice(2).replace(/\.js$/, '');
    return line.modules === 'esm'
      ? [path, condition(`./${module}`)]
      : [path, { import: condition(`./esm/${module}`), require: condition(`./${module}`) }];
  });
  return { ...Object.fromEntries(paths), './package.json': './package.json' };
}

function packageOf(line: Line): object {
  const manifest = manifestOf(line.alias);
  const library = manifestOf('lanewise');
  return {
    name: `@lanewise/${line.package}`,
    version: versionOf(line),
    description: `${line.original} ${line.major || line.takes} with the kernels of Lanewise: the same paths, names and results, for "overrides".`,
    license: 'MIT',
    author: 'Lanewise authors',
    ...(library.repository && { repository: { ...library.repository, directory: `packages/${line.package}` } }),
    // Where the original says neither, tools read both from the files: some are ES modules, and one provides the others with ours.
    ...((!line.within || line.modules === 'esm') && {
      type: line.modules === 'esm' ? 'module' : 'commonjs',
      sideEffects: false,
    }),
    ...(manifest.sideEffects === false && { sideEffects: false }),
    engines: manifest.engines ?? { node: '>=20' },
    ...(line.within
      ? {
          main: manifest.main,
          module: manifest.module,
          ...(line.modules !== 'cjs' && { types: manifest.types, exports: manifest.exports }),
        }
      : line.entries
        ? // The files have the original's paths.
          { main: manifest.main, module: manifest.module, types: manifest.types, exports: manifest.exports }
        : {
            main: `./${line.files?.[0] ?? 'index'}.js`,
            types: `./${line.files?.[0] ?? 'index'}.d.ts`,
            ...(manifest.exports && { exports: exportsOf(line, manifest) }),
          }),
    dependencies: {
      // CommonJS modules and those inside an original contain the code that they need.
      ...(!line.entries && !line.within && line.modules !== 'cjs' && { lanewise: library.version }),
      ...manifest.dependencies,
    },
    // Modules of Node that bundles for browsers leave out.
    ...(!contains(line) && manifest.browser && { browser: manifest.browser }),
  };
}

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** Made aside and put in place whole, so that a process that imports a line during a build finds all of it. */
async function buildLine(line: Line): Promise<void> {
  const { version } = manifestOf(line.alias);
  if (version !== line.takes)
    throw new Error(`${line.alias} expected version ${line.takes} (lines.ts), got ${version}`);
  const target = distOf(line);
  mkdirSync(join(target, '..'), { recursive: true });
  const fresh = mkdtempSync(join(target, '../.dist-'));
  try {
    if (line.within) {
      copyAround(folderOf(line.alias), fresh);
      mend(line, fresh);
      await bundleWithin(line, fresh);
    } else if (line.entries) await bundleEntries(line, fresh);
    else if (line.modules !== 'esm and cjs') {
      await bundle(line, fresh, line.modules);
      handThrough(line, fresh);
    } else {
      mkdirSync(join(fresh, 'esm'));
      await bundle(line, join(fresh, 'esm'), 'esm');
      handThrough(line, join(fresh, 'esm'), 'esm');
      writeFileSync(join(fresh, 'esm/package.json'), json({ type: 'module', sideEffects: false }));
      await bundle(line, fresh, 'cjs');
      handThrough(line, fresh);
      copyOriginal(line, join(folderOf(line.alias), 'esm'), join(fresh, 'esm'));
    }
    if (!line.within) copyOriginal(line, folderOf(line.alias), fresh);
    // Some originals name their licence in package.json alone.
    const licence = join(folderOf(line.alias), 'LICENSE');
    if (existsSync(licence)) cpSync(licence, join(fresh, 'LICENSE.original'));
    writeFileSync(join(fresh, 'package.json'), json(packageOf(line)));
    cpSync(join(workspace, 'packages', line.package, 'README.md'), join(fresh, 'README.md'));
    cpSync(join(workspace, 'LICENSE'), join(fresh, 'LICENSE'));
    chmodSync(fresh, 0o755); // mkdtemp makes it private
    rmSync(target, { recursive: true, force: true });
    renameSync(fresh, target);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

const name = process.argv[2];
const its = lines.filter((line) => name === undefined || line.package === name);
if (its.length === 0) throw new Error(`no drop-in package is called ${name ?? ''}`);
for (const line of its) await buildLine(line);
