/** Whether all of a database is as it was written. */
import { OK, OPEN_MAIN_DB, OPEN_READWRITE } from '../codes.ts';
import { connect, type Database } from '../database.ts';
import { encryptedClass } from '../encrypt-vfs.ts';
import { ownOptions, settingsOf, type EncryptOptions, type Mode, type Settings } from '../options.ts';
import type { DatabaseKey } from '../keys/user-key.ts';
import { loadFor } from '../parts.ts';
import { refuseSurplus } from '../values.ts';
import { newName, start } from './database.ts';
import { pathOf, refuseForeignJournal, requireFile } from './files.ts';
import { NodeVFS } from './node-vfs.ts';

/** The options of {@link checkDatabase}. */
export interface CheckOptions {
  /** The path of the file. */
  readonly file: string;
  /** 32 bytes, or a passphrase. */
  readonly key: DatabaseKey;
  /** How it is encrypted: `authenticated` unless given. */
  readonly mode?: Mode;
}

/** What {@link checkDatabase} finds. */
export interface CheckResult {
  /** How many pages were read. In the mode adiantum they are those that SQLite uses. */
  readonly pages: number;
  /** The lines of `PRAGMA integrity_check`; none if all is right. */
  readonly problems: readonly string[];
}

/** SQLite's locks are in this page, which it never writes (sqlite.org/fileformat2.html §1.4). */
const LOCKS_AT = 2 ** 30;

/** The class of a VFS that reads pages without SQLite, also those that SQLite doesn't use. */
const checkedClass = (settings: Settings) =>
  class extends encryptedClass(NodeVFS, settings) {
    /** SQLite's identity of the database. */
    #main = 0;

    override jOpen(name: string | null, file: number, flags: number, outFlags: DataView): number {
      if (flags & OPEN_MAIN_DB) this.#main = file;
      return super.jOpen(name, file, flags, outFlags);
    }

    /** Reads every page. Returns how many there are. */
    readAll(pageSize: number): number {
      const size = new DataView(new ArrayBuffer(8));
      const page = new Uint8Array(pageSize);
      this.#check(this.jFileSize(this.#main, size));
      const count = Math.floor(Number(size.getBigInt64(0, true)) / pageSize);
      try {
        for (let index = 0; index < count; index++)
          if (settings.mode !== 'sqlite3mc' || index !== LOCKS_AT / pageSize)
            this.#check(this.jRead(this.#main, page, index * pageSize));
      } finally {
        page.fill(0);
      }
      return count;
    }

    #check(code: number): void {
      if (code !== OK) throw new Error(this.failure ?? `cannot read the database: the VFS answers ${code}`);
    }
  };

/**
 * Reads every page of an encrypted database, also those that hold nothing, then lets SQLite check its tables and indexes. Nothing is changed,
 * unless a crash left a journal: it is played back first.
 *
 * @param options - {@link CheckOptions}: `file` and `key`, and `mode`.
 * @returns A promise of {@link CheckResult}.
 * @throws TypeError or RangeError if an option isn't of that form; Error if there is no such file, the key is wrong, or a page isn't authentic,
 * which it names.
 * @example
 * ```ts
 * import { checkDatabase, openDatabase } from '@lanewise/sqlite/node.js';
 * const db = await openDatabase({ file: 'notes.db', key: 'five random words are enough' });
 * await db.all('create table if not exists notes(text)');
 * await db.close();
 * const { problems } = await checkDatabase({ file: 'notes.db', key: 'five random words are enough' });
 * console.log(problems); // prints []
 * ```
 */
export async function checkDatabase(options: CheckOptions): Promise<CheckResult> {
  refuseSurplus(arguments, 1);
  const { file, ...rest } = ownOptions(options, ['file', 'key', 'mode']);
  const path = pathOf(file, 'file');
  const settings = settingsOf(rest as unknown as EncryptOptions);
  let db: Database;
  let vfs: InstanceType<ReturnType<typeof checkedClass>>;
  try {
    requireFile(path);
    refuseForeignJournal(path, settings.mode);
    await loadFor(settings);
    const sqlite = await start();
    vfs = new (checkedClass(settings))(newName(), sqlite.module);
    db = await connect(sqlite, vfs, path, OPEN_READWRITE);
  } finally {
    // The VFS has a copy.
    settings.destroy();
  }
  try {
    // The lock of a reader, until the end: no other connection changes a page meanwhile.
    await db.all('pragma locking_mode = exclusive; select count(*) from sqlite_schema');
    const [[counted], [pageSize]] = await db.values('pragma page_count; pragma page_size');
    const pages = settings.mode === 'adiantum' ? Number(counted) : vfs.readAll(Number(pageSize));
    const lines = (await db.values('pragma integrity_check')).map(([line]) => String(line));
    return { pages, problems: lines.length === 1 && lines[0] === 'ok' ? [] : lines };
  } finally {
    await db.close();
  }
}
