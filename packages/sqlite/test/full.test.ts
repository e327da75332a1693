/** A medium that is full: the statement fails, the database is as it was before, and goes on when there is space again. */
import { expect, test } from 'vitest';
import { MemoryVFS } from '@journeyapps/wa-sqlite/src/examples/MemoryVFS.js';
import { encryptVFS, type BaseVFS } from '../src/index.ts';
import { FULL } from '../src/codes.ts';
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
