/** The originals in lockfiles. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { Project } from './project.ts';

/** In a lockfile of Yarn 4: `@noble/ciphers@npm:^1.3.0`, with the version that was found for it. */
export interface Descriptor {
  readonly name: string;
  readonly range: string;
  readonly version: string;
}

/** The ranges that packages ask for, in a lockfile of Yarn 4. */
export function descriptorsIn({ root, lockfile }: Project): readonly Descriptor[] {
  const entries = parse(readFileSync(join(root, lockfile), 'utf8')) as Record<string, { version: string }>;
  return Object.entries(entries).flatMap(([key, { version }]) =>
    key.split(', ').flatMap((descriptor) => {
      const [, name, range] = /^(@?[^@]+)@(npm:.*)$/.exec(descriptor) ?? [];
      return name === undefined ? [] : [{ name, range, version }];
    }),
  );
}

interface PackageLock {
  readonly packages: Readonly<Record<string, { readonly version?: string }>>;
}

interface DenoLock {
  readonly specifiers: Readonly<Record<string, string>>;
  readonly npm: Record<
    string,
    { readonly dependencies?: readonly string[]; readonly optionalDependencies?: readonly string[] }
  >;
}

/** The fields of a package in a lockfile of pnpm. */
type Holder = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
type Holders = Readonly<Record<string, Holder | null>>;

interface PnpmLock {
  readonly importers?: Holders;
  readonly snapshots?: Holders;
}

/** An object without some of its properties. */
const without = <T>(its: Readonly<Record<string, T>>, isGone: (key: string, value: T) => boolean): Record<string, T> =>
  Object.fromEntries(Object.entries(its).filter(([key, value]) => !isGone(key, value)));

/** `@noble/ciphers` of `@noble/ciphers@2.4.0`. */
const nameOf = (spec: string): string => /^@?[^@]+/.exec(spec)![0];

/** Where npm has a package of one of these names, in one of these major versions. */
function pathsOf(lock: PackageLock, names: ReadonlyMap<string, readonly number[]>): string[] {
  return Object.entries(lock.packages).flatMap(([path, { version = '' }]) => {
    const name = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1] ?? '';
    return names.get(name)?.includes(parseInt(version)) ? [path] : [];
  });
}

/** All packages from which one of these names can be reached. */
function dependentsOf(lock: DenoLock, names: ReadonlyMap<string, unknown>): ReadonlySet<string> {
  const found = new Set(names.keys());
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const [key, { dependencies = [], optionalDependencies = [] }] of Object.entries(lock.npm))
      if ([...dependencies, ...optionalDependencies].some((its) => found.has(nameOf(its)))) found.add(nameOf(key));
  }
  return found;
}

/** Indented as it was. */
const printed = (lock: object, text: string): string =>
  `${JSON.stringify(lock, undefined, /\n([ \t]+)"/.exec(text)?.[1] ?? 2)}\n`;

/**
 * Makes a manager resolve these names again, and leaves all other packages. The text of the lockfile without them, or
 * as it is where managers notice by themselves. npm keeps a version that it has already resolved although an override says something else, and Deno
 * the one in its lockfile.
 */
export function withoutThem({ manager }: Project, text: string, names: ReadonlyMap<string, readonly number[]>): string {
  if (manager === 'npm') {
    const lock = JSON.parse(text) as PackageLock;
    const gone = new Set(pathsOf(lock, names));
    return printed({ ...lock, packages: without(lock.packages, (path) => gone.has(path)) }, text);
  }
  if (manager === 'deno') {
    const lock = JSON.parse(text) as DenoLock;
    const gone = dependentsOf(lock, names);
    const npm = without(lock.npm, (key) => gone.has(nameOf(key)));
    const isGone = (key: string): boolean => key.startsWith('npm:') && gone.has(nameOf(key.slice(4)));
    return printed({ ...lock, specifiers: without(lock.specifiers, isGone), npm }, text);
  }
  return text;
}

/** Makes a manager forget our packages, whose versions satisfy the original ranges, too. */
export function withoutOurs(project: Project, text: string, names: ReadonlyMap<string, readonly number[]>): string {
  if (project.manager === 'yarn' && project.major === 1)
    return text
      .split(/\n(?=\n)/)
      .filter((block) => !/^\s*\S.*@npm:@lanewise\//.test(block))
      .join('\n');
  if (project.manager === 'pnpm') {
    const lock = parse(text) as PnpmLock;
    const isOurs = (its: unknown): boolean =>
      /@lanewise\//.test(typeof its === 'string' ? its : String((its as { version?: unknown }).version));
    const clean = (holders: Holders = {}): Holders =>
      Object.fromEntries(
        Object.entries(holders).map(([key, holder]) => {
          const fields = Object.entries(holder ?? {}).map(([field, its]) => [
            field,
            /ependencies$/.test(field) ? without(its, (name, value) => names.has(name) && isOurs(value)) : its,
          ]);
          return [key, holder && (Object.fromEntries(fields) as Holder)];
        }),
      );
    const { importers, snapshots } = lock;
    return stringify({ ...lock, importers: clean(importers), snapshots: clean(snapshots) }, { lineWidth: 0 });
  }
  return withoutThem(project, text, names);
}

/** Removes packages from `node_modules` that npm would keep unchanged. */
export function forgetInstalled({ manager, root }: Project, names: ReadonlyMap<string, readonly number[]>): void {
  // npm trusts its own list of installed packages.
  const list = join(root, 'node_modules/.package-lock.json');
  if (manager !== 'npm' || !existsSync(list)) return;
  for (const path of pathsOf(JSON.parse(readFileSync(list, 'utf8')) as PackageLock, names))
    rmSync(join(root, path), { recursive: true, force: true });
  rmSync(list);
}
