/** The first page is decrypted again only if the medium has other bytes: a change of any of them is an error. */
import { expect, test } from 'vitest';
import { KnownPage } from '../src/files/known-page.ts';
import { bytesOf, Connection, copyOf, memory } from './support.ts';

test('a page is known by all of its bytes', () => {
  const stored = Uint8Array.from({ length: 1024 }, (_, i) => i % 251);
  const page = Uint8Array.from({ length: 1024 }, (_, i) => (7 * i) % 253);
  const known = new KnownPage(new Uint8Array(2048));
  expect([known.has(stored), known.has(new Uint8Array(1024))]).toEqual([false, false]);
  known.keep(stored, page);
  expect(known.page).toEqual(page);
  expect(known.has(stored.slice())).toBe(true);
  for (let at = 0; at < 1024; at++) expect(known.has(stored.with(at, stored[at] ^ 1))).toBe(false);
  known.destroy();
  expect(known.has(stored)).toBe(false);
  expect(known.page.some((byte) => byte !== 0)).toBe(false);
});

const PAGE = 4096;
const HEADER = 4096;

test('a first page that is changed while the database is open', async () => {
  const vfs = memory();
  const db = await Connection.open(vfs);
  await db.run('create table t(a)');
  await db.run('insert into t values (1)');
  const count = 'select count(*) from t';
  expect(await db.run(count)).toEqual([[1]]);
  for (const at of [0, 1, 24, 2000, PAGE - 41, PAGE - 40, PAGE - 17, PAGE - 16, PAGE - 1]) {
    bytesOf(vfs, '/db')[HEADER + at] ^= 0x10;
    await expect(db.run(count)).rejects.toThrow();
    expect(vfs.failure).toMatch("page 1 isn't authentic");
    bytesOf(vfs, '/db')[HEADER + at] ^= 0x10;
    expect(await db.run(count)).toEqual([[1]]);
  }
  await db.close();
});

test.each(['authenticated', 'adiantum', 'sqlite3mc'] as const)(
  '%s: another connection is noticed by the first page',
  async (mode) => {
    const vfs = memory({ mode });
    const db = await Connection.open(vfs);
    await db.run('create table t(a)');
    const before = copyOf(vfs).get('/db')!;
    await db.run('insert into t values (1)');
    const after = copyOf(vfs).get('/db')!;
    for (const [file, count] of [
      [before, 0],
      [after, 1],
      [before, 0],
    ] as const) {
      // prettier-ignore
      bytesOf(vfs, '/db').set(new Uint8Array(file.data, 0, file.size));
      expect(await db.run('select count(*) from t')).toEqual([[count]]);
    }
    await db.close();
  },
);
