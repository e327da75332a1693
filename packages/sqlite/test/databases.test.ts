/** Databases of every page size and mode, with everything that SQLite does to files. Nothing readable is on the medium. */
import { describe, expect, test } from 'vitest';
import { MemoryVFS } from '@journeyapps/wa-sqlite/src/examples/MemoryVFS.js';
import { encryptVFS, type BaseVFS } from '../src/index.ts';
import { bytesOf, Connection, copyOf, KEY, memory, module, register, sqlite3, type Registered } from './support.ts';

const SECRET = 'a row that only its owner reads';
const FILL = `with recursive n(i) as (select 1 union all select i + 1 from n where i < 400)
  insert into t select i, '${SECRET} ' || i, zeroblob(i % 97) || randomblob(50) from n`;

/** Fails if a file holds a text of the database. */
function expectSecret(vfs: Registered): void {
  for (const name of vfs.mapNameToFile.keys()) {
    const bytes = Buffer.from(bytesOf(vfs, name));
    for (const text of [SECRET, 'SQLite format', 'CREATE TABLE', 'create table', '/db-journal'])
      expect(bytes.includes(text), `${name} holds ${text}`).toBe(false);
  }
}

const sizes = [1024, 4096, 8192, 65_536];
describe.each(['authenticated', 'adiantum'] as const)('%s', (mode) => {
  test.each(mode === 'adiantum' ? [512, ...sizes] : sizes)('pages of %i bytes', async (pageSize) => {
    const vfs = memory({ mode, ...(mode === 'authenticated' ? { pageSize } : {}) });
    const db = await Connection.open(vfs);
    if (mode === 'adiantum') await db.run(`pragma page_size = ${pageSize}`);
    await db.run('create table t(a integer primary key, b text, c blob); create index i on t(b)');
    expect(await db.run('pragma page_size')).toEqual([[pageSize]]);
    await db.run('begin');
    await db.run(FILL);
    await db.run('commit; begin');
    // The journal has pages of the database, and the database pages that aren't committed.
    await db.run('pragma cache_size = 2; update t set b = b || b');
    expect(vfs.mapNameToFile.has('/db-journal')).toBe(true);
    expectSecret(vfs);
    await db.run('rollback');
    expect(await db.run('select count(*), min(b) from t')).toEqual([[400, `${SECRET} 1`]]);
    await db.run('delete from t where a % 3 = 0; vacuum');
    expect(await db.run('pragma integrity_check')).toEqual([['ok']]);
    expectSecret(vfs);
    await db.close();

    const again = await Connection.open(memory({ mode }, copyOf(vfs)));
    expect(await again.run('select count(*) from t')).toEqual([[267]]);
    await again.close();
  });

  test('a write-ahead log, temporary files, savepoints, two databases in one transaction', async () => {
    const vfs = memory({ mode });
    const db = await Connection.open(vfs);
    await db.run('create table t(a integer primary key, b text, c blob)');
    await db.run('pragma locking_mode = exclusive');
    expect(await db.run('pragma journal_mode = wal')).toEqual([['wal']]);
    await db.run(FILL);
    expect(bytesOf(vfs, '/db-wal').length).toBeGreaterThan(20_000);
    expectSecret(vfs);
    // As after a kill: the log is there, and is read.
    const killed = memory({ mode }, copyOf(vfs));
    const after = await Connection.open(killed);
    await after.run('pragma locking_mode = exclusive');
    expect(await after.run('select count(*) from t')).toEqual([[400]]);
    await after.close();
    await db.run(
      'pragma wal_checkpoint(truncate); pragma journal_mode = delete; pragma locking_mode = normal; select count(*) from t',
    );

    await db.run("attach '/other' as o; create table o.u as select * from t");
    await db.run(
      'pragma temp_store = file; create temp table v as select * from t; savepoint s; delete from t; rollback to s; release s',
    );
    expectSecret(vfs);
    await db.run('begin; update t set b = 1; update o.u set b = 1; commit');
    expect(await db.run('select count(*) from t natural join o.u')).toEqual([[400]]);
    expect([...vfs.mapNameToFile.keys()].filter((name) => name.includes('-'))).toEqual([]);
    expect(await db.run('pragma main.integrity_check; pragma o.integrity_check')).toEqual([['ok'], ['ok']]);
    await db.close();
  });

  test('a commit of two databases that was cut off is rolled back in both', async () => {
    const vfs = memory({ mode });
    const db = await Connection.open(vfs);
    await db.run(
      "attach '/other' as o; create table t(a); create table o.u(a); insert into t values (1); insert into u values (1)",
    );
    await db.run('pragma cache_size = 1; pragma o.cache_size = 1; begin; update t set a = 2; update u set a = 2');
    const files = copyOf(vfs);
    await db.run('rollback');
    await db.close();
    const again = await Connection.open(memory({ mode }, files));
    await again.run("attach '/other' as o");
    expect(await again.run('select t.a, u.a from t, u')).toEqual([[1, 1]]);
    await again.close();
  });

  test('a journal that persists, and one that is truncated', async () => {
    const vfs = memory({ mode });
    const db = await Connection.open(vfs);
    for (const journal of ['persist', 'truncate', 'memory', 'off']) {
      await db.run(
        `pragma journal_mode = ${journal}; create table if not exists t(a); insert into t values (1); insert into t values (2)`,
      );
      await db.run('begin; insert into t values (3)');
      if (journal !== 'off') await db.run('rollback');
      else await db.run('commit');
    }
    expect(await db.run('select count(*), sum(a) from t; pragma integrity_check')).toEqual([[9, 15], ['ok']]);
    await db.close();
  });
});

