/** Calls of `@lanewise/sqlite`: each opens a database of its own, in a folder that is removed when the tests end. */
import * as node from 'node:fs';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryVFS } from '@journeyapps/wa-sqlite/src/examples/MemoryVFS.js';
import { encryptVFS } from '@lanewise/sqlite';
import { encryptedFileSystem, type EncryptedFileSystem } from '@lanewise/sqlite/files.js';
import { checkDatabase, copyDatabase, openDatabase, type Database } from '@lanewise/sqlite/node.js';
import { encryptedPGlite } from '@lanewise/sqlite/pglite.js';
import { installEncryptedVFS } from '@lanewise/sqlite/official.js';
import sqlite3InitModule from '@sqlite.org/sqlite-wasm';
import { afterAll } from 'vitest';
import type { Given, Row } from '../row.ts';

const bytes = (length: number, first: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, i) => (first + 7 * i) % 256);
const [KEY, OTHER, BLOB] = [bytes(32, 1), bytes(32, 2), bytes(3000, 3)];

const folder = mkdtempSync(join(tmpdir(), 'lanewise-joints-sqlite-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;
const fresh = (): string => join(folder, `${count++}.db`);

const sqlite3 = await sqlite3InitModule();
/** A database with one table, closed. */
async function made(): Promise<string> {
  const file = fresh();
  const db = await openDatabase({ file, key: KEY });
  await db.all('create table t(a); insert into t values (5)');
  await db.close();
  return file;
}

const one = (name: string, run: Row['run']): Row => ({ title: `sqlite ${name}`, covers: [`sqlite ${name}`], run });
/** A database with one row, which is closed when the call has ended. */
const within = (call: (db: Database, given: Given) => unknown) => async (given: Given) => {
  const db = await openDatabase({ file: fresh(), key: KEY });
  try {
    await db.all('create table t(a, b)');
    return await call(db, given);
  } finally {
    await db.close();
  }
};

/** Encrypted files in a new folder, which are closed when the call has ended. */
const inFiles = (call: (files: EncryptedFileSystem, given: Given) => unknown) => async (given: Given) => {
  const files = await encryptedFileSystem({ fs: node, folder: fresh() }, { key: KEY });
  try {
    return await call(files, given);
  } finally {
    files.unmount();
  }
};

export const rows: readonly Row[] = [
  one('encryptVFS', (given) =>
    encryptVFS(MemoryVFS, given.options({ key: given.bytes(KEY.slice()), mode: 'authenticated', pageSize: 1024 })),
  ),
  one('openDatabase', async (given) => {
    const file = fresh();
    const db = await openDatabase(
      given.options({ file, key: given.bytes(KEY.slice()), mode: 'authenticated', pageSize: 1024 } as const),
    );
    await db.all('create table t(a)');
    await db.close();
    const again = await openDatabase({ file, key: KEY });
    const found = await again.values('pragma page_size');
    await again.close();
    return found;
  }),
  one('copyDatabase', async (given) => {
    const [from, file] = [await made(), fresh()];
    const to = given.options({ file, key: given.bytes(OTHER.slice()), mode: 'authenticated', pageSize: 1024 } as const);
    await copyDatabase(given.options({ from: given.options({ file: from, key: given.bytes(KEY.slice()) }), to }));
    return checkDatabase({ file, key: OTHER });
  }),
  one('copyDatabase', async (given) => {
    const [from, file] = [await made(), fresh()];
    await copyDatabase({ from: { file: from, key: KEY }, to: given.options({ file }) });
    return readFileSync(file).subarray(0, 16);
  }),
  one('checkDatabase', async (given) =>
    checkDatabase(given.options({ file: await made(), key: given.bytes(KEY.slice()), mode: 'authenticated' } as const)),
  ),
  one('installEncryptedVFS', async (given) => {
    const name = `encrypted-${count++}`;
    // Files of the default VFS are Emscripten's, which reads options from a polluted prototype.
    const vfs = await installEncryptedVFS(
      sqlite3,
      given.options({ key: given.bytes(KEY.slice()), name, base: 'memdb' }),
    );
    const db = new sqlite3.oo1.DB({ filename: `/${name}.db`, vfs: name });
    try {
      return db.exec('create table t(a); insert into t values (5); select * from t', {
        returnValue: 'resultRows',
        rowMode: 'array',
      });
    } finally {
      db.close();
      vfs.destroy();
    }
  }),
  one(
    'Database.all',
    within(async (db, given) => {
      await db.all('insert into t values (?, ?)', [given.bytes(BLOB.slice()), 'a text']);
      return db.all('select * from t');
    }),
  ),
  one(
    'Database.values',
    within((db, given) => db.values('select ?, ?', [given.bytes(BLOB.slice()), 5])),
  ),
  one('Database.rekey', async (given) => {
    const file = fresh();
    const db = await openDatabase({ file, key: KEY });
    await db.all('create table t(a)');
    await db.rekey(given.bytes(OTHER.slice()));
    await db.close();
    const again = await openDatabase({ file, key: OTHER });
    const found = await again.values('select name from sqlite_schema');
    await again.close();
    return found;
  }),
  one('encryptedFileSystem', async (given) => {
    const folder = fresh();
    const options = given.options({ key: given.bytes(KEY.slice()), pageSize: 1024 });
    const files = await encryptedFileSystem(given.options({ fs: node, folder }), options);
    files.writeFile('/letter', BLOB);
    files.unmount();
    const again = await encryptedFileSystem({ fs: node, folder }, { key: KEY });
    const found = [again.readFile('/letter'), again.check()];
    again.unmount();
    return found;
  }),
  one('encryptedPGlite', async (given) => {
    const base = given.options({ fs: node, folder: fresh() });
    const { files } = await encryptedPGlite(base, given.options({ key: given.bytes(KEY.slice()), pageSize: 1024 }));
    files.writeFile('/letter', BLOB);
    const found = files.readFile('/letter');
    files.unmount();
    return found;
  }),
  one(
    'EncryptedFileSystem.writeFile',
    inFiles((files, given) => {
      files.writeFile('/letter', given.bytes(BLOB.slice()), given.options({ mode: 0o600 }));
      return [files.readFile('/letter'), files.lstat('/letter').mode];
    }),
  ),
  one(
    'EncryptedFileSystem.write',
    inFiles((files, given) => {
      const fd = files.open('/letter', 'w+');
      files.write(fd, given.bytes(BLOB.slice()), 0, BLOB.length, 5);
      files.close(fd);
      return files.readFile('/letter');
    }),
  ),
  one(
    'EncryptedFileSystem.read',
    inFiles((files, given) => {
      files.writeFile('/letter', BLOB);
      const into = given.out(new Uint8Array(BLOB.length));
      const fd = files.open('/letter');
      return [files.read(fd, into, 0, BLOB.length, 0), into];
    }),
  ),
  one(
    'EncryptedFileSystem.mkdir',
    inFiles((files, given) => {
      files.mkdir('/a/b', given.options({ recursive: true, mode: 0o700 }));
      return [files.readdir('/a'), files.lstat('/a/b').mode];
    }),
  ),
  one('EncryptedFileSystem.rekey', async (given) => {
    const folder = fresh();
    const files = await encryptedFileSystem({ fs: node, folder }, { key: KEY });
    files.writeFile('/letter', BLOB);
    await files.rekey(given.bytes(OTHER.slice()));
    files.unmount();
    const again = await encryptedFileSystem({ fs: node, folder }, { key: OTHER });
    const found = again.readdir('/');
    again.unmount();
    return found;
  }),
];
