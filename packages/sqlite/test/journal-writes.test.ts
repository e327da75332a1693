/** Blocks of a journal are written once where SQLite flushes it before pages change; where it doesn't, before each page that changes. */
import { MemoryVFS } from '@journeyapps/wa-sqlite/src/examples/MemoryVFS.js';
import { expect, test } from 'vitest';
import { encryptVFS, type BaseVFS } from '../src/index.ts';
import { Connection, KEY, register, type Registered } from './support.ts';

const Base = MemoryVFS as unknown as new (name: string, module: object) => BaseVFS;
let writes: string[] = [];
class Watched extends Base {
  override jWrite(file: number, bytes: Uint8Array, at: number): number | Promise<number> {
    writes.push((this as unknown as Registered).mapIdToFile.get(file)!.pathname);
    return super.jWrite(file, bytes, at);
  }
}

/** How many writes go to the journal while more pages change than the cache holds. */
async function journalWrites(mode: 'authenticated' | 'adiantum', synchronous: string): Promise<number> {
  const db = await Connection.open(register(encryptVFS(Watched, { key: KEY, mode })));
  await db.run(`pragma synchronous = ${synchronous}; create table t(a, b);
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 300) insert into t select i, zeroblob(3500) from n;
    pragma cache_size = 100`);
  writes = [];
  await db.run('update t set a = a + 1');
  await db.close();
  return writes.filter((path) => path.endsWith('-journal')).length;
}

test.each(['authenticated', 'adiantum'] as const)('%s', async (mode) => {
  const off = await journalWrites(mode, 'off');
  const full = await journalWrites(mode, 'full');
  expect(off).toBeGreaterThan(450);
  expect(full).toBeGreaterThan(300);
  expect(full).toBeLessThan(350);
});
