/** A connection to an encrypted database: the same in Node and in browsers. */
import { Factory } from '@journeyapps/wa-sqlite';
import startSQLite from '@journeyapps/wa-sqlite/dist/wa-sqlite.mjs';
import { isBytes } from 'lanewise/utils.js';
import { copyOf } from './bytes.ts';
import type { EncryptedVFS } from './encrypt-vfs.ts';
import type { DatabaseKey } from './keys/user-key.ts';
import { checkText, parametersOf, refuseSurplus, typeOf, type Parameter, type Value } from './values.ts';

export type { Parameter, Value };
/** The columns of a row by their names. */
export type Row = Record<string, Value>;

/** The part of Emscripten's module that makes a function of C callable. */
interface Module {
  cwrap(name: string, result: 'number', types: readonly 'number'[]): (...values: number[]) => number;
}

/** The unmodified build of wa-sqlite, started. */
export interface SQLite {
  readonly module: object;
  readonly sqlite3: ReturnType<typeof Factory>;
}

/** The VFS of one database. */
export interface DatabaseVFS extends EncryptedVFS {
  readonly name: string;
  /** Closes all that is open, after the connection. */
  close(): void | Promise<void>;
}

/** @param options - Those of Emscripten, which say where the WebAssembly is. */
export async function startWith(options: object): Promise<SQLite> {
  const module = await (startSQLite as (options: object) => Promise<object>)(options);
  return { module, sqlite3: Factory(module) };
}

/** wa-sqlite has one place for the address of a database that it opens, and reads it a turn later: one is opened after the other. */
let last: Promise<unknown> | undefined;
export function opened({ sqlite3 }: SQLite, path: string, vfs: string, flags?: number): Promise<number> {
  const next = Promise.resolve(last).then(() => sqlite3.open_v2(path, flags, vfs));
  last = next.catch(() => undefined);
  return next;
}

/**
 * Opens the database of a VFS. If that fails, it closes the VFS.
 *
 * @param flags - SQLite's; those for reading and writing a file that is made if there is none unless given.
 */
export async function connect(sqlite: SQLite, vfs: DatabaseVFS, path: string, flags?: number): Promise<Database> {
  try {
    sqlite.sqlite3.vfs_register(vfs as never, false);
    return new Database(sqlite, vfs, path, await opened(sqlite, path, vfs.name, flags));
  } catch (error) {
    vfs.destroy();
    await vfs.close();
    throw withReason(error, vfs);
  }
}

/** A connection to an encrypted database. Made by {@link openDatabase}. */
export class Database {
  readonly #sqlite3: SQLite['sqlite3'];
  readonly #module: Module;
  readonly #vfs: DatabaseVFS;
  readonly #path: string;
  #handle: number | undefined;
  /** Calls run one after the other: SQLite's build is synchronous, its interface isn't. */
  #last: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  /** @internal */
  constructor({ sqlite3, module }: SQLite, vfs: DatabaseVFS, path: string, handle: number) {
    this.#sqlite3 = sqlite3;
    this.#module = module as Module;
    this.#vfs = vfs;
    this.#path = path;
    this.#handle = handle;
  }

  #next<Result>(work: (handle: number) => Promise<Result>): Promise<Result> {
    const next = this.#last.then(() => {
      if (this.#handle === undefined) throw new Error('cannot use a database after close()');
      // A statement that fails by itself doesn't have the reason of one before.
      this.#vfs.forgetFailure();
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
   * @param parameters - Values for `?`, in their order, which are copied: each statement takes all of them. Whole numbers are stored as
   * integers; true and false are 1 and 0.
   * @returns The rows. A column that is an integer beyond 2^53 is a bigint.
   * @throws TypeError if a value isn't one that SQLite stores; RangeError if a statement takes another number of values, for NaN, an integer of
   * more than 64 bits, or a text with NUL; Error with SQLite's message, and after it the reason if a file isn't authentic or can't be used.
   */
  all(sql: string, parameters: readonly Parameter[] = []): Promise<Row[]> {
    return this.#rows(arguments, sql, parameters, (names, values) =>
      Object.fromEntries(names.map((name, i) => [name, values[i]])),
    );
  }

