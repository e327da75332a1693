/**
 * Files of SQLite3MultipleCiphers' cipher chacha20, both ways, with its native build in the package `apsw-sqlite3mc` of PyPI. It is installed
 * into a virtual environment beside the other tools, the first time that this runs.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { encryptVFS } from '../src/index.ts';
import { NodeVFS } from '../src/node.ts';
import { Connection, KEY, register } from './support.ts';

const VERSION = '3.54.0.0';
const home = join(import.meta.dirname, '../../.cache', `apsw-sqlite3mc-${VERSION}`);
const python = join(home, 'bin', 'python');

/** Installs the package. Returns why it can't be had. */
function installed(): string | undefined {
  const done = (program: string, ...args: readonly string[]): string | undefined => {
    const { error, status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
    return error ? `${program}: ${error.message}` : status === 0 ? undefined : stderr.slice(-300);
  };
  const works = (): string | undefined => done(python, '-c', 'import apsw');
  if (existsSync(python) && works() === undefined) return undefined;
  return (
    done('python3', '-m', 'venv', home) ??
    done(python, '-m', 'pip', 'install', '--quiet', `apsw-sqlite3mc==${VERSION}`) ??
    works()
  );
}
const reason = installed();
if (reason) console.log(`skipped: ${reason}`);

const folder = mkdtempSync(join(tmpdir(), 'lanewise-sqlite-apsw-'));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;
const fresh = (): string => join(folder, `${count++}.db`);

const PROGRAM = `
import apsw, os, sys
path, key, sql, leave = sys.argv[1:]
db = apsw.Connection(path)
db.execute("pragma cipher = 'chacha20'")
db.execute("pragma key = " + key)
print(",".join(str(row[0]) for row in db.execute(sql)))
if leave:
    sys.stdout.flush()
    os._exit(0)
db.close()
`;
/** Runs statements in the native build, which then ends without closing the database if it is to leave it. Returns the first column of all rows. */
function native(path: string, key: string, sql: string, leave = ''): string {
  const { status, stdout, stderr } = spawnSync(python, ['-c', PROGRAM, path, key, sql, leave], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return stdout.trim();
}

/** Runs statements here, and `work` before the database is closed. */
async function ours(
  path: string,
  key: Uint8Array | string,
  sql: string,
  { pageSize = 4096, work }: { readonly pageSize?: number; readonly work?: () => void } = {},
): Promise<string> {
  const db = await Connection.open(register(encryptVFS(NodeVFS, { key, mode: 'sqlite3mc', pageSize })), path);
  const rows = await db.run(sql);
  work?.();
  await db.close();
  return rows.map(([first]) => String(first)).join();
}

const RAW = `"x'${Buffer.from(KEY).toString('hex')}'"`;
const FILL = `create table if not exists t(a integer primary key, b blob);
  with recursive n(i) as (select 1 union all select i + 1 from n where i < 300) insert into t(b) select zeroblob(i) from n`;
const ALL = 'select count(*) from t; select sum(length(b)) from t; pragma integrity_check';

test.skipIf(reason).each([512, 4096, 65_536])('pages of %i bytes, there and back, with VACUUM', async (size) => {
  const [theirs, mine] = [fresh(), fresh()];
  native(theirs, RAW, `pragma page_size = ${size}; ${FILL}`);
  expect(await ours(theirs, KEY, `pragma page_size; ${ALL}`)).toBe(`${size},300,45150,ok`);
  await ours(theirs, KEY, 'delete from t where a > 100; vacuum');
  expect(native(theirs, RAW, ALL)).toBe('100,5050,ok');

  await ours(mine, KEY, FILL, { pageSize: size });
  expect(native(mine, RAW, `pragma page_size; ${ALL}`)).toBe(`${size},300,45150,ok`);
  native(mine, RAW, 'delete from t where a > 100; vacuum');
  expect(await ours(mine, KEY, ALL)).toBe('100,5050,ok');
});

test.skipIf(reason)('a passphrase, there and back', async () => {
  const [theirs, mine] = [fresh(), fresh()];
  native(theirs, "'correct horse'", FILL);
  expect(await ours(theirs, 'correct horse', ALL)).toBe('300,45150,ok');
  await ours(mine, 'correct horse', FILL);
  expect(native(mine, "'correct horse'", ALL)).toBe('300,45150,ok');
});

test.skipIf(reason)('a write-ahead log that was left, there and back', async () => {
  const WAL = 'pragma locking_mode = exclusive; pragma journal_mode = wal; pragma wal_autocheckpoint = 0';
  const [theirs, mine, left] = [fresh(), fresh(), fresh()];
  native(theirs, RAW, `${WAL}; ${FILL}; update t set b = zeroblob(10) where a > 200`, 'leave');
  expect(statSync(`${theirs}-wal`).size).toBeGreaterThan(50_000);
  const changed = '300,21100,ok';
  expect(await ours(theirs, KEY, `pragma locking_mode = exclusive; ${ALL}`)).toBe(`exclusive,${changed}`);
  expect(native(theirs, RAW, ALL)).toBe(changed);

  await ours(mine, KEY, `${WAL}; ${FILL}; update t set b = zeroblob(10) where a > 200`, {
    work() {
      for (const suffix of ['', '-wal']) copyFileSync(mine + suffix, left + suffix);
    },
  });
  expect(native(left, RAW, `pragma locking_mode = exclusive; ${ALL}`)).toBe(`exclusive,${changed}`);
});
