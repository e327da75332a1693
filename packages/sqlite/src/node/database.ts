/** An encrypted database in a file: SQLite, VFS and connection in one call. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { connect, startWith, type Database, type SQLite } from '../database.ts';
import { encryptedClass } from '../encrypt-vfs.ts';
import { ownOptions, settingsOf, type EncryptOptions } from '../options.ts';
import { load, loadFor } from '../parts.ts';
import { refuseSurplus } from '../values.ts';
import { pathOf } from './files.ts';
import { NodeVFS } from './node-vfs.ts';

/** The options of {@link openDatabase}. */
export interface DatabaseOptions extends EncryptOptions {
  /** The path of the file, which is made if there is none. */
  readonly file: string;
}

let started: Promise<SQLite> | undefined;
let count = 0;
/** A name for a VFS that no other has. */
export const newName = (): string => `lanewise-${++count}`;

/** The unmodified build of wa-sqlite, once for the process, unless it fails. */
export const start = (): Promise<SQLite> =>
  (started ??= (async () => {
    try {
      const wasm = createRequire(import.meta.url).resolve('@journeyapps/wa-sqlite/dist/wa-sqlite.wasm');
      await load('temporary');
      return await startWith({ wasmBinary: await readFile(wasm) });
    } catch (error) {
      started = undefined;
      throw error;
    }
  })());

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
  refuseSurplus(arguments, 1);
  const { file, ...rest } = ownOptions(options, ['file', 'key', 'mode', 'pageSize', 'costs']);
  const path = pathOf(file, 'file');
  const settings = settingsOf(rest as unknown as EncryptOptions);
  try {
    await loadFor(settings);
    const sqlite = await start();
    return await connect(sqlite, new (encryptedClass(NodeVFS, settings))(newName(), sqlite.module), path);
  } finally {
    // The VFS has a copy.
    settings.destroy();
  }
}
