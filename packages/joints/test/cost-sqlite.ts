/** The cost of rows and parameters of an encrypted database. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@lanewise/sqlite/node.js';
import type { Cost } from './cost.ts';

const key = new Uint8Array(32).fill(3);

export const ofSqlite: Cost = {
  title: 'sqlite: rows, and parameters',
  covers: ['sqlite Database.all', 'sqlite Database.values'],
  run: async (n) => {
    const folder = mkdtempSync(join(tmpdir(), 'lanewise-cost-'));
    const db = await openDatabase({ file: join(folder, 'cost.db'), key });
    try {
      await db.all('pragma synchronous = off; create table t(a)');
      await db.all('begin');
      for (let i = 0; i < n / 10; i++) await db.all('insert into t values (?)', ['a row']);
      await db.all('commit');
      await db.all(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${n}) select i from n`);
      await db.values('select * from t');
    } finally {
      await db.close();
      rmSync(folder, { recursive: true });
    }
  },
  least: 5000,
};
