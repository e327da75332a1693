/** The rooms of the library and its public modules, found by folder and by file. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { lanesOf, type Form, type KernelModule, type Room } from '../src/engine/description.ts';

export const src = join(import.meta.dirname, '../src');

/** The public modules, each a file at the root of `src/`: `chacha` for `lanewise/chacha.js`. */
export const doors: readonly string[] = readdirSync(src)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.slice(0, -'.ts'.length));

interface NamedRoom extends Room {
  /** The name of the folder. */
  readonly name: string;
}

const names = readdirSync(src).filter((name) => existsSync(join(src, name, 'room.ts')));

/** Every folder with a `room.ts` that describes a room. */
export const rooms: readonly NamedRoom[] = (
  await Promise.all(
    names.map(async (name) => {
      const { room } = (await import(pathToFileURL(join(src, name, 'room.ts')).href)) as { room?: Room };
      return room ? [{ name, ...room }] : [];
    }),
  )
).flat();

export const modules: readonly KernelModule[] = rooms.flatMap((room) => room.modules);

/** A module in one of its forms, as a file of the package: its name in `wasm/`, and its bytes. */
export interface ModuleFile {
  readonly file: string;
  readonly kernel: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Vectors without relaxed instructions have no suffix, because they run where any vectors do. */
const suffixOf = ({ forms }: KernelModule, form: Form): string =>
  form === 'swizzle' || forms.length === 1 ? '' : `-${form}`;

export const moduleFiles: readonly ModuleFile[] = modules.flatMap((module) =>
  module.forms.map((form) => ({
    file: `${module.name.replace(' long', '').replace(' ', '-')}${suffixOf(module, form)}.wasm`,
    kernel: `${module.name} ${form}`,
    bytes: module.make(lanesOf(form)).bytes(),
  })),
);

/** The folder of declarations for TypeScript before 5.7, in `dist/` and in `dist/cjs/`. */
export const OLD_TYPES = 'types-5.0';

/** The files of a public module below a folder. TypeScript before 5.7 knows no typed arrays with a parameter. */
const filesOf = (folder: string, door: string): Readonly<Record<string, string>> => ({
  'types@<5.7': `${folder}/${OLD_TYPES}/${door}.d.ts`,
  types: `${folder}/${door}.d.ts`,
  default: `${folder}/${door}.js`,
});

/**
 * The exports of package.json: the root, then a subpath for each public module. Where `require` can have the modules that `import` has
 * (`module-sync`), it does, so that there is one copy of them. Hermes, the engine of React Native, has no `import.meta`, which the
 * modules for `require` do without.
 */
export const packageExports: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(
    ['index', ...doors.filter((door) => door !== 'index')].map((door) => {
      const modern = filesOf('./dist', door);
      const required = filesOf('./dist/cjs', door);
      const conditions = { 'react-native': required, 'module-sync': modern, require: required, default: modern };
      return [door === 'index' ? '.' : `./${door}.js`, conditions];
    }),
  ),
  './wasm/*.wasm': './dist/wasm/*.wasm',
  './package.json': './package.json',
};

/** For a Metro that does not read exports: where the files at the root of the package are for React Native. */
export const reactNativeFiles: Readonly<Record<string, string>> = Object.fromEntries(
  doors.filter((door) => door !== 'index').map((door) => [`./${door}.js`, `./dist/cjs/${door}.js`]),
);

/**
 * Files at the root of the package for tools that do not read its exports: Parcel 2 by default, TypeScript with `moduleResolution:
 * node10`, older Metro. Each re-exports one.
 */
export const rootFiles: Readonly<Record<string, string>> = Object.fromEntries(
  doors
    .filter((door) => door !== 'index')
    .flatMap((door) => {
      const all = `export * from './dist/${door}.js';\n`;
      const text = door === 'nacl' ? `${all}export { default } from './dist/nacl.js';\n` : all;
      return [
        [`${door}.js`, text],
        [`${door}.d.ts`, text],
      ];
    }),
);
