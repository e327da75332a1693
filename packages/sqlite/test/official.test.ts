/** The official build of SQLite for WebAssembly, in Node: its default VFS, encrypted; wa-sqlite reads the same bytes. */
import sqlite3InitModule from '@sqlite.org/sqlite-wasm';
import { createBox, createKeyring } from 'lanewise/box.js';
import { expect, test } from 'vitest';
import { installEncryptedVFS, type InstallOptions } from '../src/official.ts';
import { Connection, KEY, memory } from './support.ts';

const sqlite3 = await sqlite3InitModule();
let count = 0;
const install = async (options: Partial<InstallOptions> = {}) => {
  const name = `encrypted-${count++}`;
  return { name, vfs: await installEncryptedVFS(sqlite3, { key: KEY, name, ...options }) };
};
const rows = (db: InstanceType<typeof sqlite3.oo1.DB>, sql: string): unknown[] =>
  db.exec(sql, { returnValue: 'resultRows', rowMode: 'array' });

/** The bytes of a file, by the plain VFS. */
function fileOf(name: string): Uint8Array<ArrayBuffer> {
  const { capi, wasm } = sqlite3 as unknown as {
    capi: Record<string, new (address: number) => Record<string, number> & { pointer: number }> & {
      sqlite3_vfs_find(name: null): number;
    };
    wasm: {
      alloc(bytes: number): number;
      allocCString(text: string): number;
      heap8u(): Uint8Array;
      functionEntry(address: number): (...values: unknown[]) => number;
    };
  };
  const vfs = new capi['sqlite3_vfs'](capi.sqlite3_vfs_find(null));
  const file = wasm.alloc(vfs['$szOsFile']);
  const out = wasm.alloc(8);
  expect(wasm.functionEntry(vfs['$xOpen'])(vfs.pointer, wasm.allocCString(name), file, 0x101, out)).toBe(0);
  const io = new capi['sqlite3_io_methods'](new capi['sqlite3_file'](file)['$pMethods']);
  wasm.functionEntry(io['$xFileSize'])(file, out);
  const size = new DataView(wasm.heap8u().buffer).getUint32(out, true);
  const into = wasm.alloc(size);
  expect(wasm.functionEntry(io['$xRead'])(file, into, size, 0n)).toBe(0);
  wasm.functionEntry(io['$xClose'])(file);
  return Uint8Array.from(wasm.heap8u().subarray(into, into + size));
}

const FILL = `create table t(a integer primary key, b text); create index i on t(b);
  with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000) insert into t select i, 'secret text ' || i from n`;

test.each(['authenticated', 'adiantum', 'sqlite3mc'] as const)('%s: the same file as by wa-sqlite', async (mode) => {
  const { name } = await install({ mode });
  const path = `/${mode}.db`;
  const db = new sqlite3.oo1.DB({ filename: path, vfs: name });
  db.exec(
    `pragma cache_size = 10; ${FILL}; begin; update t set b = b || '!'; rollback; delete from t where a % 2 = 0; vacuum`,
  );
  expect(rows(db, 'select count(*) from t; pragma integrity_check')).toEqual([[1000]]);
  expect(rows(db, 'pragma integrity_check')).toEqual([['ok']]);
  db.exec('create temp table u as select * from t order by b desc');
  db.close();
  const again = new sqlite3.oo1.DB({ filename: path, vfs: name });
  expect(rows(again, "select count(*) from t where b glob 'secret text *'")).toEqual([[1000]]);
  again.close();
  const data = fileOf(path);
  expect(Buffer.from(data).includes('secret text')).toBe(false);
  const other = memory(
    { mode },
    new Map([['/db', { size: data.length, data: data.buffer, pathname: '/db', flags: 0x106 }]]),
  );
  const theirs = await Connection.open(other);
  expect(await theirs.run('select count(*) from t; pragma integrity_check')).toEqual([[1000], ['ok']]);
  await theirs.close();
});

test('a write-ahead log, another key, a wrong key', async () => {
  const { name, vfs } = await install();
  const db = new sqlite3.oo1.DB({ filename: '/log.db', vfs: name });
  db.exec('pragma locking_mode = exclusive; pragma journal_mode = wal; create table t(a); insert into t values (1)');
  expect(rows(db, 'pragma journal_mode')).toEqual([['wal']]);
  const box = createBox(createKeyring());
  void vfs.rekey('/log.db', box);
  db.close();
  const wrong = await install();
  expect(() => new sqlite3.oo1.DB({ filename: '/log.db', vfs: wrong.name })).toThrow('NOTADB');
  expect(wrong.vfs.failure).toBe('this database has a box; "key" is a key of 32 bytes');
  const right = await install({ key: box });
  const again = new sqlite3.oo1.DB({ filename: '/log.db', vfs: right.name });
  again.exec('pragma locking_mode = exclusive');
  expect(rows(again, 'select a from t')).toEqual([[1]]);
  again.close();
  right.vfs.destroy();
  expect(() => new sqlite3.oo1.DB({ filename: '/log.db', vfs: right.name })).toThrow('CANTOPEN');
});

test.each([
  [{}, { key: KEY }, '"sqlite3" expected the object that sqlite3InitModule()'],
  [null, { key: KEY }, '"sqlite3" expected the object that sqlite3InitModule()'],
  [
    sqlite3,
    undefined,
    '"options" expected plain object { name, base, key, mode, pageSize, costs }, got type=undefined',
  ],
  [
    sqlite3,
    { key: KEY, names: 'x' },
    '"options" expected plain object { name, base, key, mode, pageSize, costs }, got { names }',
  ],
  [sqlite3, { key: KEY, name: 5 }, '"name" expected a name, got type=number'],
  [sqlite3, { key: KEY, base: '' }, '"base" expected a name, got length=0'],
  [
    sqlite3,
    { key: KEY, base: 'none' },
    'there is no VFS "none": install it before; if OPFS refuses, close the tab that has its files',
  ],
  [sqlite3, { key: KEY, name: 'memdb' }, 'there is a VFS "memdb" already'],
])('calls that are wrong: %#', async (build, options, message) => {
  await expect(installEncryptedVFS(build as never, options as never)).rejects.toThrow(message);
});
