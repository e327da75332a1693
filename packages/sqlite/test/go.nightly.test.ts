/** go-sqlite3 reads and writes the databases of this package, and the other way round. It is built from the module proxy where Go is here. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { encryptVFS } from '../src/index.ts';
import { NodeVFS } from '../src/node.ts';
import { Connection, KEY, register } from './support.ts';

const folder = mkdtempSync(join(tmpdir(), 'lanewise-sqlite-go-'));
afterAll(() => rmSync(folder, { recursive: true }));
const binary = join(folder, 'go-sqlite3');
const built = spawnSync('go', ['build', '-o', binary, '.'], { cwd: join(import.meta.dirname, 'go'), encoding: 'utf8' });
const reason = built.error ? 'Go is not here' : built.status === 0 ? undefined : built.stderr.slice(0, 300);
if (reason) console.log(`skipped: ${reason}`);

const HEX = Buffer.from(KEY).toString('hex');
let count = 0;
const fresh = (): string => join(folder, `${count++}.db`);

/** Runs statements in go-sqlite3. Returns the first column of all rows. */
function go(path: string, sql: string, verb: 'run' | 'leave' = 'run'): string {
  const { status, stdout, stderr } = spawnSync(binary, [verb, path, HEX, sql], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return stdout.trim().split('\n').join();
}

/** Runs statements here, and `work` before the database is closed. */
async function ours(path: string, sql: string, work?: () => void): Promise<string> {
  const db = await Connection.open(register(encryptVFS(NodeVFS, { key: KEY, mode: 'adiantum' })), path);
  const rows = await db.run(sql);
  work?.();
  await db.close();
  return rows.map(([first]) => String(first)).join();
}

const FILL = `create table t(a integer primary key, b); with recursive n(i) as (select 1 union all select i + 1 from n where i < 600)
  insert into t select i, hex(zeroblob(i % 300)) || i from n`;
const ALL = 'select sum(a) from t; select sum(length(b)) from t; pragma integrity_check';
const lengths = (to: number): number =>
  Array.from({ length: to }, (_, i) => 2 * ((i + 1) % 300) + String(i + 1).length).reduce((a, b) => a + b);
const WHOLE = `180300,${lengths(600)},ok`;

test.skipIf(reason).each([512, 65_536])('pages of %i bytes, there and back, with VACUUM', async (size) => {
  const [theirs, mine] = [fresh(), fresh()];
  go(theirs, `pragma page_size = ${size}; ${FILL}`);
  expect(await ours(theirs, `pragma page_size; ${ALL}`)).toBe(`${size},${WHOLE}`);
  await ours(theirs, 'delete from t where a > 300; vacuum; delete from t where a = 300');
  expect(go(theirs, ALL)).toBe(`44850,${lengths(299)},ok`);

  await ours(mine, `pragma page_size = ${size}; ${FILL}`);
  expect(go(mine, `pragma page_size; ${ALL}`)).toBe(`${size},${WHOLE}`);
  go(mine, 'delete from t where a > 300; vacuum; delete from t where a = 300');
  expect(await ours(mine, ALL)).toBe(`44850,${lengths(299)},ok`);
});

test.skipIf(reason)('a write-ahead log that was left, there and back', async () => {
  const WAL = 'pragma locking_mode = exclusive; pragma journal_mode = wal; pragma wal_autocheckpoint = 0';
  const [theirs, mine, left] = [fresh(), fresh(), fresh()];
  go(theirs, `${WAL}; ${FILL}; update t set a = a + 1000 where a > 500`, 'leave');
  expect(statSync(`${theirs}-wal`).size).toBeGreaterThan(50_000);
  const changed = `280300,${lengths(600)},ok`;
  expect(await ours(theirs, `pragma locking_mode = exclusive; ${ALL}`)).toBe(`exclusive,${changed}`);
  expect(go(theirs, ALL)).toBe(changed);

  await ours(mine, `${WAL}; ${FILL}; update t set a = a + 1000 where a > 500`, () => {
    for (const suffix of ['', '-wal']) copyFileSync(mine + suffix, left + suffix);
  });
  expect(statSync(`${left}-wal`).size).toBeGreaterThan(50_000);
  expect(go(left, `pragma locking_mode = exclusive; ${ALL}`)).toBe(`exclusive,${changed}`);
});

test.skipIf(reason)('a second database that is attached, written in one transaction, there and back', async () => {
  const [one, two] = [fresh(), fresh()];
  const both = 'begin; insert into t values (1000, zeroblob(10)); insert into two.u values (1000); commit';
  const sums = 'select sum(a) from t; select sum(a) from two.u; pragma integrity_check';
  const inGo = (path: string): string => `attach 'file:${path}?vfs=adiantum&hexkey=${HEX}' as two`;
  go(one, `${inGo(two)}; ${FILL}; create table two.u(a); insert into two.u select a from t; ${both}`);
  expect(await ours(one, `attach '${two}' as two; ${sums}`)).toBe('181300,181300,ok');
  await ours(one, `attach '${two}' as two; ${both.replaceAll('1000', '2000')}`);
  expect(go(one, `${inGo(two)}; ${sums}`)).toBe('183300,183300,ok');
});
