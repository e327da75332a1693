/** A VFS of wa-sqlite whose files are encrypted. */
import { randomBytes } from 'lanewise/utils.js';
import * as codes from './codes.ts';
import { AdiantumFile } from './files/adiantum.ts';
import { Blocks, BLOCK_BYTES } from './files/blocks.ts';
import type { Contents } from './files/contents.ts';
import type { EncryptedFile } from './files/encrypted-file.ts';
import { DatabasePages, openPages } from './files/pages.ts';
import { BaseFile, type FileCalls } from './files/raw-file.ts';
import { newHeader } from './keys/header.ts';
import { KEY_BYTES, UserKey, type DatabaseKey } from './keys/user-key.ts';
import { settingsOf, type EncryptOptions } from './options.ts';
import { run, type Steps } from './steps.ts';

type Code = number | Promise<number>;

/** The calls of a VFS that this one wraps: `FacadeVFS` of wa-sqlite has all of them. */
export interface BaseVFS extends FileCalls {
  readonly name: string;
  hasAsyncMethod(name: string): boolean;
  jOpen(name: string | null, file: number, flags: number, outFlags: DataView): Code;
  jClose(file: number): Code;
  jGetLastError(into: Uint8Array): Code;
  jFileControl(file: number, operation: number, argument: DataView): Code;
  jLock(file: number, level: number): Code;
  jUnlock(file: number, level: number): Code;
  jSectorSize(file: number): Code;
  jDeviceCharacteristics(file: number): Code;
}

/** A class of wa-sqlite that extends `FacadeVFS`. Its types don't list the calls of {@link BaseVFS}, so these are checked when it is given. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- constructors of mixins take any arguments
export type BaseClass = new (...args: any[]) => Pick<BaseVFS, 'name'>;

/** The members of an encrypted VFS beside the calls of its base. */
export interface EncryptedVFS {
  /** Why the last call failed; SQLite's own message tells only the kind. */
  readonly failure: string | undefined;
  /** Lets an open database be opened by another key from now on. */
  rekey(path: string, key: DatabaseKey): void | Promise<void>;
  /** Wipes the key. Files that are open go on; no other can be opened. */
  destroy(): void;
}

/** The class that {@link encryptVFS} makes, with the static members of its base. */
export type EncryptedClass<Base extends BaseClass> = (new (
  ...args: ConstructorParameters<Base>
) => InstanceType<Base> & EncryptedVFS) &
  Omit<Base, 'prototype'>;

/** Calls that answer later where the file system does. */
const FILE_CALLS = ['xOpen', 'xClose', 'xRead', 'xWrite', 'xTruncate', 'xSync', 'xFileSize'];

/** A file that is open. */
interface Open {
  readonly file: EncryptedFile;
  /** Of the database that it belongs to. */
  readonly path: string;
}

/** SQLite adds these to the name of a database for its other files. */
const SUFFIXES = /(?:-journal|-wal|-mj[0-9A-F]{9})$/;
const contentsOf = (flags: number): Contents =>
  flags & codes.OPEN_MAIN_JOURNAL
    ? 'journal'
    : flags & codes.OPEN_WAL
      ? 'wal'
      : flags & codes.OPEN_SUPER_JOURNAL
        ? 'super-journal'
        : 'temporary';
const OF_A_DATABASE = codes.OPEN_MAIN_JOURNAL | codes.OPEN_WAL | codes.OPEN_SUPER_JOURNAL;

/**
 * Wraps a VFS of wa-sqlite, so that all files of its databases are encrypted: the database, its journal or write-ahead log, super-journals
 * and temporary files.
 *
 * @param Base - A class that extends `FacadeVFS`: `AccessHandlePoolVFS`, `OPFSAnyContextVFS`, `IDBBatchAtomicVFS`, `MemoryVFS` or others of
 * wa-sqlite, or `NodeVFS` of `@lanewise/sqlite/node.js`.
 * @param options - {@link EncryptOptions}: the key, the mode, the page size of new databases.
 * @returns A class that is made, registered and used as `Base`.
 * @throws TypeError or RangeError if an option isn't of that form.
 * @example
 * ```ts
 * import { encryptVFS } from '@lanewise/sqlite';
 * import { MemoryVFS } from '@journeyapps/wa-sqlite/src/examples/MemoryVFS.js';
 * import { randomBytes } from 'lanewise/utils.js';
 * const Encrypted = encryptVFS(MemoryVFS, { key: randomBytes(32) });
 * ```
 */
