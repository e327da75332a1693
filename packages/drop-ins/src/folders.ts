/** Where the originals and the lines are in this workspace, and which modules they have. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Line } from './lines.ts';

export const workspace = dirname(dirname(dirname(import.meta.dirname)));

/** The fields of a package.json that this project reads. */
export interface Manifest {
  readonly version: string;
  readonly description: string;
  readonly repository?: Readonly<Record<string, string>>;
  readonly engines?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly main?: string;
  readonly module?: string;
  readonly types?: string;
  readonly sideEffects?: boolean;
  readonly browser?: string | Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Where an alias is installed. */
export const folderOf = (alias: string): string => join(workspace, 'node_modules', alias);

export const manifestOf = (alias: string): Manifest =>
  JSON.parse(readFileSync(join(folderOf(alias), 'package.json'), 'utf8')) as Manifest;

/** Where the build writes a line. */
export const distOf = (line: Line): string => join(workspace, 'packages', line.package, 'dist', String(line.major));

/** The paths that users can import, without `.js`: `chacha` and so on, and `index` for the package itself. */
export const modulesOf = (line: Line): readonly string[] =>
  line.files ?? [...new Set(Object.keys(manifestOf(line.alias).exports ?? {}).map((path) => nameOf(path)))].sort();

const nameOf = (path: string): string => (path === '.' ? 'index' : path.replace(/^\.\//, '').replace(/\.js$/, ''));

/** The original's path of a module, as its users write it. */
export const pathOf = (line: Line, module: string): string =>
  module === 'index' || module === line.files?.[0] ? '' : line.modules === 'esm' ? `/${module}.js` : `/${module}`;

export const require = createRequire(import.meta.url);
