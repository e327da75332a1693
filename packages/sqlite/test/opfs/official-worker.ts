/** The official build of SQLite over its own OPFS pool, encrypted: used, closed, opened again. The page gets a line for each mode. */
import sqlite3InitModule from '@sqlite.org/sqlite-wasm';
import { installEncryptedVFS } from '../../src/official.ts';

const FILL = `create table if not exists t(a, b); with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
  insert into t select i, 'a secret row ' || i from n; pragma cache_size = 2; update t set a = a + 1; vacuum`;

async function run(): Promise<string[]> {
  const sqlite3 = await sqlite3InitModule();
  const pool = await sqlite3.installOpfsSAHPoolVfs({});
  const lines: string[] = [];
  for (const mode of ['authenticated', 'adiantum', 'sqlite3mc'] as const) {
    await installEncryptedVFS(sqlite3, { key: new Uint8Array(32).fill(7), mode, name: mode, base: 'opfs-sahpool' });
    const results: unknown[] = [mode];
    for (let time = 0; time < 2; time++) {
      const db = new sqlite3.oo1.DB({ filename: `/${mode}.db`, vfs: mode });
      db.exec(FILL);
      for (const sql of ['select count(*), sum(a) from t', 'pragma integrity_check'])
        results.push(...db.exec(sql, { returnValue: 'resultRows', rowMode: 'array' }).flat());
      db.close();
    }
    const text = new TextDecoder('latin1').decode(pool.exportFile(`/${mode}.db`));
    results.push(text.includes('secret row') || text.includes('SQLite format') ? 'readable' : 'encrypted');
    lines.push(results.join(' '));
  }
  return lines;
}

const post = (lines: string[]) => fetch('result', { method: 'POST', body: lines.join('\n') });
run().then(post, (error: unknown) => post([String(error)]));
