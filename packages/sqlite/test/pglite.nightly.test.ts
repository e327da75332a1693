/** PGlite over encrypted files, in ZenFS and in Node. */
import { PGlite } from '@electric-sql/pglite';
import { configureSingle, fs as zen, InMemory } from '@zenfs/core';
import * as node from 'node:fs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { FileCalls } from '../src/files.ts';
import { encryptedPGlite } from '../src/pglite.ts';

const KEY = Uint8Array.from({ length: 32 }, (_, i) => 3 * i + 1);
const root = mkdtempSync(join(tmpdir(), 'lanewise-pglite-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
await configureSingle({ backend: InMemory });

const PIECES = ['marzipan', 'marmalade', 'pg_wal', 'PG_VERSION', 'postgresql.conf', 'pg_catalog'];

test.each([
  ['ZenFS', zen as unknown as FileCalls, '/data'],
  ['Node', node as FileCalls, join(root, 'data')],
] as const)(
  '%s: a database, opened again; nothing of it is readable, and a changed page is an error',
  async (_, fs, folder) => {
    const base = { fs, folder };
    const first = await encryptedPGlite(base, { key: KEY });
    const db = await PGlite.create({ fs: first });
    await db.exec('create table marmalade(id integer primary key, text text)');
    await db.query("insert into marmalade select i, 'marzipan ' || i from generate_series(1, 2000) i");
    await db.exec(
      'create index marmalade_text on marmalade(text); update marmalade set text = text || id where id % 3 = 0',
    );
    await db.transaction(async (its) => {
      await its.exec('delete from marmalade');
      await its.rollback();
    });
    await db.close();

    const names = fs.readdirSync(folder).map(String);
    expect(names.length).toBeGreaterThan(500);
    const found = new Set<string>();
    for (const name of names) {
      const fd = fs.openSync(`${folder}/${name}`, 'r');
      const bytes = Buffer.alloc(Number(fs.fstatSync(fd).size));
      fs.readSync(fd, bytes, 0, bytes.length, 0);
      fs.closeSync(fd);
      for (const piece of PIECES) if (bytes.includes(piece)) found.add(`${name}: ${piece}`);
    }
    expect([...found]).toEqual([]);

    await expect(encryptedPGlite(base, { key: new Uint8Array(32) })).rejects.toThrow(
      'wrong key, or the header of the file system was changed',
    );

    const second = await encryptedPGlite(base, { key: KEY });
    const again = await PGlite.create({ fs: second });
    const sum = await again.query('select count(*)::int as n, sum(length(text))::int as s from marmalade');
    const all = Array.from({ length: 2000 }, (_, i) => `marzipan ${i + 1}${(i + 1) % 3 === 0 ? i + 1 : ''}`).join('');
    expect(sum.rows).toEqual([{ n: 2000, s: all.length }]);
    const path = await again.query<{ path: string }>("select pg_relation_filepath('marmalade') as path");
    await again.exec('checkpoint');
    await again.close();

    // Every page of the table, each changed on its own.
    const third = await encryptedPGlite(base, { key: KEY });
    expect(third.files.check()).toEqual([]);
    const table = `/${path.rows[0].path}`;
    const { ino, size } = third.files.lstat(table);
    third.files.unmount();
    const pages = size / 8192;
    expect(pages).toBeGreaterThan(10);
    const fd = fs.openSync(`${folder}/${ino - 1}`, 'r+');
    const byte = new Uint8Array(1);
    for (let page = 0; page < pages; page++) {
      const at = 512 + page * 8232 + 4000;
      const flip = (): void => {
        fs.readSync(fd, byte, 0, 1, at);
        byte[0] ^= 4;
        fs.writeSync(fd, byte, 0, 1, at);
      };
      flip();
      const fourth = await encryptedPGlite(base, { key: KEY });
      const reason = `${table} isn't authentic: page ${page + 1} was changed, moved, or is of another file`;
      expect(fourth.files.check()).toEqual([`EIO: ${reason}`]);
      if (page === 1) {
        const broken = await PGlite.create({ fs: fourth });
        await expect(broken.query('select sum(length(text)) from marmalade')).rejects.toThrow(/could not read/);
        expect(fourth.failure).toContain("isn't authentic: page 2 was changed");
        await broken.close();
      } else fourth.files.unmount();
      flip();
    }
    fs.closeSync(fd);
  },
);

test('what was committed is there after a process that is killed', async () => {
  const base = { fs: node as FileCalls, folder: join(root, 'killed') };
  const db = await PGlite.create({ fs: await encryptedPGlite(base, { key: KEY }) });
  await db.exec("create table t(a text); insert into t values ('one')");
  await db.exec("insert into t values ('two')");
  // As they are without close(): a copy of the folder, without the lock of this process.
  const folder = join(root, 'copy');
  node.cpSync(base.folder, folder, { recursive: true, filter: (path) => !path.endsWith('-locks') });
  await db.close();
  const again = await PGlite.create({ fs: await encryptedPGlite({ ...base, folder }, { key: KEY }) });
  expect((await again.query('select * from t')).rows).toEqual([{ a: 'one' }, { a: 'two' }]);
  await again.close();
});
