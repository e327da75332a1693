/** A connection to an encrypted database: the same in Node and in browsers. */
import { Factory } from '@journeyapps/wa-sqlite';
import startSQLite from '@journeyapps/wa-sqlite/dist/wa-sqlite.mjs';
import type { EncryptedVFS } from './encrypt-vfs.ts';
import type { DatabaseKey } from './keys/user-key.ts';
import { loadForKey } from './parts.ts';

/** A value that SQLite stores. */
export type Value = number | bigint | string | Uint8Array | null;
/** The columns of a row by their names. */
export type Row = Record<string, Value>;

/** The unmodified build of wa-sqlite, started. */
export interface SQLite {
  readonly module: object;
  readonly sqlite3: ReturnType<typeof Factory>;
}

/** The VFS of one database. */
export interface DatabaseVFS extends EncryptedVFS {
  readonly name: string;
  /** Closes what is open, after the connection. */
  close(): void | Promise<void>;
}

/** @param options - Those of Emscripten, which say where the WebAssembly is. */
export async function startWith(options: object): Promise<SQLite> {
  const module = await (startSQLite as (options: object) => Promise<object>)(options);
  return { module, sqlite3: Factory(module) };
}

/**
 * Opens the database of a VFS. If that fails, it closes the VFS.
 *
 * @param flags - SQLite's; those for reading and writing a file that is made if there is none unless given.
 */
export async function connect({ sqlite3 }: SQLite, vfs: DatabaseVFS, path: string, flags?: number): Promise<Database> {
  try {
    sqlite3.vfs_register(vfs as never, false);
    return new Database(sqlite3, vfs, path, await sqlite3.open_v2(path, flags, vfs.name));
  } catch (error) {
    vfs.destroy();
    await vfs.close();
    throw withReason(error, vfs);
  }
}

/** A connection to an encrypted database. Made by {@link openDatabase}. */
export class Database {
  readonly #sqlite3: SQLite['sqlite3'];
  readonly #vfs: DatabaseVFS;
  readonly #path: string;
  #handle: number | undefined;
  /** Calls run one after the other: SQLite's build is synchronous, its interface isn't. */
  #last: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  /** @internal */
  constructor(sqlite3: SQLite['sqlite3'], vfs: DatabaseVFS, path: string, handle: number) {
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
    return this.#rows(sql, parameters, (names, values) =>
      Object.fromEntries(names.map((name, i) => [name, values[i]])),
    );
  }

  /**
   * As {@link Database.all}, but a row is an array of its values: columns of one name are all there. Query builders ask for this.
   *
   * @param sql - One or more statements.
   * @param parameters - Values for `?`, in their order.
   * @throws Error as `all` does.
   */
  values(sql: string, parameters: Value[] = []): Promise<Value[][]> {
    return this.#rows(sql, parameters, (_, values) => values);
  }

  async #rows<Each>(
    sql: string,
    parameters: Value[],
    row: (names: string[], values: Value[]) => Each,
  ): Promise<Each[]> {
    if (typeof sql !== 'string') throw new TypeError(`"sql" expected string, got type=${typeof sql}`);
    if (!Array.isArray(parameters)) throw new TypeError(`"parameters" expected array, got type=${typeof parameters}`);
    return this.#next(async (handle) => {
      const rows: Each[] = [];
      for await (const statement of this.#sqlite3.statements(handle, sql)) {
        if (parameters.length > 0) this.#sqlite3.bind_collection(statement, parameters);
        const names = this.#sqlite3.column_names(statement);
        while ((await this.#sqlite3.step(statement)) === ROW)
          rows.push(row(names, (this.#sqlite3.row(statement) as Value[]).map(copyOf)));
      }
      return rows;
    });
  }

  /**
   * From now on the database opens with another key. The key that encrypts the pages stays, wrapped by the new one: a power cut at any
   * moment leaves a database that one of both opens. Whoever had the old key and a copy of the file can read that copy.
   *
   * @param key - 32 bytes, a passphrase, or a box; the same box again after `ring.rotate()`.
   * @throws Error in the mode adiantum, whose files have no header.
   */
  rekey(key: DatabaseKey): Promise<void> {
    return this.#next(async () => {
      await loadForKey(key);
      await this.#vfs.rekey(this.#path, key);
    });
  }

  /** @internal Reads every page of the file. */
  readAll(): Promise<number> {
    return this.#next(async () => this.#vfs.readAll(this.#path));
  }

  /** Closes the database, after the calls before it, and wipes its keys. */
  async close(): Promise<void> {
    if (this.#handle === undefined) return;
    await (this.#closing ??= this.#close().finally(() => (this.#closing = undefined)));
  }

  async #close(): Promise<void> {
    await this.#next((handle) => this.#sqlite3.close(handle));
    this.#handle = undefined;
    this.#vfs.destroy();
    await this.#vfs.close();
  }
}

const ROW = 100;
/** A blob is a view of SQLite's memory. */
const copyOf = (value: Value): Value => (value instanceof Uint8Array ? value.slice() : value);

/** An error of SQLite with the reason after it, if the VFS has one. */
export function withReason(error: unknown, { failure }: Pick<DatabaseVFS, 'failure'>): Error {
  const { message } = error as Error;
  return new Error(failure === undefined ? message : `${message}: ${failure}`, { cause: error });
}