export function encryptVFS<Base extends BaseClass>(Base: Base, options: EncryptOptions): EncryptedClass<Base> {
  if (arguments.length > 2) throw new TypeError(`encryptVFS() expected 2 arguments, got ${arguments.length}`);
  if (typeof Base !== 'function' || typeof (Base.prototype as Partial<BaseVFS> | undefined)?.jOpen !== 'function')
    throw new TypeError('"Base" expected a class that extends FacadeVFS of wa-sqlite');
  const settings = settingsOf(options);
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as above
  const Facade = Base as unknown as new (...args: any[]) => BaseVFS;
  const prototype = Facade.prototype as BaseVFS;
  const isAsync = FILE_CALLS.some((name) => prototype.hasAsyncMethod(name));

  class Encrypted extends Facade implements EncryptedVFS {
    #user: UserKey = settings.user();
    #failure: string | undefined;
    #isDestroyed = false;
    readonly #files = new Map<number, Open>();
    /** Identities of files that SQLite doesn't know of; its own are addresses. */
    #spare = -1;
    readonly #base: FileCalls & Pick<BaseVFS, 'jOpen' | 'jClose'> = {
      jOpen: (name, file, flags, outFlags) => super.jOpen(name, file, flags, outFlags),
      jClose: (file) => super.jClose(file),
      jRead: (file, into, at) => super.jRead(file, into, at),
      jWrite: (file, bytes, at) => super.jWrite(file, bytes, at),
      jTruncate: (file, size) => super.jTruncate(file, size),
      jSync: (file, flags) => super.jSync(file, flags),
      jFileSize: (file, size) => super.jFileSize(file, size),
    };

    get failure(): string | undefined {
      return this.#failure;
    }

    rekey(path: string, key: DatabaseKey): void | Promise<void> {
      if (settings.mode !== 'authenticated')
        throw new Error(
          'rekey() needs the mode authenticated: files of adiantum have no header; copy the database instead',
        );
      const next = new UserKey(key);
      const found = this.#database(path);
      if (!found) throw new Error(`rekey() expected an open database, got ${JSON.stringify(path)}`);
      const steps = function* (keep: () => void): Steps<void> {
        yield* found.rekey(next);
        keep();
      };
      return run(steps(() => (this.#user = next)));
    }

    destroy(): void {
      this.#user.destroy();
      this.#isDestroyed = true;
    }

    /** Runs steps that end with a number of SQLite's. */
    #code(steps: Steps<number>, otherwise: number): Code {
      try {
        const code = run(steps);
        if (typeof code === 'number') return isAsync ? Promise.resolve(code) : code;
        return code.catch((error: unknown) => this.#failed(error, otherwise));
      } catch (error) {
        const code = this.#failed(error, otherwise);
        return isAsync ? Promise.resolve(code) : code;
      }
    }

    #failed(error: unknown, otherwise: number): number {
      this.#failure = error instanceof Error ? error.message : String(error);
      return error instanceof codes.SQLiteFailure ? error.code : otherwise;
    }

    #database(path: string): DatabasePages | undefined {
      for (const { file, path: its } of this.#files.values())
        if (its === path && file instanceof DatabasePages) return file;
      return undefined;
    }

    override hasAsyncMethod(name: string): boolean {
      return FILE_CALLS.includes(name) ? isAsync : prototype.hasAsyncMethod(name);
    }

    override jOpen(name: string | null, file: number, flags: number, outFlags: DataView): Code {
      return this.#code(this.#open(name, file, flags, outFlags), codes.CANTOPEN);
    }

    *#open(name: string | null, file: number, flags: number, outFlags: DataView): Steps<number> {
      if (this.#isDestroyed) throw new codes.SQLiteFailure(codes.CANTOPEN, 'cannot open a file after destroy()');
      const code = (yield this.#base.jOpen(name, file, flags, outFlags)) as number;
      if (code !== codes.OK) return code;
      try {
        const path = (name ?? '').split('?', 1)[0].replace(flags & OF_A_DATABASE ? SUFFIXES : /$^/, '');
        const opened = yield* this.#encrypted(file, flags, path);
        if (opened) this.#files.set(file, { file: opened, path });
      } catch (error) {
        yield this.#base.jClose(file);
        throw error;
      }
      return codes.OK;
    }

    /** The file that was opened, decrypted; undefined for one that stays as it is. */
    *#encrypted(file: number, flags: number, path: string): Steps<EncryptedFile | undefined> {
      const raw = new BaseFile(this.#base, file);
      const isPart = (flags & OF_A_DATABASE) !== 0;
      if (settings.mode === 'adiantum') {
        // go-sqlite3 leaves the names of journals readable.
        if (flags & codes.OPEN_SUPER_JOURNAL) return undefined;
        const isDatabase = (flags & codes.OPEN_MAIN_DB) !== 0;
        return new AdiantumFile(
          raw,
          isPart || isDatabase ? this.#user.raw : randomBytes(KEY_BYTES),
          isDatabase ? 'database' : contentsOf(flags),
        );
      }
      if (flags & codes.OPEN_MAIN_DB)
        return yield* openPages(raw, this.#user, () => newHeader(this.#user, settings.pageSize));
      return new Blocks(raw, isPart ? yield* this.#keyOf(path) : randomBytes(KEY_BYTES), contentsOf(flags));
    }

    /** The key of a database, which may not be open: another's journal is read when a super-journal is removed. */
    *#keyOf(path: string): Steps<Uint8Array> {
      const open = this.#database(path);
      if (open) return open.header.key;
      const file = this.#spare--;
      const flags = codes.OPEN_MAIN_DB | codes.OPEN_READONLY;
      const code = yield this.#base.jOpen(path, file, flags, new DataView(new ArrayBuffer(4)));
      if (code !== codes.OK)
        throw new codes.SQLiteFailure(codes.CANTOPEN, `the database of this journal can't be opened: ${path}`);
      try {
        const pages = yield* openPages(new BaseFile(this.#base, file), this.#user, () => {
          throw new codes.SQLiteFailure(codes.CANTOPEN, `the database of this journal is empty: ${path}`);
        });
        const key = Uint8Array.from(pages.header.key);
        pages.destroy();
        return key;
      } finally {
        yield this.#base.jClose(file);
      }
    }

    override jClose(file: number): Code {
      const open = this.#files.get(file);
      if (!open) return super.jClose(file);
      return this.#code(this.#close(open.file, file), codes.IOERR_CLOSE);
    }

    *#close(open: EncryptedFile, file: number): Steps<number> {
      try {
        if (open.isWaiting) yield* open.flush();
      } finally {
        open.destroy();
        this.#files.delete(file);
      }
      return (yield this.#base.jClose(file)) as number;
    }

    override jRead(file: number, into: Uint8Array, at: number): Code {
      const open = this.#files.get(file);
      if (!open) return super.jRead(file, into, at);
      return this.#code((isAsync ? readLater : readNow)(open.file, into, at), codes.IOERR_READ);
    }

    override jWrite(file: number, bytes: Uint8Array, at: number): Code {
      const open = this.#files.get(file);
      if (!open) return super.jWrite(file, bytes, at);
      return this.#code(
        this.#changed(open.file, open.file.write(isAsync ? bytes.slice() : bytes.subarray(), at)),
        codes.IOERR_WRITE,
      );
    }

    override jTruncate(file: number, size: number): Code {
      const open = this.#files.get(file);
      if (!open) return super.jTruncate(file, size);
      return this.#code(this.#changed(open.file, open.file.truncate(size)), codes.IOERR_TRUNCATE);
    }

    /** Runs the steps that change a file, and before them those for bytes of other files: a journal comes before its database. */
    *#changed(file: EncryptedFile, steps: Steps<void>): Steps<number> {
      for (const other of this.#files.values())
        if (other.file !== file && other.file.isWaiting) yield* other.file.flush();
      yield* steps;
      return codes.OK;
    }

    override jSync(file: number, flags: number): Code {
      const open = this.#files.get(file);
      if (!open) return super.jSync(file, flags);
      const base = this.#base;
      const steps = this.#changed(open.file, open.file.sync());
      return this.#code(
        (function* (): Steps<number> {
          yield* steps;
          return (yield base.jSync(file, flags)) as number;
        })(),
        codes.IOERR_FSYNC,
      );
    }

    override jLock(file: number, level: number): Code {
      if (level === codes.LOCK_SHARED) this.#release(file);
      return super.jLock(file, level);
    }

    override jUnlock(file: number, level: number): Code {
      this.#release(file);
      return super.jUnlock(file, level);
    }

    /** Another connection may have changed a database and its journal, or may do so from now on. */
    #release(file: number): void {
      const path = this.#files.get(file)?.path;
      if (path !== undefined) for (const open of this.#files.values()) if (open.path === path) open.file.release();
    }

    override jFileSize(file: number, size: DataView): Code {
      const open = this.#files.get(file);
      if (!open) return super.jFileSize(file, size);
      return this.#code(
        (function* (): Steps<number> {
          size.setBigInt64(0, BigInt(yield* open.file.size()), true);
          return codes.OK;
        })(),
        codes.IOERR_FSTAT,
      );
    }

    override jFileControl(file: number, operation: number, argument: DataView): Code {
      // Sizes that SQLite hints at are those of plaintext.
      if (this.#files.has(file) && (operation === codes.FCNTL_SIZE_HINT || operation === codes.FCNTL_CHUNK_SIZE))
        return codes.OK;
      return super.jFileControl(file, operation, argument);
    }

    /** A write of less than a block replaces all of it, so SQLite goes on in another block after each flush. */
    override jSectorSize(file: number): Code {
      const size = super.jSectorSize(file);
      return typeof size === 'number' ? Math.max(size, BLOCK_BYTES) : size.then((its) => Math.max(its, BLOCK_BYTES));
    }

    override jDeviceCharacteristics(file: number): Code {
      const its = super.jDeviceCharacteristics(file);
      return typeof its === 'number' ? its & SAFE : its.then((value) => value & SAFE);
    }

    override jGetLastError(into: Uint8Array): Code {
      if (this.#failure === undefined || into.length === 0) return super.jGetLastError(into);
      const text = new TextEncoder().encode(this.#failure).subarray(0, into.length - 1);
      into.fill(0);
      into.set(text);
      return codes.OK;
    }
  }
  return Encrypted as unknown as EncryptedClass<Base>;
}

/** Characteristics that encrypted files have if their bytes on the medium do. */
const SAFE =
  codes.IOCAP_SEQUENTIAL | codes.IOCAP_IMMUTABLE | codes.IOCAP_UNDELETABLE_WHEN_OPEN | codes.IOCAP_BATCH_ATOMIC;

/** SQLite's memory doesn't grow before the call returns: pages are decrypted there. */
function* readNow(file: EncryptedFile, into: Uint8Array, at: number): Steps<number> {
  return (yield* file.read(into.subarray(), at)) ? codes.OK : codes.IOERR_SHORT_READ;
}

/** SQLite's memory may grow, and its views with it, while a file system answers: bytes go there in one step. */
function* readLater(file: EncryptedFile, into: Uint8Array, at: number): Steps<number> {
  const bytes = new Uint8Array(into.length);
  try {
    const isWhole = yield* file.read(bytes, at);
    into.set(bytes);
    return isWhole ? codes.OK : codes.IOERR_SHORT_READ;
  } finally {
    bytes.fill(0);
  }
}