  /**
   * As {@link Database.all}, but a row is an array of its values: columns of one name are all there. Query builders ask for this.
   *
   * @param sql - One or more statements.
   * @param parameters - Values for `?`, in their order.
   * @throws As `all` does.
   */
  values(sql: string, parameters: readonly Parameter[] = []): Promise<Value[][]> {
    return this.#rows(arguments, sql, parameters, (_, values) => values);
  }

  async #rows<Each>(
    given: ArrayLike<unknown>,
    sql: string,
    parameters: readonly Parameter[],
    row: (names: string[], values: Value[]) => Each,
  ): Promise<Each[]> {
    refuseSurplus(given, 2);
    if (typeof sql !== 'string') throw new TypeError(`"sql" expected string, got ${typeOf(sql)}`);
    const text = checkText(sql, 'sql');
    const values = parametersOf(parameters);
    return this.#next(async (handle) => {
      const rows: Each[] = [];
      for await (const statement of this.#sqlite3.statements(handle, text)) {
        this.#bind(statement, values);
        const names = this.#sqlite3.column_names(statement);
        while ((await this.#sqlite3.step(statement)) === ROW) rows.push(row(names, this.#valuesOf(statement)));
      }
      return rows;
    });
  }

  #bind(statement: number, values: readonly Value[]): void {
    const wanted = this.#sqlite3.bind_parameter_count(statement);
    if (wanted !== values.length)
      throw new RangeError(`"parameters" expected ${wanted} values, as the statement takes, got ${values.length}`);
    for (const [i, value] of values.entries()) {
      // SQLite's build makes NULL of them, because memory of no bytes has no address; any other address will do.
      if (value instanceof Uint8Array && value.length === 0) this.#bindEmpty(statement, i + 1);
      else this.#sqlite3.bind(statement, i + 1, value);
    }
  }

  #bindEmpty(statement: number, place: number): void {
    const bind = this.#module.cwrap('sqlite3_bind_blob', 'number', ['number', 'number', 'number', 'number', 'number']);
    bind(statement, place, statement, 0, 0);
  }

  /** The values of a row; blobs are views of SQLite's memory. */
  #valuesOf(statement: number): Value[] {
    return (this.#sqlite3.row(statement) as Value[]).map((value, column) => {
      if (typeof value === 'string') return this.#wholeText(statement, column, value);
      return value instanceof Uint8Array ? value.slice() : value;
    });
  }

  /** SQLite's build reads a text as far as its first NUL. */
  #wholeText(statement: number, column: number, text: string): string {
    if (this.#sqlite3.column_bytes(statement, column) === text.length) return text;
    const bytes = this.#sqlite3.column_blob(statement, column);
    return bytes.includes(0) ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.slice()) : text;
  }

  /**
   * From now on the database opens with another key. The key that encrypts the pages stays, wrapped by the new one: a power cut at any
   * moment leaves a database that one of both opens. Whoever had the old key and a copy of the file can read that copy.
   *
   * @param key - 32 bytes, a passphrase, or a box; the same box again after `ring.rotate()`.
   * @throws TypeError or RangeError if the key isn't of that form; Error in the modes adiantum and sqlite3mc, whose files have no header.
   */
  async rekey(key: DatabaseKey): Promise<void> {
    refuseSurplus(arguments, 1);
    // The caller may wipe it before its turn comes.
    const own = isBytes(key) ? copyOf(key) : key;
    try {
      await this.#next(async () => {
        await this.#vfs.rekey(this.#path, own);
      });
    } finally {
      if (isBytes(own)) own.fill(0);
    }
  }

  /**
   * Closes the database, after the calls before it, and wipes its keys.
   *
   * @throws Error in a browser if the file was removed while it was open: then all that was written since is lost.
   */
  async close(): Promise<void> {
    refuseSurplus(arguments, 0);
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

/** An error of a call's arguments stays as it is; one of SQLite gets the reason, if the VFS has one. */
export function withReason(error: unknown, { failure }: Pick<DatabaseVFS, 'failure'>): Error {
  if (error instanceof TypeError || error instanceof RangeError) return error;
  const { message } = error as Error;
  return new Error(failure === undefined ? message : `${message}: ${failure}`, { cause: error });
}
