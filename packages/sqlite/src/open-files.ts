/** The open files of a VFS: which encryption each has, by SQLite's flags, the mode, and the database that it belongs to. */
import * as codes from './codes.ts';
import { Blocks } from './files/blocks.ts';
import type { Contents } from './files/contents.ts';
import type { EncryptedFile } from './files/encrypted-file.ts';
import { DatabasePages, openPages } from './files/pages.ts';
import { BaseFile, type FileCalls } from './files/raw-file.ts';
import { newHeader } from './keys/header.ts';
import { underRandomKey, UserKey, type DatabaseKey } from './keys/user-key.ts';
import { pathIn } from './names.ts';
import type { Settings } from './options.ts';
import { load, loaded, part, partOf } from './parts.ts';
import type { Steps } from './steps.ts';

type Code = number | Promise<number>;

/** The calls of a VFS for files, with those that open and close them. */
export interface OpenCalls extends FileCalls {
  jOpen(name: string | null, file: number, flags: number, outFlags: DataView): Code;
  jClose(file: number): Code;
}

/** A file that is open. */
interface Open {
  readonly file: EncryptedFile;
  /** Of the database that it belongs to. */
  readonly path: string;
}

/** SQLite adds -journal, -wal or -mj and 9 digits to the name of a database for its other files. */
function pathOf(name: string | null, flags: number): string {
  const path = pathIn(name ?? '', flags);
  const added =
    flags & codes.OPEN_MAIN_JOURNAL ? 8 : flags & codes.OPEN_WAL ? 4 : flags & codes.OPEN_SUPER_JOURNAL ? 12 : 0;
  return path.slice(0, path.length - added);
}

const isTemporary = (flags: number): boolean => (flags & (codes.OPEN_MAIN_DB | codes.OPEN_OF_A_DATABASE)) === 0;

const contentsOf = (flags: number): Contents =>
  flags & codes.OPEN_MAIN_JOURNAL
    ? 'journal'
    : flags & codes.OPEN_WAL
      ? 'wal'
      : flags & codes.OPEN_SUPER_JOURNAL
        ? 'super-journal'
        : 'temporary';

export class OpenFiles {
  readonly #settings: Settings;
  readonly #calls: OpenCalls;
  readonly #files = new Map<number, Open>();
  #user: UserKey;
  /** Keys that were replaced: databases that are open may still write their headers under them. */
  readonly #former: UserKey[] = [];
  #isDestroyed = false;
  /** Identities of files that SQLite doesn't know of; its own are addresses. */
  #spare = -1;

  constructor(settings: Settings, calls: OpenCalls) {
    this.#settings = settings;
    this.#calls = calls;
    const needed = partOf(settings);
    if (needed !== undefined) part(needed); // not after a file was opened
    this.#user = settings.user();
  }

  get(file: number): EncryptedFile | undefined {
    return this.#files.get(file)?.file;
  }

