/**
 * `npm run build`: dist/ of all published packages. A package whose sources and dist/ are unchanged since the last build isn't built again, and a
 * line says so; `-- --force` builds all.
 */
import { spawnSync } from 'node:child_process';
import { createHash, type Hash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { lines } from '../../drop-ins/src/lines.ts';
import { workspace } from './packages.ts';

function isForced(): boolean {
  try {
    return parseArgs({ options: { force: { type: 'boolean', default: false } } }).values.force;
  } catch (error) {
    console.error(`build: ${(error as Error).message}; the only option is --force`);
    process.exit(2);
  }
}
const force = isForced();

const dropIns = [...new Set(lines.map((line) => line.package))];
/** In an order in which each finds its dependencies built: the folders of packages, and the program that builds them. */
const builds = [
  { packages: ['lanewise'], program: 'packages/lanewise/scripts/build.ts' },
  { packages: ['native'], program: 'packages/native/scripts/build.ts' },
  { packages: ['age'], program: 'packages/age/scripts/build.ts' },
  { packages: ['cluster'], program: 'packages/cluster/scripts/build.ts' },
  { packages: ['sqlite'], program: 'packages/sqlite/scripts/build.ts' },
  { packages: ['drop-ins', ...dropIns], program: 'packages/drop-ins/src/build.ts' },
  { packages: ['cli'], program: 'packages/cli/scripts/build.ts' },
  { packages: ['swap'], program: 'packages/swap/scripts/build.ts' },
] as const;

/** The tools, and the settings of all: with other ones, everything is built again. */
const COMMON = ['package-lock.json', 'tsconfig.base.json', 'LICENSE'];
/** The fields of a package that builds read. */
const SOURCES = ['src', 'scripts', 'package.json', 'README.md', 'tsconfig.build.json', 'tsconfig.build-node.json'];

/** Not beside the sources, but with the tools: `npm ci` removes it, and so everything is built again. */
const record = join(workspace, 'node_modules/.cache/lanewise/builds.json');

/** Adds the name, the mode and the contents of a file, or of all files of a folder, to a hash. */
function add(hash: Hash, path: string): void {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory()) for (const name of readdirSync(path).sort()) add(hash, join(path, name));
  else {
    hash.update(`${JSON.stringify(path.slice(workspace.length))} ${stat?.mode ?? 'missing'} ${stat?.size ?? 0}\n`);
    if (stat) hash.update(readFileSync(path));
  }
}

function hashOf(paths: readonly string[]): string {
  const hash = createHash('sha256').update(process.version);
  for (const path of paths) add(hash, join(workspace, path));
  return hash.digest('hex');
}

type Build = (typeof builds)[number];
const sourcesOf = ({ packages }: Build): string =>
  hashOf([...COMMON, ...packages.flatMap((name) => SOURCES.map((source) => `packages/${name}/${source}`))]);
const resultOf = ({ packages }: Build): string => hashOf(packages.map((name) => `packages/${name}/dist`));

/** By the program of each build: the hash of its sources when it began, and that of its output. */
type Builds = Readonly<Record<string, { readonly sources: string; readonly result: string }>>;

function recorded(): Builds {
  try {
    return JSON.parse(readFileSync(record, 'utf8')) as Builds;
  } catch {
    return {}; // no build yet, or one that was stopped while it wrote
  }
}

function write(its: Builds): void {
  mkdirSync(dirname(record), { recursive: true });
  writeFileSync(record, JSON.stringify(its));
}

const last = force ? {} : recorded();
const isStale = (build: Build): boolean => {
  const its = last[build.program];
  return its?.sources !== sourcesOf(build) || its.result !== resultOf(build);
};
// The packages after it depend on it.
const first = builds.findIndex(isStale);
if (first === -1) console.error('dist/ is not built again: it and its sources are as they were after the last build');
else {
  const left = builds.slice(0, first);
  if (left.length > 0)
    console.error(`not built again, as nothing changed there: ${left.flatMap(({ packages }) => packages).join(', ')}`);
  const its = Object.fromEntries(left.map(({ program }) => [program, last[program]]));
  for (const build of builds.slice(first)) {
    const sources = sourcesOf(build);
    const { status } = spawnSync(process.execPath, [join(workspace, build.program)], { stdio: ['ignore', 2, 2] });
    // The program that failed says why.
    if (status !== 0) process.exit(1);
    its[build.program] = { sources, result: resultOf(build) };
    write(its);
  }
}
