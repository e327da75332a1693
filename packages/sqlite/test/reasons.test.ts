/** The reason of an error is its own, and not that of an earlier one. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../src/node.ts';
import { KEY } from './support.ts';

test('after a page that was changed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lanewise-sqlite-reasons-'));
  try {
    const file = join(folder, 'notes.db');
    const made = await openDatabase({ file, key: KEY });
    await made.all('create table t(a); create table u(a unique)');
    await made.all('insert into t values (zeroblob(20000)); insert into u values (1)');
    await made.close();
    const bytes = readFileSync(file);
    bytes[bytes.length - 1000] ^= 1;
    writeFileSync(file, bytes);
    const db = await openDatabase({ file, key: KEY });
    const page = /: page \d+ isn't authentic: it was changed, moved, or is of another database$/;
    await expect(db.all('select * from t')).rejects.toThrow(page);
    await expect(db.all('select gone')).rejects.toThrow(/^no such column: gone$/);
    await expect(db.all('insert into u values (1)')).rejects.toThrow(/^UNIQUE constraint failed: u.a$/);
    await expect(db.all('select * from t')).rejects.toThrow(page);
    await db.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
