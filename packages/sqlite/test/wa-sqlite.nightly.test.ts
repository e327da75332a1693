/**
 * The tests that wa-sqlite has for its own VFS, and its statements of SQL, run over encrypted ones. They come with its npm package, unmodified;
 * this file gives them the names of Jasmine and Comlink.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import startAsync from '@journeyapps/wa-sqlite/dist/wa-sqlite-async.mjs';
import * as SQLite from '@journeyapps/wa-sqlite';
import { MemoryAsyncVFS } from '@journeyapps/wa-sqlite/src/examples/MemoryAsyncVFS.js';
import { MemoryVFS } from '@journeyapps/wa-sqlite/src/examples/MemoryVFS.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { encryptVFS, type EncryptOptions } from '../src/index.ts';
import { NodeVFS } from '../src/node.ts';
import { KEY, module, sqlite3 } from './support.ts';

const require = createRequire(import.meta.url);
const wasmBinary = readFileSync(require.resolve('@journeyapps/wa-sqlite/dist/wa-sqlite-async.wasm'));
const asyncModule = await (startAsync as (options: object) => Promise<object>)({ wasmBinary });
const asyncSqlite = SQLite.Factory(asyncModule);

/** Everything is in one thread here, so that nothing has to be passed to another one. */
const COMLINK = 'data:text/javascript,export const proxy = (value) => value';
const hooks = registerHooks({
  resolve: (name, context, next) => (name === 'comlink' ? { url: COMLINK, shortCircuit: true } : next(name, context)),
});
Object.assign(globalThis, { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it });

interface Proxied {
  readonly module: object;
  readonly sqlite3: object;
  readonly vfs: object;
}
interface Context {
  create(extras?: { readonly reset?: boolean }): Promise<Proxied>;
  destroy(proxy: Proxied): Promise<void>;
}
const load = async (...names: readonly string[]): Promise<((context: Context) => void)[]> =>
  Promise.all(
    names.map(async (name) => {
      const path = require.resolve(`@journeyapps/wa-sqlite/test/${name}.js`);
      return ((await import(path)) as Record<string, (context: Context) => void>)[name];
    }),
  );
const calls = await load('vfs_xOpen', 'vfs_xAccess', 'vfs_xClose', 'vfs_xWrite');
const shortReads = await load('vfs_xRead');
const statements = await load('sql_0001', 'sql_0002');
const pageSizes = await load('sql_0003');
const persistent = await load('sql_0004');
const several = await load('sql_0005');
hooks.deregister();

let count = 0;
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** An object whose methods take paths below a folder. */
const below = <Its extends object>(its: Its, methods: readonly string[], folder: string): Its =>
  new Proxy(its, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown =>
        value.apply(
          target,
          methods.includes(String(name)) && typeof args[0] === 'string'
            ? [join(folder, args[0]), ...args.slice(1)]
            : args,
        ) as unknown;
    },
  });

/** Theirs without its `xTruncate`, which was meant to be `jTruncate`: SQLite fails on it, and `encryptVFS` refuses it. */
class Later extends MemoryVFS {}
for (const name of ['jOpen', 'jClose', 'jRead', 'jWrite', 'jFileSize', 'jAccess', 'jDelete'] as const)
  Object.defineProperty(Later.prototype, name, Object.getOwnPropertyDescriptor(MemoryAsyncVFS.prototype, name)!);

type Base = Parameters<typeof encryptVFS>[0];
/** Where a test of wa-sqlite runs: each VFS has files of its own, in a new folder unless a test goes on with those of the last one. */
function contextOf(Base: Base, isAsync: boolean, options: EncryptOptions): Context {
  const [its, api] = isAsync ? [asyncModule, asyncSqlite] : [module, sqlite3];
  let folder: string;
  return {
    async create({ reset = true } = {}) {
      if (reset) folders.push((folder = mkdtempSync(join(tmpdir(), 'lanewise-sqlite-theirs-'))));
      const Class = encryptVFS(Base as typeof MemoryVFS, options);
      const vfs = await Class.create(`theirs-${count++}`, its);
      api.vfs_register(vfs, true);
      return { module: its, sqlite3: below(api, ['open_v2'], folder), vfs: below(vfs, ['jOpen', 'jAccess'], folder) };
    },
    // Theirs ends a worker: files are closed, and locks are free.
    async destroy({ vfs }) {
      await (vfs as { close(): void | Promise<void> }).close();
    },
  };
}

const modes: readonly EncryptOptions[] = [
  { key: KEY, mode: 'authenticated' },
  { key: KEY, mode: 'adiantum' },
  { key: KEY, mode: 'sqlite3mc' },
];
describe.each(modes)('$mode', (options) => {
  describe.each([
    { name: 'MemoryVFS', Base: MemoryVFS, isAsync: false },
    { name: 'MemoryAsyncVFS', Base: Later, isAsync: true },
    { name: 'NodeVFS', Base: NodeVFS, isAsync: false },
  ])('$name', ({ name, Base, isAsync }) => {
    const context = contextOf(Base, isAsync, options);
    for (const tests of [...calls, ...statements]) tests(context);
    // A file of this mode has whole blocks, as go-sqlite3 has them, so nothing is short; in the others `pageSize` is an option.
    for (const tests of options.mode === 'adiantum' ? pageSizes : shortReads) tests(context);
    // One that others know as well, and that stays.
    if (name === 'NodeVFS') for (const tests of [...persistent, ...several]) tests(context);
  });
});
