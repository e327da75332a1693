/** No write of any file has a piece of plaintext: rows, schema, free pages, journals, logs, temporary and super-journals. */
import { MemoryVFS } from '@journeyapps/wa-sqlite/src/examples/MemoryVFS.js';
import { expect, test } from 'vitest';
import { encryptVFS, type BaseVFS } from '../src/index.ts';
import { Connection, KEY, register, type Registered } from './support.ts';

/** Pieces that SQLite writes as they are: of a row, a schema, an index, a header, the name in a super-journal. */
const PIECES = ['marzipan', 'marmalade', 'SQLite format', 'create ', 'CREATE '];
/** As long as the others: random bytes have shorter ones. */
const NAMES = ['-journal', '/other-mj'];

const kindOf = (path: string): string =>
  path.includes('-mj')
    ? 'super-journal'
    : path.endsWith('-journal')
      ? 'journal'
      : path.endsWith('-wal')
        ? 'log'
        : /^\/(db|other)$/.test(path)
          ? 'database'
          : 'temporary';

const WORK = `
  create table marmalade(a integer primary key, b text); create index marmalade_b on marmalade(b);
  attach '/other' as other; create table other.marmalade2(a, b text);
  with recursive n(i) as (select 1 union all select i + 1 from n where i < 700) insert into marmalade select i, 'marzipan ' || (i * 7919 % 700) from n;
  begin; update marmalade set b = b || '!'; insert into other.marmalade2 select * from marmalade; commit;
  pragma temp.cache_size = 2; create temp table marmalade3 as select * from marmalade order by b desc; insert into marmalade3 select a, b || hex(zeroblob(1000)) from marmalade; select count(*) from (select b from marmalade order by b || a limit -1 offset 10);
  begin; delete from marmalade where a % 2 = 0; rollback;
  drop table other.marmalade2; vacuum; pragma integrity_check`;

test.each([
  ['authenticated', 'delete', ['database', 'journal', 'super-journal', 'temporary']],
  ['authenticated', 'persist', ['database', 'journal', 'super-journal', 'temporary']],
  ['authenticated', 'wal', ['database', 'journal', 'log', 'temporary']],
  ['adiantum', 'delete', ['database', 'journal', 'super-journal', 'temporary']],
  ['adiantum', 'wal', ['database', 'journal', 'log', 'temporary']],
] as const)('%s, journal_mode = %s', async (mode, journal, kinds) => {
  const found: string[] = [];
  const written = new Set<string>();
  const Base = MemoryVFS as unknown as new (name: string, module: object) => BaseVFS;
  class Watched extends Base {
    override jWrite(file: number, bytes: Uint8Array, at: number): number | Promise<number> {
      const text = Buffer.from(bytes.subarray()).toString('latin1');
      const kind = kindOf((this as unknown as Registered).mapIdToFile.get(file)!.pathname);
      written.add(kind);
      // As with go-sqlite3, the names in super-journals of the mode adiantum are readable.
      const pieces = mode === 'adiantum' && kind === 'super-journal' ? PIECES : [...PIECES, ...NAMES];
      for (const piece of pieces) if (text.includes(piece)) found.push(`${kind}, ${at}: ${piece}`);
      return super.jWrite(file, bytes, at);
    }
  }
  const vfs = register(encryptVFS(Watched, { key: KEY, mode }));
  const db = await Connection.open(vfs);
  await db.run(`pragma locking_mode = ${journal === 'wal' ? 'exclusive' : 'normal'}; pragma journal_mode = ${journal};
    pragma cache_size = 2; pragma temp_store = file; ${WORK}`);
  await db.close();
  expect(found).toEqual([]);
  expect([...written].sort()).toEqual(expect.arrayContaining([...kinds]));
  // The watch finds what it looks for: a plain VFS writes all of it.
  const plain = register(Watched);
  const other = await Connection.open(plain);
  await other.run("create table marmalade(a); insert into marmalade values ('marzipan')");
  await other.close();
  expect(found.join()).toMatch(/database, 0: marmalade/);
});
