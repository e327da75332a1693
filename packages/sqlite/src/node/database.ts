/** An encrypted database in a file: SQLite, VFS and connection in one call. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import startSQLite from '@journeyapps/wa-sqlite/dist/wa-sqlite.mjs';
import { Factory } from '@journeyapps/wa-sqlite';
import { encryptVFS, type EncryptedClass } from '../encrypt-vfs.ts';
import { ownOptions, type EncryptOptions } from '../options.ts';
import type { DatabaseKey } from '../keys/user-key.ts';
import { NodeVFS } from './node-vfs.ts';

/** The options of {@link openDatabase}. */
export interface DatabaseOptions extends EncryptOptions {
  /** The path of the file, which is made if there is none. */
  readonly file: string;
}

/** A value that SQLite stores. */
export type Value = number | bigint | string | Uint8Array | null;
/** The columns of a row by their names. */
export type Row = Record<string, Value>;

interface SQLiteModule {
  readonly module: object;
  readonly sqlite3: ReturnType<typeof Factory>;
}
let started: Promise<SQLiteModule> | undefined;
let count = 0;

/** The unmodified build of wa-sqlite, once for the process. */
const start = (): Promise<SQLiteModule> =>
  (started ??= (async () => {
    const wasm = createRequire(import.meta.url).resolve('@journeyapps/wa-sqlite/dist/wa-sqlite.wasm');
    const module = await (startSQLite as (options: object) => Promise<object>)({ wasmBinary: await readFile(wasm) });
    return { module, sqlite3: Factory(module) };
  })());

type Encrypted = InstanceType<EncryptedClass<typeof NodeVFS>>;

/** A connection to an encrypted database. Made by {@link openDatabase}. */
export class Database {
  readonly #sqlite3: SQLiteModule['sqlite3'];
  readonly #vfs: Encrypted;
  readonly #path: string;
  #handle: number | undefined;
  /** Calls run one after the other: SQLite's build is synchronous, its interface isn't. */
  #last: Promise<unknown> = Promise.resolve();

  /** @internal */
  constructor(sqlite3: SQLiteModule['sqlite3'], vfs: Encrypted, path: string, handle: number) {
    this.#sqlite3 = sqlite3;
    this.#vfs = vfs;
    this.#path = path;
    this.#handle = handle;
  }

  #next<Result>(work: (handle: number) => Promise<Result>): Promise<Result> {
    const next = this.#last.then(() => {
      if (this.#handle === undefined) throw new Error('cannot use a database after close()');
      return work(this.#handle).catch((error: unknown) => {
        throw withReason(error, this.#vfs);
      });
    });
    this.#last = next.catch(() => undefined);
    return next;
  }

  /**
   * Runs statements, each with the same parameters, and returns the rows of all.
   *
   * @param sql - One or more statements.
   * @param parameters - Values for `?`, in their order.
   * @throws Error with SQLite's message, and after it the reason if a file isn't authentic or can't be used.
   */
  all(sql: string, parameters: Value[] = []): Promise<Row[]> {
    if (typeof sql !== 'string') throw new TypeError(`"sql" expected string, got type=${typeof sql}`);
    if (!Array.isArray(parameters)) throw new TypeError(`"parameters" expected array, got type=${typeof parameters}`);
    return this.#next(async (handle) => {
      const rows: Row[] = [];
      for await (const statement of this.#sqlite3.statements(handle, sql)) {
        if (parameters.length > 0) this.#sqlite3.bind_collection(statement, parameters);
        const names = this.#sqlite3.column_names(statement);
        while ((await this.#sqlite3.step(statement)) === ROW) {
          const values = this.#sqlite3.row(statement) as Value[];
          // A blob is a view of SQLite's memory.
          rows.push(Object.fromEntries(names.map((name, i) => [name, copyOf(values[i])])));
        }
      }
      return rows;
    });
  }

  /**
   * From now on the database opens with another key. The key that encrypts the pages stays, wrapped by the new one: a power cut at any
   * moment leaves a database that one of both opens. Whoever had the old key and a copy of the file can read that copy.
   *
   * @param key - 32 bytes or a passphrase.
   * @throws Error in the mode adiantum, whose files have no header.
   */
  rekey(key: DatabaseKey): Promise<void> {
    return this.#next(async () => {
      await this.#vfs.rekey(this.#path, key);
    });
  }

  /** Closes the database and wipes its keys. */
  async close(): Promise<void> {
    if (this.#handle === undefined) return;
    await this.#next((handle) => this.#sqlite3.close(handle));
    this.#handle = undefined;
    this.#vfs.destroy();
  }
}

const ROW = 100;
const copyOf = (value: Value): Value => (value instanceof Uint8Array ? value.slice() : value);

function withReason(error: unknown, { failure }: Encrypted): Error {
  const { message } = error as Error;
  return new Error(failure === undefined ? message : `${message}: ${failure}`, { cause: error });
}

/**
 * Opens an encrypted database, or makes one, in Node, Bun and Deno.
 *
 * @param options - {@link DatabaseOptions}: `file` and `key`, and `mode`, `pageSize` or `costs`.
 * @throws TypeError or RangeError if an option isn't of that form; Error if the file can't be opened, isn't such a database, or the key is
 * wrong. Then nothing was written.
 * @example
 * ```ts
 * import { openDatabase } from '@lanewise/sqlite/node.js';
 * const db = await openDatabase({ file: 'notes.db', key: 'five random words are enough' });
 * await db.all('create table if not exists notes(text)');
 * await db.all('insert into notes values (?)', ['remember the milk']);
 * const notes = await db.all('select text from notes');
 * await db.close();
 * ```
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { file, ...rest } = ownOptions(options, ['file', 'key', 'mode', 'pageSize', 'costs']);
  if (typeof file !== 'string' || file === '')
    throw new TypeError(`"file" expected a path, got ${file === '' ? 'length=0' : `type=${typeof file}`}`);
  const Encrypted = encryptVFS(NodeVFS, rest as unknown as EncryptOptions);
  const { module, sqlite3 } = await start();
  const vfs = new Encrypted(`lanewise-${++count}`, module);
  sqlite3.vfs_register(vfs as never, false);
  const path = resolve(file);
  try {
    const handle = await sqlite3.open_v2(path, undefined, vfs.name);
    return new Database(sqlite3, vfs, path, handle);
  } catch (error) {
    vfs.destroy();
    throw withReason(error, vfs);
  }
}
