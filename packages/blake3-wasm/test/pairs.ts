/** The package beside its original, as Node and as browsers load both. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { outcomeOf } from '../../drop-ins/src/compare.ts';
import { distOf, folderOf } from '../../drop-ins/src/folders.ts';
import { lines } from '../../drop-ins/src/lines.ts';

const line = lines.find((its) => its.package === 'blake3-wasm')!;
export const folders = { ours: distOf(line), theirs: folderOf(line.alias) };

export type Call = (...values: unknown[]) => unknown;
/** A hasher or a reader. */
export type Methods = Readonly<Record<string, Call>> & { position: unknown };
export type Library = Readonly<Record<string, Call>>;

export const require = createRequire(import.meta.url);
export const wasmOf = (folder: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(readFileSync(join(folder, 'dist/wasm/web/blake3_js_bg.wasm')));
export const load = async (folder: string, file: string): Promise<Library> =>
  (await import(pathToFileURL(join(folder, file)).href)) as Library;

/** The original has to be given its WebAssembly, because Node fetches no files. */
async function browserOf(folder: string): Promise<Library> {
  const { default: start } = (await load(folder, 'browser-async.js')) as unknown as {
    default: (module: unknown) => Promise<Library>;
  };
  return start(wasmOf(folder));
}

export interface Pair {
  readonly title: string;
  readonly ours: Library;
  readonly theirs: Library;
}
export const pairs: readonly Pair[] = [
  { title: 'Node', ours: require(folders.ours) as Library, theirs: require(folders.theirs) as Library },
  { title: 'browsers', ours: await browserOf(folders.ours), theirs: await browserOf(folders.theirs) },
];

/** The result or error of a call, and the class of a result in bytes. */
export const noted = (call: () => unknown): string => {
  let kind = '';
  const outcome = outcomeOf(() => {
    const value = call();
    if (value instanceof Uint8Array) kind = value.constructor.name;
    return value;
  });
  return `${kind} ${outcome}`;
};

export const bytes = (length: number, first = 1): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, i) => (first + 7 * i) % 256);
