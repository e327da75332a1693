/** A medium that is full: the statement fails, the database is as it was before, and goes on when there is space again. */
import { expect, test } from 'vitest';
import { MemoryVFS } from '@journeyapps/wa-sqlite/src/examples/MemoryVFS.js';
import { encryptVFS, type BaseVFS } from '../src/index.ts';
import { FULL, OK, OPEN_CREATE, OPEN_MAIN_DB, OPEN_MAIN_JOURNAL, OPEN_READWRITE } from '../src/codes.ts';
import { Connection, KEY, register } from './support.ts';

const Base = MemoryVFS as unknown as new (name: string, module: object) => BaseVFS;
let left = Infinity;

/** Files grow by so many bytes and no more. */
class Limited extends Base {
  override jWrite(file: number, bytes: Uint8Array, at: number): number | Promise<number> {
    const { mapIdToFile } = this as unknown as { mapIdToFile: Map<number, { size: number }> };
    const grown = Math.max(0, at + bytes.length - mapIdToFile.get(file)!.size);
    if (grown > left) return FULL;
    left -= grown;
    return super.jWrite(file, bytes, at);
  }
}

test.each(['plain', 'authenticated', 'adiantum', 'sqlite3mc'] as const)('%s', async (mode) => {
  for (let space = 0; space < 150_000; space += 7001) {
    left = Infinity;
    const vfs = register(mode === 'plain' ? Limited : encryptVFS(Limited, { key: KEY, mode }));
    const db = await Connection.open(vfs);
    await db.run('create table notes(id integer primary key, text)');
    await db.run(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000)
      insert into notes select i, 'note ' || i from n`);
    left = space;
    await expect(db.run('update notes set text = hex(randomblob(2000))')).rejects.toThrow('database or disk is full');
    const sum = "select count(*), sum(id), sum(text = 'note ' || id) from notes; pragma integrity_check";
    expect(await db.run(sum)).toEqual([[2000, 2001000, 2000], ['ok']]);
    left = Infinity;
    await db.run("update notes set text = text || '!'");
    expect(await db.run(sum)).toEqual([[2000, 2001000, 0], ['ok']]);
    await db.close();
  }
});

test('a journal whose last bytes find no space is closed all the same', () => {
  left = Infinity;
  const closed: number[] = [];
  class Closing extends Limited {
    override jClose(file: number): number | Promise<number> {
      closed.push(file);
      return super.jClose(file);
    }
  }
  const vfs = register(encryptVFS(Closing, { key: KEY })) as unknown as BaseVFS & { readonly failure?: string };
  const out = new DataView(new ArrayBuffer(4));
  const flags = OPEN_CREATE | OPEN_READWRITE;
  expect(vfs.jOpen('/full.db', 1, flags | OPEN_MAIN_DB, out)).toBe(OK);
  // The key of a journal is that of its database, which has a header when it has a page.
  expect(vfs.jOpen('/full.db-journal', 2, flags | OPEN_MAIN_JOURNAL, out)).toBe(OK);
  expect(vfs.jWrite(2, new Uint8Array(512), 0)).toBe(OK);
  // The block that is the last waits in memory.
  expect(vfs.jWrite(2, new Uint8Array(100), 8192)).toBe(OK);
  left = 0;
  expect(vfs.jClose(2)).toBe(FULL);
  expect(vfs.failure).toContain('cannot write');
  expect(closed).toEqual([2]);
  left = Infinity;
  expect(vfs.jClose(1)).toBe(OK);
});