  *open(name: string | null, file: number, flags: number, outFlags: DataView): Steps<number> {
    if (this.#isDestroyed) throw new codes.SQLiteFailure(codes.CANTOPEN, 'cannot use a key after destroy()');
    const code = (yield this.#calls.jOpen(name, file, flags, outFlags)) as number;
    if (code !== codes.OK) return code;
    try {
      const path = pathOf(name, flags);
      const opened = yield* this.#encrypted(file, flags, path);
      if (opened)
        this.#files.set(file, { file: (isTemporary(flags) && loaded.temporary?.inMemory(opened)) || opened, path });
    } catch (error) {
      yield this.#calls.jClose(file);
      throw error;
    }
    return codes.OK;
  }

  *close(file: number): Steps<number> {
    const open = this.#files.get(file)!.file;
    try {
      yield* open.flush();
    } catch (error) {
      // The file is closed all the same: it would keep its handle and its lock.
      yield this.#calls.jClose(file);
      throw error;
    } finally {
      open.destroy();
      this.#files.delete(file);
      this.#wipe();
    }
    return (yield this.#calls.jClose(file)) as number;
  }

  /** The file that was opened, decrypted; undefined for one that stays as it is. */
  *#encrypted(file: number, flags: number, path: string): Steps<EncryptedFile | undefined> {
    const raw = new BaseFile(this.#calls, file);
    const { mode } = this.#settings;
    if (mode === 'authenticated') return yield* this.#authenticated(raw, flags, path);
    return part(mode).open(raw, flags, {
      path,
      contents: contentsOf(flags),
      user: this.#user,
      settings: this.#settings,
      database: (Class) => this.#find(path, Class),
    });
  }

  *#authenticated(raw: BaseFile, flags: number, path: string): Steps<EncryptedFile> {
    if (flags & codes.OPEN_MAIN_DB)
      return yield* openPages(
        raw,
        this.#user,
        () => newHeader(this.#user, this.#settings.pageSize),
        this.#settings.isCopy,
      );
    if (isTemporary(flags)) return underRandomKey((key) => new Blocks(raw, key, contentsOf(flags)));
    const key = yield* this.#keyOf(path);
    try {
      return new Blocks(raw, key, contentsOf(flags));
    } finally {
      key.fill(0);
    }
  }

  #find<File extends EncryptedFile>(path: string, Class: new (...args: never[]) => File): File | undefined {
    for (const { file, path: its } of this.#files.values()) if (its === path && file instanceof Class) return file;
    return undefined;
  }

  /** A copy of the key of a database, which may not be open: another's journal is read when a super-journal is removed. */
  *#keyOf(path: string): Steps<Uint8Array> {
    const open = this.#find(path, DatabasePages);
    if (open) return open.header.key.slice();
    const file = this.#spare--;
    const flags = codes.OPEN_MAIN_DB | codes.OPEN_READONLY;
    const refuse = (): never => {
      throw new codes.SQLiteFailure(codes.CANTOPEN, `the database of this journal is missing or empty: ${path}`);
    };
    const code = yield this.#calls.jOpen(path, file, flags, new DataView(new ArrayBuffer(4)));
    if (code !== codes.OK) refuse();
    try {
      const pages = yield* openPages(new BaseFile(this.#calls, file), this.#user, refuse);
      const key = pages.header.key.slice();
      pages.destroy();
      return key;
    } finally {
      yield this.#calls.jClose(file);
    }
  }

  /** Checks everything before its first step. */
  rekey(path: string, key: DatabaseKey): Steps<void> {
    const { mode } = this.#settings;
    if (mode !== 'authenticated')
      throw new Error(`rekey() needs the mode authenticated; copy a database of ${mode} instead`);
    const found = this.#find(path, DatabasePages);
    if (!found) throw new Error(`rekey() expected an open database, got ${JSON.stringify(path)}`);
    return this.#replaceKey(found, new UserKey(key));
  }

  *#replaceKey(pages: DatabasePages, next: UserKey): Steps<void> {
    try {
      if (next.kind === 'passphrase') yield load('passphrases');
      yield* pages.rekey(next);
    } catch (error) {
      next.destroy();
      throw error;
    }
    this.#former.push(this.#user);
    this.#user = next;
  }

  /** Another file whose bytes wait: they are handed over before one changes, because a journal comes before its database. */
  waiting(but: EncryptedFile): EncryptedFile | undefined {
    for (const { file } of this.#files.values()) if (file !== but && file.isWaiting) return file;
    return undefined;
  }

  /** Another connection may have changed the database of a file, and its journal, or may do so from now on. */
  release(file: number): void {
    const path = this.#files.get(file)?.path;
    if (path !== undefined) for (const open of this.#files.values()) if (open.path === path) open.file.release();
  }

  /** Wipes the key as soon as no file is open. Those that are go on. */
  destroy(): void {
    this.#isDestroyed = true;
    this.#wipe();
  }

  /** Wipes the keys that nothing needs any more. */
  #wipe(): void {
    if (this.#files.size > 0) return;
    for (const user of this.#former.splice(0)) user.destroy();
    if (this.#isDestroyed) this.#user.destroy();
  }
}