test('create() makes an encrypted VFS, though that of the base makes one of the base', async () => {
  const Encrypted = encryptVFS(MemoryVFS, { key: KEY });
  const vfs = (await Encrypted.create('created', module)) as InstanceType<typeof Encrypted> & Registered;
  expect(vfs).toBeInstanceOf(Encrypted);
  sqlite3.vfs_register(vfs, false);
  const db = await Connection.open(vfs);
  await db.run(`create table t(a integer primary key, b text, c blob); ${FILL}`);
  await db.close();
  expect(bytesOf(vfs, '/db').length).toBeGreaterThan(20_000);
  expectSecret(vfs);
});

test('a passphrase, and another one from then on', async () => {
  const costs = { logN: 10, r: 8, p: 1 };
  const vfs = memory({ key: 'correct horse', costs });
  const db = await Connection.open(vfs);
  await db.run('create table t(a); insert into t values (5)');
  await vfs.rekey('/db', 'battery staple');
  await db.run('insert into t values (6)');
  await db.close();
  const again = await Connection.open(memory({ key: 'battery staple' }, copyOf(vfs)));
  expect(await again.run('select sum(a) from t')).toEqual([[11]]);
  await again.close();
  for (const key of ['correct horse', KEY]) {
    const other = memory({ key }, copyOf(vfs));
    await expect(Connection.open(other)).rejects.toThrow();
    expect(other.failure).toBe(
      typeof key === 'string'
        ? 'wrong key, or the header of the database was changed'
        : 'this database has a passphrase; "key" is a key of 32 bytes',
    );
  }
});

test('two connections of which each finds an empty file use one database', async () => {
  const vfs = memory();
  const [one, two] = [await Connection.open(vfs), await Connection.open(vfs)];
  expect(await two.run('select count(*) from sqlite_schema')).toEqual([[0]]);
  await one.run('create table t(a); insert into t values (1)');
  expect(await two.run('select a from t')).toEqual([[1]]);
  await two.run('insert into t values (2)');
  expect(await one.run('select sum(a) from t')).toEqual([[3]]);
  await one.close();
  await two.close();
});

test('another page size of an existing database is an error, and VACUUM INTO makes one', async () => {
  const vfs = memory();
  const db = await Connection.open(vfs);
  await db.run('create table t(a integer primary key, b text, c blob)');
  await db.run(FILL);
  await db.run('pragma page_size = 8192');
  await expect(db.run('vacuum')).rejects.toThrow('disk I/O error');
  expect(vfs.failure).toContain('use VACUUM INTO');
  await db.close();
  const again = await Connection.open(memory({}, copyOf(vfs)));
  expect(await again.run('pragma page_size; select count(*) from t; pragma integrity_check')).toEqual([
    [4096],
    [400],
    ['ok'],
  ]);
  await again.close();
  const source = await Connection.open(vfs);
  await source.run("vacuum into '/copy'");
  await source.close();
  const copy = await Connection.open(vfs, '/copy');
  expect(await copy.run('select count(*) from t')).toEqual([[400]]);
  await copy.close();
});

test('a small transaction reads nothing of its journal', async () => {
  const Base = MemoryVFS as unknown as new (name: string, module: object) => BaseVFS;
  const reads: string[] = [];
  class Counted extends Base {
    override jRead(file: number, into: Uint8Array, at: number): number | Promise<number> {
      reads.push((this as unknown as Registered).mapIdToFile.get(file)!.pathname);
      return super.jRead(file, into, at);
    }
  }
  const vfs = register(encryptVFS(Counted, { key: KEY }));
  const db = await Connection.open(vfs);
  await db.run('create table t(a); insert into t values (1)');
  for (const mode of ['delete', 'truncate']) {
    await db.run(`pragma journal_mode = ${mode}; insert into t values (2)`);
    reads.length = 0;
    await db.run('insert into t values (3)');
    expect(reads.filter((path) => path !== '/db')).toEqual([]);
  }
  await db.close();
});

describe.each(['authenticated', 'adiantum', 'sqlite3mc'] as const)('a VFS of the mode %s that is destroyed', (mode) => {
  test.each<readonly [string, string | Uint8Array]>([
    ['a key', KEY],
    ...(mode === 'adiantum' ? [] : [['a passphrase', 'correct horse'] as const]),
  ])('goes on under %s with the database that is open, and opens no other', async (_, key) => {
    const options = mode === 'authenticated' && typeof key === 'string' ? { costs: { logN: 1, r: 8, p: 1 } } : {};
    const vfs = memory({ mode, key, ...options });
    const db = await Connection.open(vfs);
    await db.run('pragma journal_mode = memory; select * from sqlite_schema');
    (vfs as unknown as { destroy(): void }).destroy();
    await db.run('create table t(a); insert into t values (5)');
    // A journal is another file.
    await expect(db.run('pragma journal_mode = delete; insert into t values (6)')).rejects.toThrow('unable to open');
    expect(vfs.failure).toBe('cannot use a key after destroy()');
    await db.close();

    const again = await Connection.open(memory({ mode, key }, copyOf(vfs)));
    expect(await again.run('select a from t')).toEqual([[5]]);
    await again.close();
    // The wiped key.
    const zeros = typeof key === 'string' ? '\0'.repeat(key.length) : new Uint8Array(32);
    const reading = Connection.open(memory({ mode, key: zeros }, copyOf(vfs))).then((one) =>
      one.run('select * from t'),
    );
    await expect(reading).rejects.toThrow('not a database');
  });
});
