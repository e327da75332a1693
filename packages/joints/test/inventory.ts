/**
 * Every public call of every package, by name, from the exports of the packages. A name is that of the package, then that of the call:
 * `lanewise chacha.chacha20`, `age Encrypter.encrypt`, `cli encrypt`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { calls } from '../../lanewise/test/support/calls.ts';
import { distOf, folderOf, modulesOf } from '../../drop-ins/src/folders.ts';
import { lines, type Line } from '../../drop-ins/src/lines.ts';

const packages = join(import.meta.dirname, '../..');

type Names = Readonly<Record<string, unknown>>;
interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, { readonly default?: string }>>;
}
export const manifestOf = (name: string): Manifest =>
  JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8')) as Manifest;

/** Folders of packages/ that are published, and have calls of their own. Native code is compiled where it runs, and has no release yet. */
export const published = (): string[] => [
  'native',
  ...readdirSync(packages).filter(
    (name) => readdirSync(join(packages, name)).includes('package.json') && !manifestOf(name).private,
  ),
  ...new Set(lines.map((line) => line.package)),
];

const isFunction = (value: unknown): value is (...values: unknown[]) => unknown => typeof value === 'function';
const isClass = (value: unknown): boolean => isFunction(value) && /^class\b/.test(String(value));

/** The functions of an object's or a class's own, by name. */
function* functionsOf(name: string, value: unknown): Generator<string> {
  if (isFunction(value) && !isClass(value)) yield name;
  const holder = isClass(value) ? (value as { prototype: object }).prototype : value;
  if ((typeof holder !== 'object' && typeof holder !== 'function') || holder === null) return;
  for (const [key, { value: member }] of Object.entries(Object.getOwnPropertyDescriptors(holder)))
    if (key !== 'constructor' && isFunction(member) && (isClass(value) || key !== 'prototype')) yield `${name}.${key}`;
}

/** The public modules of a package with `exports`, as its users import them. */
export async function doorsOf(name: string): Promise<Readonly<Record<string, Names>>> {
  const { exports = {} } = manifestOf(name);
  const doors: Record<string, Names> = {};
  for (const [path, target] of Object.entries(exports))
    if (!path.includes('*') && typeof target === 'object' && target.default)
      doors[path] = (await import(pathToFileURL(join(packages, name, target.default)).href)) as Names;
  return doors;
}

async function ofAge(): Promise<string[]> {
  const theirs = (await import('age-encryption')) as Names;
  const [door] = Object.values(await doorsOf('age'));
  // The exports of `age-encryption` are handed on unchanged.
  return Object.entries(door)
    .filter(([name, value]) => theirs[name] !== value)
    .flatMap(([name, value]) => [...functionsOf(name, value)]);
}

