/**
 * The drop-in packages: each takes the place of an original package in a program, with the original inside for all that is not ours.
 * A package has a line for each major version of the original whose paths and shapes differ.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export const workspace = dirname(dirname(dirname(import.meta.dirname)));

/** One published package: `npm pack` of its folder makes the tarball. */
export interface Line {
  /** The folder under packages/, and the published name behind `@lanewise/`. */
  readonly package: string;
  /** The major version. */
  readonly major: number;
  /** The name of the package whose place it takes. */
  readonly original: string;
  /** The name under which it depends on the original. An override of `original` does not touch a dependency with this name. */
  readonly alias: string;
  /** Numbered as the original, so that the ranges of dependents hold for both. */
  readonly version: string;
  readonly modules: 'esm' | 'esm and cjs' | 'cjs';
  /** The files that users can require where the original has no `exports`; the first is the package itself, the others are the same. */
  readonly files?: readonly string[];
  /** The modules of both formats, where they are the whole package. Our sources are called `esm.ts` and `cjs.ts`. */
  readonly entries?: { readonly esm: string; readonly cjs: string };
}

/** The modules of libsodium-wrappers or its larger variant. */
const entriesIn = (folder: string): { esm: string; cjs: string } => ({
  esm: `dist/${folder}-esm/libsodium-wrappers.mjs`,
  cjs: `dist/${folder}/libsodium-wrappers.js`,
});

export const lines: readonly Line[] = [
  {
    ...{ package: 'noble-ciphers', original: '@noble/ciphers', alias: 'noble-ciphers-2' },
    ...{ major: 2, version: '2.4.0', modules: 'esm' },
  },
  {
    ...{ package: 'noble-ciphers', original: '@noble/ciphers', alias: 'noble-ciphers-1' },
    ...{ major: 1, version: '1.3.0', modules: 'esm and cjs' },
  },
  {
    ...{ package: 'noble-hashes', original: '@noble/hashes', alias: 'noble-hashes-2' },
    ...{ major: 2, version: '2.4.0', modules: 'esm' },
  },
  {
    ...{ package: 'noble-hashes', original: '@noble/hashes', alias: 'noble-hashes-1' },
    ...{ major: 1, version: '1.8.0', modules: 'esm and cjs' },
  },
  {
    ...{ package: 'tweetnacl', original: 'tweetnacl', alias: 'tweetnacl-1' },
    ...{ major: 1, version: '1.0.3', modules: 'cjs', files: ['nacl-fast', 'nacl', 'nacl-fast.min', 'nacl.min'] },
  },
  {
    ...{ package: 'libsodium', original: 'libsodium-wrappers', alias: 'libsodium-wrappers-0' },
    ...{ major: 0, version: '0.8.4', modules: 'esm and cjs', entries: entriesIn('modules') },
  },
  {
    ...{ package: 'libsodium-sumo', original: 'libsodium-wrappers-sumo', alias: 'libsodium-wrappers-sumo-0' },
    ...{ major: 0, version: '0.8.4', modules: 'esm and cjs', entries: entriesIn('modules-sumo') },
  },
];

/** What this project reads of a package.json. */
export interface Manifest {
  readonly version: string;
  readonly description: string;
  readonly repository?: Readonly<Record<string, string>>;
  readonly engines?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly main?: string;
  readonly module?: string;
  readonly types?: string;
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
