/** go-sqlite3 reads the databases of this package, and the other way round. It is built from the module proxy where Go is here. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
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

test.skipIf(reason)('go-sqlite3 reads a database of this package, and the other way round', async () => {
  const path = join(folder, 'ours.db');
  const key = Buffer.from(KEY).toString('hex');
  const vfs = () => register(encryptVFS(NodeVFS, { key: KEY, mode: 'adiantum' }));
  const db = await Connection.open(vfs(), path);
  await db.run(`create table t(a, b); with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
    insert into t select i, hex(randomblob(i % 300)) from n`);
  const [[sum]] = await db.run('select sum(a) || total(length(b)) from t');
  await db.close();
  const go = (...rest: string[]) => {
    const { status, stdout, stderr } = spawnSync(binary, rest, { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    return stdout.trim();
  };
  expect(go('read', path, key, 'select sum(a) || total(length(b)) from t')).toBe(sum);
  expect(go('read', path, key, 'pragma integrity_check')).toBe('ok');

  const theirs = join(folder, 'theirs.db');
  go('write', theirs, key);
  const back = await Connection.open(vfs(), theirs);
  expect(await back.run('select group_concat(name) from users; pragma integrity_check')).toEqual([
    ['Ada,Grace,Margaret'],
    ['ok'],
  ]);
  await back.close();
});
