/** The rooms of the library and its doors, found by folder and by file. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { lanesOf, type Form, type KernelModule, type Room } from '../src/rooms/room.ts';

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

/** The exports of package.json: the root, then a subpath for each door. */
export const packageExports: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(
    ['index', ...doors.filter((door) => door !== 'index')].map((door) => [
      door === 'index' ? '.' : `./${door}.js`,
      { types: `./dist/${door}.d.ts`, default: `./dist/${door}.js` },
    ]),
  ),
  './wasm/*.wasm': './dist/wasm/*.wasm',
  './package.json': './package.json',
};
