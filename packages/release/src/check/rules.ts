/** Rules for every package that is published, as it lies in a user's `node_modules`. */
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import type { Published } from '../packages.ts';

export interface Installed {
  readonly published: Published;
  /** The name under which it is installed. */
  readonly as: string;
  /** The folder of the package. */
  readonly folder: string;
  /** Its files, from there, in order. */
  readonly files: readonly string[];
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** `import … from 'x'`, `export … from 'x'` or the last line of one, and `import 'x'`; `import('x')` and `require('x')` anywhere. */
const IMPORTS =
  /^(?:import|export|\})[^'"\n;]*?\bfrom\s*["']([^"'\n]+)["']|^import\s*["']([^"'\n]+)["']|\b(?:import|require)\(["']([^"'\n]+)["']\)/gm;

/** The packages that a module imports: not files, and not modules of Node. */
const packagesOf = (code: string): readonly string[] =>
  [...code.matchAll(IMPORTS)]
    .map(([, ...found]) => found.find((path) => path !== undefined)!)
    .filter((path) => /^[@a-z]/.test(path) && !isBuiltin(path))
    .map((path) => path.split('/', path.startsWith('@') ? 2 : 1).join('/'));

/** The choices that the rules leave to a package. */
export interface Allowed {
  /** The names of its commands: none unless given. */
  readonly commands?: readonly string[];
  /** The ranges of dependencies that the original whose place it takes has, too: all others are exact versions. */
  readonly ranges?: Readonly<Record<string, string>>;
}

/** The rules that a package breaks, each as a sentence. */
export async function faultsOf(
  { published, as, folder, files }: Installed,
  { commands = [], ranges = {} }: Allowed = {},
): Promise<readonly string[]> {
  const { name, version, bin, dependencies, peerDependencies, optionalDependencies } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  ) as Manifest;
  const faults: string[] = [];
  if (name !== published.name || version !== published.version)
    faults.push(`expected ${published.name}@${published.version}, got ${name}@${version}`);
  for (const needed of ['README.md', 'LICENSE'])
    if (!files.includes(needed)) faults.push(`${needed} is missing from the package`);
  for (const file of files)
    if (/^(?:src|test|scripts)\//.test(file)) faults.push(`${file} does not belong into the package`);
  const named = Object.keys(bin ?? {}).join(', ');
  if (named !== commands.join(', '))
    faults.push(`expected the commands ${commands.join(', ') || 'none'}, got ${named || 'none'}`);
  for (const file of Object.values(bin ?? {}))
    if (process.platform !== 'win32' && (statSync(join(folder, file)).mode & 0o111) !== 0o111)
      faults.push(`${file} is not executable`);
  const installed = { ...dependencies, ...optionalDependencies };
  for (const [dependency, range] of Object.entries(installed))
    if (!/^\d+\.\d+\.\d+$/.test(range) && range !== ranges[dependency])
      faults.push(`${dependency} expected an exact version, got ${range}`);
  // A package of the workspace that a bundle asks for would be missing where a user installs it.
  const modules = files.filter((file) => /\.[cm]?js$/.test(file));
  const imported = new Set(
    (await Promise.all(modules.map((file) => readFile(join(folder, file), 'utf8')))).flatMap(packagesOf),
  );
  const known = { ...installed, ...peerDependencies, [as]: version };
  for (const its of imported) if (!Object.hasOwn(known, its)) faults.push(`${its} is imported, and is no dependency`);
  for (const its of Object.keys(installed))
    if (!imported.has(its)) faults.push(`${its} is a dependency, and nothing imports it`);
  return faults;
}
