/** Databases in files of Node: locks between processes, processes that are killed, and files that go-sqlite3 wrote. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { encryptVFS } from '../src/index.ts';
import { NodeVFS, openDatabase } from '../src/node.ts';
import { Connection, KEY, register } from './support.ts';

const folder = mkdtempSync(join(tmpdir(), 'lanewise-sqlite-test-'));
afterAll(() => rmSync(folder, { recursive: true }));
const encrypted = (mode: 'authenticated' | 'adiantum' = 'authenticated') =>
  register(encryptVFS(NodeVFS, { key: KEY, mode }));

const program = `
  import { readFileSync } from 'node:fs';
  import { Connection, KEY, register } from ${JSON.stringify(join(import.meta.dirname, 'support.ts'))};
  import { encryptVFS } from ${JSON.stringify(join(import.meta.dirname, '../src/index.ts'))};
  import { NodeVFS } from ${JSON.stringify(join(import.meta.dirname, '../src/node.ts'))};
  const vfs = register(encryptVFS(NodeVFS, { key: KEY }));
  const db = await Connection.open(vfs, process.argv[1]);
  const until = async (sql) => {
    for (;;)
      try { return await db.run(sql); } catch (error) {
        if (error.message !== 'database is locked') throw new Error(sql + ': ' + error.message + ', ' + error.code + ', ' + vfs.failure);
        await new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * 5));
      }
  };
`;
function start(path: string, text: string) {
  return spawn(process.execPath, ['--input-type=module', '--eval', program + text, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

test('four processes add to one counter, none of whose steps is lost', async () => {
  const path = join(folder, 'counter.db');
  const db = await Connection.open(encrypted(), path);
  await db.run('create table t(a); insert into t values (0)');
  const processes = Array.from({ length: 4 }, () =>
    start(
      path,
      "for (let i = 0; i < 25; i++) { await until('begin immediate'); await until('update t set a = a + 1'); await until('commit'); } await db.close();",
    ),
  );
  const ended = await Promise.all(processes.map(async (process) => (await once(process, 'exit'))[0] as unknown));
  expect(ended).toEqual([0, 0, 0, 0]);
  expect(await db.run('select a from t; pragma integrity_check')).toEqual([[100], ['ok']]);
  await db.close();
  expect(readdirSync(folder)).toEqual(['counter.db']);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a process that is killed in a transaction leaves the last commit, and no lock', async () => {
  const path = join(folder, 'killed.db');
  const other = start(
    path,
    "await db.run('create table t(a); insert into t values (1); pragma cache_size = 1; begin; update t set a = 2; create table u as with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000) select hex(randomblob(90)) from n'); console.log('here'); await new Promise(() => setInterval(() => {}, 1e6));",
  );
  await once(other.stdout, 'data');
  const vfs = encrypted();
  const db = await Connection.open(vfs, path);
  await expect(db.run('select a from t')).rejects.toThrow('database is locked');
  other.kill('SIGKILL');
  await once(other, 'exit');
  expect(existsSync(`${path}-journal`)).toBe(true);
  expect(await db.run('select a from t; pragma integrity_check')).toEqual([[1], ['ok']]);
  expect(existsSync(`${path}-journal`)).toBe(false);
  await db.close();
});

test('readers share, a writer waits for them, and a reader waits for a writer who is about to write', async () => {
  const path = join(folder, 'shared.db');
  const one = await Connection.open(encrypted(), path);
  const two = await Connection.open(encrypted(), path);
  const three = await Connection.open(encrypted(), path);
  await one.run('create table t(a); insert into t values (1)');
  await one.run('begin; select a from t');
  await two.run('begin; select a from t');
  await three.run('begin immediate; insert into t values (2)');
  await expect(three.run('commit')).rejects.toThrow('database is locked');
  await expect(two.run('insert into t values (3)')).rejects.toThrow('database is locked');
  await one.run('commit');
  await two.run('commit');
  await three.run('commit');
  expect(await one.run('select sum(a) from t')).toEqual([[3]]);
  for (const db of [one, two, three]) await db.close();
});

test('a missing file, a folder, a file that is no database', async () => {
  const vfs = encrypted();
  await expect(Connection.open(vfs, folder)).rejects.toThrow('unable to open database');
  await expect(Connection.open(vfs, join(folder, 'none', 'db'))).rejects.toThrow('unable to open database');
  const path = join(folder, 'text.db');
  writeFileSync(path, 'some text '.repeat(1000));
  await expect(Connection.open(vfs, path)).rejects.toThrow();
  expect(vfs.failure).toContain('of the mode authenticated, or its header is damaged');
  expect(readFileSync(path, 'utf8')).toBe('some text '.repeat(1000));
});

test('a database that go-sqlite3 wrote', async () => {
  // vectors/go-sqlite3.json says how it was made.
  const { key, database } = JSON.parse(readFileSync(join(import.meta.dirname, 'vectors/go-sqlite3.json'), 'utf8')) as {
    readonly key: string;
    readonly database: string;
  };
  const path = join(folder, 'go.db');
  writeFileSync(path, Buffer.from(database, 'base64'));
  const db = await Connection.open(
    register(encryptVFS(NodeVFS, { key: Uint8Array.from(Buffer.from(key, 'hex')), mode: 'adiantum' })),
    path,
  );
  expect(await db.run('select id, name from users order by id; pragma integrity_check')).toEqual([
    [1, 'Ada'],
    [2, 'Grace'],
    [3, 'Margaret'],
    ['ok'],
  ]);
  await db.close();
});

test('one call opens a database, whose errors say why', async () => {
  const file = join(folder, 'one.db');
  const costs = { logN: 10, r: 8, p: 1 };
  const db = await openDatabase({ file, key: 'five random words', costs });
  await db.all('create table t(id integer primary key, text, bytes blob)');
  await Promise.all(
    [1, 2, 3].map((id) => db.all('insert into t values (?, ?, ?)', [id, `note ${id}`, Uint8Array.of(id)])),
  );
  expect(await db.all('select * from t where id > ?', [1])).toEqual([
    { id: 2, text: 'note 2', bytes: Uint8Array.of(2) },
    { id: 3, text: 'note 3', bytes: Uint8Array.of(3) },
  ]);
  expect(await db.values('select a.id, b.id, b.bytes from t as a, t as b where a.id = 1 and b.id = ?', [3])).toEqual([
    [1, 3, Uint8Array.of(3)],
  ]);
  // @ts-expect-error -- a statement that was forgotten
  await expect(db.values()).rejects.toThrow('"sql" expected string, got type=undefined');
  // @ts-expect-error -- parameters that aren't in an array
  await expect(db.all('select ?', 5)).rejects.toThrow('"parameters" expected array, got type=number');
  await expect(db.all('select * from missing')).rejects.toThrow('no such table: missing');
  await db.rekey('other words');
  await db.close();
  await expect(db.all('select 1')).rejects.toThrow('cannot use a database after close()');
  await db.close();
  await expect(openDatabase({ file, key: 'five random words' })).rejects.toThrow(
    'wrong key, or the header of the database was changed',
  );
  const again = await openDatabase({ file, key: 'other words' });
  expect(await again.all('select count(*) as n from t')).toEqual([{ n: 3 }]);
  await again.close();
  const bytes = readFileSync(file);
  bytes[4096 + 200] ^= 1;
  writeFileSync(file, bytes);
  const damaged = await openDatabase({ file, key: 'other words' });
  await expect(damaged.all('select * from t')).rejects.toThrow("page 1 isn't authentic");
  await damaged.close();
  await expect(openDatabase({ file: '', key: 'x' })).rejects.toThrow('"file" expected a path, got length=0');
  // @ts-expect-error -- a misspelled option
  await expect(openDatabase({ file, key: 'x', pagesize: 1 })).rejects.toThrow(
    '"options" expected plain object { file, key, mode, pageSize, costs }, got { pagesize }',
  );
});
