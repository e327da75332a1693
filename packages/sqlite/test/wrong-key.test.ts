/**
 * A wrong key changes no byte, whatever a program that died has left: SQLite removes a journal or a log that it takes for an empty one, and
 * with the log all transactions in it.
 */
import { expect, test } from 'vitest';
import { bytesOf, Connection, copyOf, memory, type Registered } from './support.ts';

type Files = Registered['mapNameToFile'];
type Mode = 'authenticated' | 'adiantum' | 'sqlite3mc';

const EXCLUSIVE = 'pragma locking_mode = exclusive';
const FILL = `create table t(a integer primary key, b blob);
  with recursive n(i) as (select 1 union all select i + 1 from n where i < 300) insert into t(b) select randomblob(i) from n`;
const CUT = 'pragma cache_size = 2; begin; update t set b = zeroblob(900)';
const SECTOR = 4096;

/** The files after some statements, as a process leaves them that is killed then. */
async function left(mode: Mode, ...statements: readonly string[]): Promise<Files[]> {
  const vfs = memory({ mode });
  const db = await Connection.open(vfs);
  const all: Files[] = [];
  for (const sql of statements) {
    await db.run(sql);
    all.push(copyOf(vfs));
  }
  await db.run('rollback').catch(() => undefined);
  await db.close();
  return all;
}

/** The files beside a database of 300 rows. */
const LEFT: Readonly<Record<string, (mode: Mode) => Promise<Files>>> = {
  nothing: async (mode) => (await left(mode, FILL))[0],
  'a journal': async (mode) => (await left(mode, `${FILL}; ${CUT}`))[0],
  'a journal that has lost its records': async (mode) => {
    const [before, after] = await left(mode, FILL, `pragma synchronous = off; ${CUT}`);
    return new Map([...before, ['/db-journal', { ...after.get('/db-journal')!, size: SECTOR }]]);
  },
  'a log': async (mode) => (await left(mode, `${EXCLUSIVE}; pragma journal_mode = wal; ${FILL}`))[0],
};
const MODES: readonly Mode[] = ['authenticated', 'adiantum', 'sqlite3mc'];

test.each(MODES.flatMap((mode) => Object.entries(LEFT).map(([name, make]) => [mode, name, make] as const)))(
  '%s: %s',
  async (mode, name, make) => {
    const files = await make(mode);
    expect([...files.keys()].filter((path) => path !== '/db')).toHaveLength(name === 'nothing' ? 0 : 1);
    const copy = copyOf({ mapNameToFile: files });
    const vfs = memory({ mode, key: new Uint8Array(32).fill(1) }, copy);
    const wrong = await Connection.open(vfs).catch(() => undefined);
    if (wrong) {
      await expect(wrong.run(EXCLUSIVE).then(() => wrong.run('select count(*) from t'))).rejects.toThrow(
        'not a database',
      );
      await wrong.close();
    }
    expect([...vfs.mapNameToFile.keys()]).toEqual([...files.keys()]);
    for (const [path, { data, size }] of files)
      expect(Buffer.from(bytesOf(vfs, path)).equals(Buffer.from(data, 0, size))).toBe(true);
    const right = await Connection.open(memory({ mode }, vfs.mapNameToFile));
    expect(await right.run(`${EXCLUSIVE}; select count(*) from t; pragma integrity_check`)).toEqual([
      ['exclusive'],
      [300],
      ['ok'],
    ]);
    await right.close();
  },
);
