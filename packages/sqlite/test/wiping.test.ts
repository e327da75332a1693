/** Every copy of a key that the package makes is zeros when the database is closed, or when the call has failed. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { checkDatabase, copyDatabase, openDatabase } from '../src/node.ts';
import { KEY } from './support.ts';

const made = vi.hoisted(() => [] as Uint8Array[]);
vi.mock('lanewise/utils.js', async (original) => {
  const its = await original<typeof import('lanewise/utils.js')>();
  const kept = (bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => (made.push(bytes), bytes);
  return { ...its, randomBytes: (length: number) => kept(its.randomBytes(length)) };
});
vi.mock('../src/bytes.ts', async (original) => {
  const { keepingCopies } = await import('./copies.ts');
  return keepingCopies(await original(), made);
});
vi.mock('lanewise/chacha.js', async (original) => {
  const its = await original<typeof import('lanewise/chacha.js')>();
  const xchacha20poly1305 = (...values: Parameters<typeof its.xchacha20poly1305>) => {
    const cipher = its.xchacha20poly1305(...values);
    const decrypt = cipher.decrypt.bind(cipher);
    cipher.decrypt = (bytes: Uint8Array) => {
      const decrypted = decrypt(bytes);
      made.push(decrypted);
      return decrypted;
    };
    return cipher;
  };
  return { ...its, xchacha20poly1305 };
});

const folder = mkdtempSync(join(tmpdir(), 'lanewise-sqlite-wiping-'));
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => {
  made.length = 0;
});

/** Files as they were before. */
const former: Buffer[] = [];

/** Those of 32 bytes that stayed, but for salts, which are in the files. */
function left(): number {
  const files = [...former, ...readdirSync(folder).map((name) => readFileSync(join(folder, name)))];
  const keys = made.filter((bytes) => bytes.length === 32);
  expect(keys.length).toBeGreaterThan(0);
  return keys.filter((bytes) => bytes.some((byte) => byte !== 0) && !files.some((file) => file.includes(bytes))).length;
}

/** A table, a transaction with a journal, and one that is sorted in a temporary file. */
const WORK = `pragma temp_store = file; pragma cache_size = 2;
  create table t(a integer primary key, b);
  with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000) insert into t(b) select hex(randomblob(40)) from n;
  create temp table u as select b from t order by b`;

test.each(['authenticated', 'adiantum', 'sqlite3mc'] as const)('%s', async (mode) => {
  const file = join(folder, `${mode}.db`);
  const db = await openDatabase({ file, key: KEY, mode });
  await db.all(WORK);
  await db.close();
  const [copy, plain] = [join(folder, `${mode} 2.db`), join(folder, `${mode} plain.db`)];
  await copyDatabase({
    from: { file, key: KEY, mode },
    to: {
      file: copy,
      key: 'words',
      ...(mode === 'adiantum' && { key: KEY, mode }),
      ...(mode === 'authenticated' && { costs: { logN: 4, r: 8, p: 1 } }),
    },
  });
  await copyDatabase({ from: { file, key: KEY, mode }, to: { file: plain } });
  await checkDatabase({ file, key: KEY, mode });
  expect(left()).toBe(0);
});

test('a database that is opened again, and gets another key', async () => {
  const file = join(folder, 'again.db');
  for (let i = 0; i < 3; i++) {
    const db = await openDatabase({ file, key: KEY });
    await db.all('create table if not exists t(a); insert into t values (1)');
    // Its salt, which is replaced.
    former.push(readFileSync(file));
    await db.rekey(KEY);
    await db.close();
  }
  expect(left()).toBe(0);
});

test('calls that fail', async () => {
  const file = join(folder, 'cut.db');
  const db = await openDatabase({ file, key: KEY });
  await db.all('create table t(a)');
  await db.close();
  writeFileSync(file, readFileSync(file).subarray(0, 5000));
  await expect(openDatabase({ file, key: KEY })).rejects.toThrow('cut off');
  await expect(openDatabase({ file, key: new Uint8Array(32).fill(5) })).rejects.toThrow('wrong key');
  await expect(openDatabase({ file, key: KEY, costs: { logN: 4, r: 8, p: 1 } })).rejects.toThrow('"costs"');
  await expect(
    copyDatabase({ from: { file, key: KEY }, to: { file: 'x', key: KEY, costs: { logN: 4, r: 8, p: 1 } } }),
  ).rejects.toThrow('"costs"');
  expect(left()).toBe(0);
});
