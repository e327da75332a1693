/** An encrypted database in OPFS: SQLite, VFS and connection in one call. */
import { connect, startWith, type Database, type SQLite } from '../database.ts';
import { encryptedClass } from '../encrypt-vfs.ts';
import { ownOptions, settingsOf, type EncryptOptions } from '../options.ts';
import { loadFor } from '../parts.ts';
import { refuseSurplus } from '../values.ts';
import { holdFiles, partsOfPath, requireWorker } from './files.ts';
import { OpfsVFS } from './opfs-vfs.ts';
import type { WasmSource } from './wasm.ts';

/** The options of {@link openDatabase}. */
export interface DatabaseOptions extends EncryptOptions {
  /** The path of the file in OPFS, `notes.db` or `folder/notes.db`. The file and its folders are made if there are none. */
  readonly file: string;
  /**
   * The file `@journeyapps/wa-sqlite/dist/wa-sqlite.wasm`: its address, or its bytes. It isn't needed where a bundler copies files that
   * `new URL(…, import.meta.url)` names. A worker loads SQLite once, so only the first call's counts.
   */
  readonly wasm?: WasmSource;
}

let started: Promise<SQLite> | undefined;
let count = 0;

/** The unmodified build of wa-sqlite, once for the worker, unless it fails. */
function start(binary: (() => Promise<Uint8Array>) | undefined): Promise<SQLite> {
  started ??= (async () => {
    try {
      return await startWith({ wasmBinary: await binary?.() });
    } catch (error) {
      started = undefined;
      const hint = binary === undefined ? '; give the address of its wa-sqlite.wasm as "wasm"' : '';
      throw new Error(`cannot load SQLite: ${(error as Error).message}${hint}`, { cause: error });
    }
  })();
  return started;
}

/**
 * Opens an encrypted database in a browser's own files (OPFS), or makes one. It needs a dedicated worker. The file is held until the
 * database is closed or the worker ends: one tab uses it at a time. It has the same bytes as in Node, so a copy of either opens in the other.
 *
 * @param options - {@link DatabaseOptions}: `file` and `key`, and `wasm`, `mode`, `pageSize` or `costs`.
 * @throws TypeError or RangeError if an option isn't of that form; Error if this isn't a worker or has no OPFS, another tab has the file
 * open, it isn't such a database, or the key is wrong. Then nothing was written.
 * @example
 * ```js
 * // in a worker
 * import { openDatabase } from '@lanewise/sqlite/browser.js';
 * const db = await openDatabase({ file: 'notes.db', key: 'five random words are enough' });
 * await db.all('create table if not exists notes(text)');
 * await db.all('insert into notes values (?)', ['remember the milk']);
 * const notes = await db.all('select text from notes');
 * await db.close();
 * ```
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  refuseSurplus(arguments, 1);
  const { file, wasm, ...rest } = ownOptions(options, ['file', 'key', 'wasm', 'mode', 'pageSize', 'costs']);
  const parts = partsOfPath(file);
  const settings = settingsOf(rest as unknown as EncryptOptions);
  let db: Database;
  try {
    const binary = wasm === undefined ? undefined : (await import('./wasm.ts')).binaryOf(wasm);
    await requireWorker();
    await loadFor(settings);
    const sqlite = await start(binary);
    const files = await holdFiles(parts);
    const Encrypted = encryptedClass(OpfsVFS, settings);
    db = await connect(sqlite, new Encrypted(`lanewise-${++count}`, sqlite.module, files), files.path);
  } finally {
    // The VFS has a copy.
    settings.destroy();
  }
  // Temporary files would need handles, which a VFS cannot wait for.
  await db.all('pragma temp_store = memory');
  return db;
}