async function ofCluster(): Promise<string[]> {
  const [door] = Object.values(await doorsOf('cluster'));
  const queue = (door.cluster as (url: string) => object)('redis://127.0.0.1:1');
  const types = readFileSync(join(packages, 'cluster/src/types.ts'), 'utf8');
  const worker = /interface ClusterWorker \{(.*?)\n\}/s.exec(types)?.[1] ?? '';
  return [
    ...Object.keys(door),
    ...functionsOf('Cluster', Object.getPrototypeOf(queue)),
    ...[...worker.matchAll(/^ {2}(\w+)\(/gm)].map(([, name]) => `ClusterWorker.${name}`),
  ];
}

/** Modules of a line of a drop-in package that are written here; the others are the original's. */
const ourModules = (line: Line): string[] => {
  const ours = new Set(
    readdirSync(join(packages, line.package, 'src', String(line.major))).map((name) => name.slice(0, -3)),
  );
  return modulesOf(line).filter((name) => ours.has(name));
};

/**
 * The functions of a drop-in package that are not its original's.
 *
 * @param loose - Whether the originals were loaded from other files than those that the package hands on: then their texts tell.
 */
function changed(path: string, ours: unknown, theirs: unknown, loose: boolean): string[] {
  if (ours === theirs || ours === null || (typeof ours !== 'object' && typeof ours !== 'function')) return [];
  const mine = isFunction(ours) && !(loose && String(ours) === String(theirs)) ? [path] : [];
  const inside = Object.keys(ours).flatMap((name) =>
    changed(`${path}.${name}`, (ours as Names)[name], (theirs as Names | undefined)?.[name], loose),
  );
  return [...mine, ...inside];
}

/** A line has its original in a folder, whose functions are those that it hands on; or contains it, and then the texts tell. */
const originalsOf = (line: Line): string =>
  line.modules === 'esm' || line.entries ? join(distOf(line), 'original') : folderOf(line.alias);

/** The module of a drop-in package, beside the original's. */
export async function pairOf(line: Line, module: string): Promise<readonly [ours: Names, theirs: Names]> {
  const load = async (folder: string, file: string): Promise<Names> => {
    const names = (await import(pathToFileURL(join(folder, `${file}.js`)).href)) as Names;
    // A CommonJS module of version 1 equals its `default`.
    return line.modules === 'esm' ? names : ((names.default as Names | undefined) ?? names);
  };
  return [await load(distOf(line), module), await load(originalsOf(line), module)];
}

export async function sodiumOf(line: Line): Promise<readonly [ours: Names, theirs: Names]> {
  const [ours, theirs] = await Promise.all(
    [distOf(line), originalsOf(line)].map(async (each) => {
      const file = pathToFileURL(join(each, line.entries!.esm)).href;
      return ((await import(file)) as { default: Names }).default;
    }),
  );
  await Promise.all([ours.ready, theirs.ready]);
  return [ours, theirs];
}

const require = createRequire(import.meta.url);

/** A line inside its original, and the original: the module that programs import, and the module for Node that is ours. */
export const withinOf = (line: Line): readonly Record<'program' | 'ours', Names>[] =>
  [distOf(line), folderOf(line.alias)].map((folder) => ({
    program: require(folder) as Names,
    ours: require(join(folder, Object.values({ ...line.within!.esm, ...line.within!.cjs }).at(-1)!)) as Names,
  }));

async function ofSqlite(): Promise<string[]> {
  const methodsOf = (file: string, named: string): string[] => {
    const source = readFileSync(join(packages, 'sqlite/src', file), 'utf8');
    const body = new RegExp(`class ${named} \\{(.*?)\\n\\}`, 's').exec(source)?.[1] ?? '';
    return [...body.matchAll(/^ {2}(?:async )?(\w+)\(/gm)]
      .map(([, name]) => name)
      .filter((name) => name !== 'constructor')
      .map((name) => `${named}.${name}`);
  };
  // Two doors have calls of one name, which are not the same: those of the one for browsers have its name in front.
  const { './browser.js': browser, ...doors } = await doorsOf('sqlite');
  const others = Object.assign({}, ...Object.values(doors)) as Names;
  const nameInBrowsers = (name: string): string =>
    name in others && others[name] !== browser[name] ? `browser.${name}` : name;
  return [
    ...Object.keys(others),
    ...Object.keys(browser).map(nameInBrowsers),
    ...methodsOf('database.ts', 'Database'),
    ...methodsOf('volume/file-system.ts', 'EncryptedFileSystem'),
  ];
}

/** Its other door is the program of a worker. */
async function ofNative(): Promise<string[]> {
  const door = (await import('@lanewise/native')) as Names;
  return Object.entries(door).flatMap(([name, value]) => (isFunction(value) ? [name] : []));
}

async function ofDropIns(): Promise<string[]> {
  const found: string[] = [];
  for (const line of lines) {
    const title = `${line.package} ${line.major}`;
    if (line.within) {
      const [{ ours }, { ours: theirs }] = withinOf(line);
      const isLoose = line.within.isOver === true;
      const all = Object.keys(ours).flatMap((name) => changed(`${title} ${name}`, ours[name], theirs[name], isLoose));
      found.push(...all);
    } else if (line.entries) {
      const [ours, theirs] = await sodiumOf(line);
      found.push(
        ...Object.keys(ours).flatMap((name) =>
          name === 'ready' || name === 'libsodium' ? [] : changed(`${title} ${name}`, ours[name], theirs[name], false),
        ),
      );
    } else
      for (const module of ourModules(line)) {
        const [ours, theirs] = await pairOf(line, module);
        found.push(
          ...Object.keys(ours).flatMap((name) =>
            changed(`${title} ${module}.${name}`, ours[name], theirs[name], line.modules !== 'esm'),
          ),
        );
      }
  }
  return found;
}

export async function inventory(): Promise<readonly string[]> {
  const commands = readdirSync(join(packages, 'cli/src/commands')).map((name) => name.replace(/\.ts$/, ''));
  return [
    ...Object.keys(calls).map((name) => `lanewise ${name}`),
    ...(await ofAge()).map((name) => `age ${name}`),
    ...(await ofCluster()).map((name) => `cluster ${name}`),
    ...(await ofDropIns()),
    ...commands.map((name) => `cli ${name}`),
    ...(await ofSqlite()).map((name) => `sqlite ${name}`),
    ...(await ofNative()).map((name) => `native ${name}`),
    // One command, without exports.
    'swap swap',
  ].sort();
}
