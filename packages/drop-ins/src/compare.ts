/** Compares a line with the original that it replaces: its names, and the effects of calls. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { distOf, folderOf, modulesOf } from './folders.ts';
import { type Line } from './lines.ts';

/** A module, or the error that was thrown instead. */
export type Loaded = Readonly<Record<string, unknown>> | { readonly thrown: string };

const named = (error: unknown): string => `${(error as Error).name}: ${(error as Error).message}`;

const load = async (folder: string, module: string, format: 'esm' | 'cjs'): Promise<Loaded> => {
  try {
    const file = join(folder, `${module}.js`);
    const require = createRequire(import.meta.url);
    return (format === 'cjs' ? require(file) : await import(pathToFileURL(file).href)) as Loaded;
  } catch (error) {
    return { thrown: named(error) };
  }
};

/** Every module of a line in every format, beside the original's. */
export async function pairsOf(line: Line): Promise<{ title: string; module: string; ours: Loaded; theirs: Loaded }[]> {
  const folders =
    line.modules === 'esm'
      ? ([['', 'esm']] as const)
      : ([
          ['', 'cjs'],
          ['esm', 'esm'],
        ] as const);
  const pairs = [];
  for (const [folder, format] of folders)
    for (const module of modulesOf(line)) {
      const ours = await load(join(distOf(line), folder), module, format);
      // `./crypto` has a file of its own for Node. ES modules of version 1 of the originals run only under the original's name.
      const file = module === 'crypto' ? 'cryptoNode' : module;
      const theirs = await load(folderOf(line.alias), file, folders[0][1]);
      pairs.push({ title: `${line.original} ${line.major}, ${module}, ${format}`, module, ours, theirs });
    }
  return pairs;
}

/** The names of a module, with the kinds of their values, and of the properties of its functions. */
export function shapeOf(module: Loaded): object {
  const shape = (value: unknown, depth: number): unknown => {
    if (typeof value !== 'function') return value === null ? 'null' : typeof value;
    if (depth === 0) return `function of ${value.length}`;
    const names = Object.keys(value).sort();
    const properties = names.map((name) => {
      const property = (value as unknown as Record<string, unknown>)[name];
      return [name, typeof property === 'function' ? shape(property, 0) : property];
    });
    return [`function of ${value.length}`, Object.isFrozen(value), ...properties];
  };
  return Object.fromEntries(
    Object.keys(module)
      .filter((name) => !['__esModule', 'default', 'module.exports'].includes(name))
      .sort()
      .map((name) => [name, shape((module as Record<string, unknown>)[name], 1)]),
  );
}

/** The result or error of a call; bytes as hexadecimal digits. */
export function outcomeOf(call: () => unknown): string {
  try {
    const value = call();
    return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : `${typeof value} ${String(value)}`;
  } catch (error) {
    return named(error);
  }
}
