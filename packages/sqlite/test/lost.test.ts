/** A file that is taken away while its database is open: one error that says so, nothing hangs, and rows that were committed are there afterwards. */
import {
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { NodeVFS, openDatabase } from '../src/node.ts';
import { Connection, KEY, register } from './support.ts';

const folder = mkdtempSync(join(tmpdir(), 'lanewise-sqlite-lost-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The descriptor by which this process has a file open. */
function descriptorOf(path: string): number {
  const { ino } = statSync(path);
  for (let each = 3; each < 4096; each++)
    try {
      if (fstatSync(each).ino === ino) return each;
    } catch {
      // It isn't open.
    }
  throw new Error(`${path} isn't open`);
}

const FILL = `with recursive n(i) as (select 1 union all select i + 1 from n where i < 500)
  insert into t select 'a secret row ' || i from n`;
const SUM = "select count(*) as n, sum(a glob 'a secret row *') as s from t; pragma integrity_check";
const WHOLE = [{ n: 500, s: 500 }, { integrity_check: 'ok' }];

async function filled(name: string) {
  const file = join(folder, name);
  const db = await openDatabase({ file, key: KEY });
  await db.all('create table t(a)');
  await db.all(FILL);
  return { file, db };
}

async function again(file: string): Promise<unknown> {
  const db = await openDatabase({ file, key: KEY });
  try {
    return await db.all(SUM);
  } finally {
    await db.close();
  }
}

const CLOSED = /EBADF.*; close the database and open it again$/;

test('the descriptor is closed between two statements', async () => {
  const { file, db } = await filled('closed.db');
  closeSync(descriptorOf(file));
  for (const sql of ['select * from t', 'insert into t values (1)', 'begin immediate; delete from t', 'vacuum'])
    await expect(db.all(sql)).rejects.toThrow(CLOSED);
  await db.close();
  expect(await again(file)).toEqual(WHOLE);
});

test('the descriptor is closed in a transaction, of which pages were written', async () => {
  const { file, db } = await filled('midst.db');
  await db.all("pragma cache_size = 1; begin; update t set a = a || '!'");
  expect(existsSync(`${file}-journal`)).toBe(true);
  closeSync(descriptorOf(file));
  await expect(db.all("update t set a = a || '?'; commit")).rejects.toThrow(CLOSED);
  await expect(db.all('commit')).rejects.toThrow();
  await db.close();
  for (const name of [file, `${file}-journal`])
    if (existsSync(name)) expect(readFileSync(name, 'latin1')).not.toMatch(/secret row|SQLite format/);
  expect(await again(file)).toEqual(WHOLE);
  expect(existsSync(`${file}-journal`)).toBe(false);
});

test('the descriptor is closed, and that number is of another file now', async () => {
  const { file, db } = await filled('reused.db');
  const other = join(folder, 'other.txt');
  const text = 'not a database '.repeat(2000);
  writeFileSync(other, text);
  closeSync(descriptorOf(file));
  const handle = openSync(other, 'r+');
  for (const sql of ['select * from t', 'insert into t values (1)', 'begin immediate; delete from t; commit', 'vacuum'])
    await expect(db.all(sql)).rejects.toThrow();
  await db.close();
  // It wasn't closed with the database, and nothing was written there.
  expect(fstatSync(handle).size).toBe(text.length);
  closeSync(handle);
  expect(readFileSync(other, 'latin1')).toBe(text);
  expect(await again(file)).toEqual(WHOLE);
});

const GONE = /: .*was removed or replaced while it was open; close the database and open it again$/;

test('the file is removed', async () => {
  const { file, db } = await filled('removed.db');
  rmSync(file);
  expect(await db.all(SUM)).toEqual(WHOLE);
  for (const sql of ['insert into t values (1)', 'vacuum']) await expect(db.all(sql)).rejects.toThrow(GONE);
  expect(await db.all(SUM)).toEqual(WHOLE);
  await db.close();
  expect([existsSync(file), existsSync(`${file}-journal`)]).toEqual([false, false]);
  await expect(again(file)).rejects.toThrow('no such table: t');
});

test('the file is replaced', async () => {
  const { file, db } = await filled('replaced.db');
  const next = await openDatabase({ file: join(folder, 'next.db'), key: KEY });
  await next.all("create table t(a); insert into t values ('a secret row of another')");
  await next.close();
  copyFileSync(join(folder, 'next.db'), join(folder, 'next-copy.db'));
  renameSync(join(folder, 'next-copy.db'), file);
  await expect(db.all('insert into t values (1)')).rejects.toThrow(GONE);
  await expect(db.all('select gone')).rejects.toThrow(/^no such column: gone$/);
  await db.close();
  expect(readFileSync(file).equals(readFileSync(join(folder, 'next.db')))).toBe(true);
  expect(await again(file)).toEqual([{ n: 1, s: 1 }, { integrity_check: 'ok' }]);
});

test('a plain database has errors of SQLite, too', async () => {
  const path = join(folder, 'plain.db');
  const vfs = register(NodeVFS);
  const db = await Connection.open(vfs, path);
  await db.run('create table t(a); insert into t values (1)');
  closeSync(descriptorOf(path));
  await expect(db.run('select * from t')).rejects.toThrow('disk I/O error');
  await expect(db.run('insert into t values (2)')).rejects.toThrow('disk I/O error');
  await db.close();
  expect(vfs.lastError?.message).toMatch(CLOSED);
});
