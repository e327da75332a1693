/** SQLite in these tests: the synchronous build of wa-sqlite, unmodified. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import SQLiteFactory from '@journeyapps/wa-sqlite/dist/wa-sqlite.mjs';
import * as SQLite from '@journeyapps/wa-sqlite';
import { MemoryVFS } from '@journeyapps/wa-sqlite/src/examples/MemoryVFS.js';
import { encryptVFS, type EncryptOptions } from '../src/index.ts';
import { load } from '../src/parts.ts';

const require = createRequire(import.meta.url);
const wasmBinary = readFileSync(require.resolve('@journeyapps/wa-sqlite/dist/wa-sqlite.wasm'));
export const module = await (SQLiteFactory as (options: object) => Promise<object>)({ wasmBinary });
export const sqlite3 = SQLite.Factory(module);
// So that a VFS can be made at once.
for (const name of ['adiantum', 'sqlite3mc', 'passphrases'] as const) await load(name);

export const KEY = Uint8Array.from({ length: 32 }, (_, i) => 7 * i + 1);

/** A VFS that SQLite knows, and its files where it keeps them in memory. */
export interface Registered {
  readonly name: string;
  readonly failure?: string | undefined;
  readonly mapNameToFile: Map<string, { size: number; data: ArrayBuffer; pathname: string; flags: number }>;
  readonly mapIdToFile: Map<number, { readonly pathname: string }>;
  jWrite(file: number, bytes: Uint8Array, at: number): number | Promise<number>;
  close(): void | Promise<void>;
  rekey(path: string, key: Uint8Array | string): void | Promise<void>;
}
let count = 0;

/** Makes a VFS of a class, and lets SQLite know of it. */
export function register<Made extends { readonly name: string }>(
  Class: new (name: string, module: object) => Made,
): Made & Registered {
  const vfs = new Class(`vfs-${count++}`, module);
  sqlite3.vfs_register(vfs as never, false);
  return vfs as Made & Registered;
}

/** An encrypted VFS in memory, with the files of another one or none. */
export function memory(
  options: Partial<EncryptOptions> = {},
  files: Registered['mapNameToFile'] = new Map(),
): Registered {
  const vfs = register(encryptVFS(MemoryVFS, { key: KEY, ...options }));
  for (const [name, file] of files) vfs.mapNameToFile.set(name, file);
  return vfs;
}

/** The bytes of a file in memory. */
export function bytesOf(vfs: Registered, name: string): Uint8Array<ArrayBuffer> {
  const { data, size } = vfs.mapNameToFile.get(name)!;
  return new Uint8Array(data, 0, size);
}

/** A copy of all files, as they would be after this process was ended. */
export const copyOf = (vfs: Pick<Registered, 'mapNameToFile'>): Registered['mapNameToFile'] =>
  new Map([...vfs.mapNameToFile].map(([name, file]) => [name, { ...file, data: file.data.slice(0) }]));

export type Row = readonly (string | number | bigint | Uint8Array | number[] | null)[];

/** A connection. */
export class Connection {
  readonly #db: number;

  constructor(db: number) {
    this.#db = db;
  }

  static async open(vfs: Registered, name = '/db'): Promise<Connection> {
    return new Connection(await sqlite3.open_v2(name, undefined, vfs.name));
  }

  async run(sql: string): Promise<Row[]> {
    const rows: Row[] = [];
    await sqlite3.exec(this.#db, sql, (row) => {
      rows.push(row);
    });
    return rows;
  }

  close(): Promise<number> {
    return sqlite3.close(this.#db);
  }
}
