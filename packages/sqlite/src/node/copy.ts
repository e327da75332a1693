/** A database copied into a new file: encrypted, decrypted, or in another mode. */
import { closeSync, fsyncSync, openSync, rmSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import * as codes from '../codes.ts';
import { opened, withReason, type SQLite } from '../database.ts';
import { encryptedClass } from '../encrypt-vfs.ts';
import { RESERVED_BYTES } from '../files/page-sealer.ts';
import type { DatabaseKey } from '../keys/user-key.ts';
import { RESERVED_BYTES as RESERVED_OF_MULTIPLE_CIPHERS } from '../multiple-ciphers/pages.ts';
import { ownOptions, settingsOf, type EncryptOptions, type Mode, type Settings } from '../options.ts';
import { loadFor } from '../parts.ts';
import { refuseSurplus } from '../values.ts';
import { newName, start } from './database.ts';
import { newDraft, renameToNew, sweepDrafts } from './drafts.ts';
import { look, pathOf, refuseForeignJournal, requireFile } from './files.ts';
import { NodeVFS } from './node-vfs.ts';
import { TwoVFS, type SideVFS } from './two-vfs.ts';

/** A database in a file: plain without a key. */
export interface DatabaseSide extends Partial<EncryptOptions> {
  /** Its path. */
  readonly file: string;
}

/** The options of {@link copyDatabase}. */
export interface CopyOptions {
  /** The database that is there: `file`, and `key` and `mode` if it is encrypted. */
  readonly from: DatabaseSide;
  /** The copy: `file`, which must not be there or be empty (an empty one is written in place; any other copy gets its name when it is whole); `key`, `mode` and `costs` if it is to be encrypted; `pageSize`, that of `from` unless given. */
  readonly to: DatabaseSide;
}

/** SQLite reserves these bytes at the end of each page. */
const RESERVED: Readonly<Record<Mode, number>> = {
  authenticated: RESERVED_BYTES,
  sqlite3mc: RESERVED_OF_MULTIPLE_CIPHERS,
  adiantum: 0,
};

interface Side {
  readonly path: string;
  readonly key: DatabaseKey | undefined;
  /** Undefined for a plain database. */
  readonly settings: Settings | undefined;
  readonly pageSize: number | undefined;
}

/** One side, checked. */
function sideOf(value: unknown, name: string, names: readonly string[]): Side {
  const { file, ...rest } = ownOptions(value, ['file', ...names], name);
  const path = pathOf(file, `${name}.file`);
  const pageSize = Object.hasOwn(rest, 'pageSize') ? (rest.pageSize as number) : undefined;
  if (Object.hasOwn(rest, 'key'))
    return { path, key: rest.key as DatabaseKey, settings: settingsOf(rest as unknown as EncryptOptions), pageSize };
  const needless = Object.keys(rest).find((each) => each !== 'pageSize');
  if (needless !== undefined)
    throw new TypeError(
      `"${name}.key" expected with "${name}.${needless}", got none: without a key the database is plain`,
    );
  // A plain database has no key: the check of the page size is that of a mode in which each size is possible.
  if (pageSize !== undefined) settingsOf({ pageSize, key: new Uint8Array(32), mode: 'adiantum' });
  return { path, key: undefined, settings: undefined, pageSize };
}

/**
 * Copies a database into a new file, encrypted or plain, or from one mode to another: `VACUUM INTO`, which takes a snapshot and leaves
 * free pages out. Rows, their ids, indexes, triggers and full-text tables stay as they are. A copy keeps the bytes that the pages of an encrypted
 * database reserve, empty, also if it is plain: any SQLite reads it.
 *
 * @param options - {@link CopyOptions}: `from` and `to`.
 * @returns A promise that is kept when the copy is on the medium. If it is broken, there is no copy.
 * @throws TypeError or RangeError if an option isn't of that form; Error if `from` can't be read, its key is wrong, or `to` is there. Then nothing
 * was written.
 * @example
 * ```ts
 * import { rmSync } from 'node:fs';
 * import { copyDatabase, openDatabase } from '@lanewise/sqlite/node.js';
 * const db = await openDatabase({ file: 'notes.db', key: 'five random words are enough' });
 * await db.all('create table if not exists notes(text)');
 * await db.close();
 * rmSync('copy.db', { force: true }); // a copy replaces nothing
 * await copyDatabase({ from: { file: 'notes.db', key: 'five random words are enough' }, to: { file: 'copy.db' } });
 * ```
 */
export async function copyDatabase(options: CopyOptions): Promise<void> {
  refuseSurplus(arguments, 1);
  const given = ownOptions(options, ['from', 'to']);
  const sides: Side[] = [];
  try {
    const from = sideOf(given.from, 'from', ['key', 'mode']);
    sides.push(from);
    const to = sideOf(given.to, 'to', ['key', 'mode', 'pageSize', 'costs']);
    sides.push(to);
    await copyWhole(from, to);
  } finally {
    // The VFS had copies.
    for (const { settings } of sides) settings?.destroy();
  }
}

/** If it fails, there is no copy. */
async function copyWhole(from: Side, to: Side): Promise<void> {
  requireFile(from.path);
  refuseForeignJournal(from.path, from.settings?.mode);
  const folder = dirname(to.path);
  if (!look(folder)?.isDirectory()) throw new Error(`there is no folder ${folder}`);
  const isThere = refuseTarget(to.path);
  for (const { settings } of [from, to]) if (settings) await loadFor(settings);
  const sqlite = await start();
  if (isThere) await fill(sqlite, from, to);
  else await create(sqlite, from, to);
}

/** Writes into an empty file, whose owner and mode its maker chose. */
async function fill(sqlite: SQLite, from: Side, to: Side): Promise<void> {
  try {
    await copy(sqlite, from, to);
    flush(to.path);
  } catch (error) {
    truncateSync(to.path);
    throw error;
  }
}

async function create(sqlite: SQLite, from: Side, to: Side): Promise<void> {
  sweepDrafts(to.path);
  const draft = newDraft(to.path);
  try {
    await copy(sqlite, from, { ...to, path: draft });
    flush(draft);
    renameToNew(draft, to.path);
  } catch (error) {
    rmSync(draft, { force: true });
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw isTaken(to.path);
    throw error;
  }
  flushFolder(to.path);
}

const isTaken = (path: string): Error => new Error(`${path} is there, and a copy replaces nothing`);

/**
 * @returns Whether the file is there, empty.
 * @throws Error if it holds something, or a journal of that name would be played back into it.
 */
function refuseTarget(path: string): boolean {
  const found = look(path);
  if (found && (!found.isFile() || found.size > 0)) throw isTaken(path);
  for (const name of [`${path}-journal`, `${path}-wal`])
    if (look(name)) throw new Error(`${name} is there: SQLite would play it back into the copy; remove it first`);
  return found !== undefined;
}

/** The parts of the module that have no place in wa-sqlite's interface. */
interface Native {
  readonly HEAP32: Int32Array;
  _sqlite3_malloc(bytes: number): number;
  _sqlite3_free(address: number): void;
  _sqlite3_file_control(db: number, name: number, operation: number, argument: number): number;
}

async function copy(sqlite: SQLite, from: Side, to: Side): Promise<void> {
  const { module, sqlite3 } = sqlite;
  const vfs = new TwoVFS(newName(), module, vfsOf(from, module), vfsOf(to, module), to.path);
  let db: number | undefined;
  try {
    sqlite3.vfs_register(vfs as never, false);
    db = await opened(sqlite, from.path, vfs.name, codes.OPEN_READWRITE);
    // Before there is a copy: whether the key is right.
    await sqlite3.exec(db, 'pragma locking_mode = exclusive; select count(*) from sqlite_schema');
    let pageSize = 0;
    await sqlite3.exec(db, 'pragma page_size', ([size]) => {
      pageSize = size as number;
    });
    // SQLite needs 480 bytes without those that are reserved.
    const least = to.settings?.mode === 'authenticated' ? 1024 : 512;
    await sqlite3.exec(db, `pragma page_size = ${to.pageSize ?? Math.max(pageSize, least)}`);
    reserve(module as Native, db, to.settings ? RESERVED[to.settings.mode] : 0);
    await sqlite3.exec(db, `vacuum into '${to.path.replaceAll("'", "''")}'`);
    await sqlite3.close(db);
    db = undefined;
  } catch (error) {
    throw withReason(error, vfs);
  } finally {
    if (db !== undefined) await sqlite3.close(db);
    await vfs.close();
  }
}

/** A plain VFS, with the members of an encrypted one. */
class PlainVFS extends NodeVFS {
  readonly failure = undefined;
  destroy(): void {
    // There is no key.
  }
}

const vfsOf = ({ settings }: Side, module: object): SideVFS =>
  settings
    ? new (encryptedClass(NodeVFS, { ...settings, isCopy: true }))(newName(), module)
    : new PlainVFS(newName(), module);

/** How many bytes the pages of a copy reserve, if the pages of the database have fewer. */
function reserve(module: Native, db: number, bytes: number): void {
  const address = module._sqlite3_malloc(4);
  module.HEAP32[address / 4] = bytes;
  module._sqlite3_file_control(db, 0, codes.FCNTL_RESERVE_BYTES, address);
  module._sqlite3_free(address);
}

/** What the file holds is on the medium. */
function flush(path: string): void {
  const handle = openSync(path, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Its name is on the medium. Windows opens no folders. */
function flushFolder(path: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(dirname(path), 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
