/** The program whose dependencies are replaced: its root, its package manager, and its own packages. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { parse } from 'yaml';
import { manifestIn } from './manifest.ts';

export const MANAGERS = ['npm', 'pnpm', 'yarn', 'bun', 'deno'] as const;
export type ManagerName = (typeof MANAGERS)[number];

/** The lockfiles of managers; the first is the one that it writes where there is none. */
const LOCKFILES: Readonly<Record<ManagerName, readonly string[]>> = {
  npm: ['package-lock.json', 'npm-shrinkwrap.json'],
  pnpm: ['pnpm-lock.yaml'],
  yarn: ['yarn.lock'],
  bun: ['bun.lock', 'bun.lockb'],
  deno: ['deno.lock'],
};

export interface Project {
  readonly root: string;
  readonly manager: ManagerName;
  readonly version: string;
  readonly major: number;
  /** The name of the lockfile. */
  readonly lockfile: string;
  /** The folders of its other packages, from the root. */
  readonly members: readonly string[];
}

/** Programs of npm are scripts there, which need a shell. */
export const shell = process.platform === 'win32';

const managersIn = (folder: string): ManagerName[] =>
  MANAGERS.filter((manager) => LOCKFILES[manager].some((name) => existsSync(join(folder, name))));

const isManager = (name: string | undefined): name is ManagerName => MANAGERS.some((its) => its === name);

/** The patterns of folders with packages of the program. */
function patternsOf(root: string, manager: ManagerName): readonly string[] {
  const { workspaces } = manifestIn(root) ?? {};
  const inManifest = workspaces && 'packages' in workspaces ? workspaces.packages : (workspaces as readonly string[]);
  if (manager !== 'pnpm') return inManifest ?? [];
  const file = join(root, 'pnpm-workspace.yaml');
  const settings = existsSync(file) ? (parse(readFileSync(file, 'utf8')) as { packages?: string[] } | null) : null;
  return settings?.packages ?? [];
}

const escape = (text: string): string => text.replaceAll(/[.+^$()|[\]\\]/g, '\\$&');

/** `packages/*` and `packages/**` as an expression for paths of folders. */
const expressionOf = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .replace(/^\.\//, '')
      .replace(/\/+$/, '')
      .split('/')
      .map((part, i, all) =>
        part === '**'
          ? i === all.length - 1
            ? '.+'
            : '(?:.+/)?'
          : escape(part)
              .replaceAll('*', '[^/]*')
              .replaceAll('?', '[^/]')
              .replaceAll(/\{([^}]*)\}/g, (_, names: string) => `(?:${names.replaceAll(',', '|')})`) +
            (i < all.length - 1 ? '/' : ''),
      )
      .join('')}$`,
  );

/** The folders below the root with a package.json that the patterns name. */
function membersOf(root: string, patterns: readonly string[]): string[] {
  if (patterns.length === 0) return [];
  const wanted = patterns.filter((pattern) => !pattern.startsWith('!')).map(expressionOf);
  const excluded = patterns
    .filter((pattern) => pattern.startsWith('!'))
    .map((pattern) => expressionOf(pattern.slice(1)));
  const found: string[] = [];
  const left = [root];
  for (let folder = left.pop(); folder !== undefined; folder = left.pop()) {
    const path = relative(root, folder).split(sep).join('/');
    const isNamed = wanted.some((its) => its.test(path)) && !excluded.some((its) => its.test(path));
    if (isNamed && existsSync(join(folder, 'package.json'))) found.push(path);
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.'))
        left.push(join(folder, entry.name));
  }
  return found.sort();
}

/** The nearest folder with a lockfile: above a package of its own only where that is a member. */
function rootOf(from: string): string {
  let own: string | undefined;
  for (let folder = from; ; folder = dirname(folder)) {
    const managers = managersIn(folder);
    if (managers.length > 0 && existsSync(join(folder, 'package.json'))) {
      if (own === undefined || own === folder) return folder;
      const path = relative(folder, own).split(sep).join('/');
      if (managers.some((manager) => membersOf(folder, patternsOf(folder, manager)).includes(path))) return folder;
      break;
    }
    if (own === undefined && existsSync(join(folder, 'package.json'))) own = folder;
    if (folder === dirname(folder)) break;
  }
  if (own === undefined)
    throw new Error(`${from} has no package.json, nor has a folder above it; run this where your program is`);
  throw new Error(
    `${own} has no lockfile, so nothing says what is installed; install its dependencies first, then run this again`,
  );
}

function managerOf(root: string, wanted: ManagerName | undefined): ManagerName {
  if (wanted !== undefined) return wanted;
  const named = /^(\w+)@/.exec(manifestIn(root)?.packageManager ?? '')?.[1];
  const managers = managersIn(root);
  if (isManager(named) && managers.includes(named)) return named;
  if (managers.length > 1)
    throw new Error(
      `${root} has lockfiles of ${managers.join(' and ')}; say which installs it: --manager ${managers[0]}`,
    );
  if (isManager(named))
    throw new Error(
      `package.json names ${named} as the package manager, but the lockfile is that of ${managers[0]}; say which installs it: --manager ${named}`,
    );
  return managers[0];
}

function versionOf(manager: ManagerName, root: string): string {
  try {
    const said = execFileSync(manager, ['--version'], {
      cwd: root,
      encoding: 'utf8',
      shell,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return /\d+\.\d+\.\d+\S*/.exec(said)?.[0] ?? said.trim();
  } catch (error) {
    throw new Error(
      `${manager} does not run here (${(error as Error).message.split('\n')[0]}); install it, then run this again`,
      {
        cause: error,
      },
    );
  }
}

/** The first major versions that read the lines which are written here. */
const FIRST: Readonly<Record<ManagerName, number>> = { npm: 10, pnpm: 10, yarn: 1, bun: 1, deno: 2 };

/** Finds the program that a folder belongs to. */
export function findProject(from: string, wanted?: ManagerName): Project {
  const root = rootOf(from);
  const manager = managerOf(root, wanted);
  const version = versionOf(manager, root);
  const major = parseInt(version);
  if (major < FIRST[manager] || (manager === 'yarn' && (major === 2 || major === 3)))
    throw new RangeError(
      `${manager} expected version ${manager === 'yarn' ? '1 or 4' : FIRST[manager]} or later, got ${version}; install a newer one, then run this again`,
    );
  const lockfile = LOCKFILES[manager].find((name) => existsSync(join(root, name))) ?? LOCKFILES[manager][0];
  return { root, manager, version, major, lockfile, members: membersOf(root, patternsOf(root, manager)) };
}
