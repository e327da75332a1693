/** The calls of the VFS below: opening reads each byte once, and a journal grows without holes, which some VFS for IndexedDB don't know. */
import { MemoryVFS } from '@journeyapps/wa-sqlite/src/examples/MemoryVFS.js';
import { beforeEach, expect, test } from 'vitest';
import { encryptVFS, type BaseVFS } from '../src/index.ts';
import { Connection, KEY, register, type Registered } from './support.ts';

const Base = MemoryVFS as unknown as new (name: string, module: object) => BaseVFS;
let calls: string[] = [];
let ends = new Map<string, number>();
let holes: string[] = [];
class Watched extends Base {
  #note(call: string, file: number): void {
    calls.push(`${call} ${(this as unknown as Registered).mapIdToFile.get(file)!.pathname}`);
  }
  override jRead(file: number, into: Uint8Array, at: number): number | Promise<number> {
    this.#note(`read ${at}`, file);
    return super.jRead(file, into, at);
  }
  override jWrite(file: number, bytes: Uint8Array, at: number): number | Promise<number> {
    this.#note(`write ${at}`, file);
    const { pathname } = (this as unknown as Registered).mapIdToFile.get(file)!;
    const end = ends.get(pathname) ?? 0;
    if (at > end) holes.push(`${pathname}: ${end} to ${at}`);
    ends.set(pathname, Math.max(end, at + bytes.length));
    return super.jWrite(file, bytes, at);
  }
  override jTruncate(file: number, size: number): number | Promise<number> {
    ends.set((this as unknown as Registered).mapIdToFile.get(file)!.pathname, size);
    return super.jTruncate(file, size);
  }
  override jFileSize(file: number, size: DataView): number | Promise<number> {
    this.#note('size', file);
    return super.jFileSize(file, size);
  }
}
beforeEach(() => {
  calls = [];
  ends = new Map();
  holes = [];
});

test('authenticated: opening reads the header and the first page', async () => {
  const vfs = register(encryptVFS(Watched, { key: KEY }));
  const first = await Connection.open(vfs);
  await first.run('create table t(a)');
  await first.close();
  calls = [];
  const db = await Connection.open(vfs);
  expect(calls).toEqual(['read 0 /db', 'read 4096 /db']);
  await db.close();
});

test.each([
  ['authenticated', ['write 0', 'write 64', 'write 4208', 'write 8352', 'write 12496', 'write 64']],
  ['adiantum', ['write 0', 'write 4096', 'write 8192', 'write 12288', 'read 16384', 'read 0', 'write 0']],
] as const)('%s: a transaction of two pages', async (mode, expected) => {
  const db = await Connection.open(register(encryptVFS(Watched, { key: KEY, mode })));
  await db.run('create table t(a); insert into t values (1)');
  calls = [];
  await db.run('insert into t values (2)');
  await db.close();
  const ofJournal = calls.filter((call) => call.endsWith('-journal')).map((call) => call.split(' /')[0]);
  expect(ofJournal).toEqual(expected);
});

const journals = ['delete', 'persist', 'truncate', 'memory', 'wal'];
test.each(
  (['authenticated', 'adiantum'] as const).flatMap((mode) => journals.map((journal) => [mode, journal] as const)),
)('%s, journal_mode %s: no file has a hole while it grows', async (mode, journal) => {
  const db = await Connection.open(register(encryptVFS(Watched, { key: KEY, mode })));
  await db.run(`pragma locking_mode = exclusive; pragma journal_mode = ${journal}; pragma cache_size = 5`);
  await db.run('create table t(a)');
  const numbers = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 200)';
  for (const change of [
    `insert into t ${numbers} select randomblob(3000) from n`,
    'update t set a = randomblob(2500)',
    'delete from t where rowid % 3 = 0',
  ])
    await db.run(`begin; ${change}; commit`);
  await db.run('begin; delete from t; rollback');
  await db.close();
  expect(calls.length).toBeGreaterThan(500);
  expect(holes).toEqual([]);
});
