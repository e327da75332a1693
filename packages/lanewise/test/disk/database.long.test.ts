/** SQLite databases of another implementation: go-sqlite3 encrypts with Adiantum, page by page, under `offset64`. */
// Runs in Node only: opens databases, which only Node can.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adiantum, encryptedFile } from '../../src/disk.ts';
import fixture from '../../../../vectors/disk-database.json' with { type: 'json' };
import { unhex } from '../support/bytes.ts';

const PAGE = 4096;
const options = { pageSize: PAGE, tweak: 'offset64' } as const;
const folder = mkdtempSync(join(tmpdir(), 'lanewise-database-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const cipher = adiantum(unhex(fixture.key));
const encrypted = new Uint8Array(Buffer.from(fixture.file, 'base64'));
const sqlite = await import('node:sqlite').catch(() => undefined);
if (!sqlite) console.log('SKIPPED: databases of go-sqlite3, which node:sqlite opens: Node 22.5 has it');

/** Runs SQL on a file that is not encrypted: rows, columns apart by tabs. */
function rowsOf(bytes: Uint8Array, ...statements: readonly string[]): string[] {
  const path = join(folder, 'plain');
  writeFileSync(path, bytes);
  const database = new sqlite!.DatabaseSync(path);
  try {
    return statements.flatMap((sql) =>
      database
        .prepare(sql)
        .all()
        .map((row) =>
          Object.values(row)
            .map(String)
            .join('\t')
            .replace(/\bnull$/, ''),
        ),
    );
  } finally {
    database.close();
  }
}

test('the file is the one that was made', () => {
  expect(createHash('sha256').update(encrypted).digest('hex')).toBe(fixture.sha256);
  expect(encrypted.length).toBe(3 * PAGE);
});

describe.skipIf(!sqlite)('a database of go-sqlite3', () => {
  test('opens when its pages are decrypted', () => {
    const plain = cipher.decryptPages(encrypted.slice(), options);
    expect(rowsOf(plain, 'pragma integrity_check', fixture.query)).toEqual(['ok', ...fixture.rows]);
  });

  test('is read at any byte through encryptedFile', async () => {
    const path = join(folder, 'encrypted');
    writeFileSync(path, encrypted);
    const handle = await open(path, 'r');
    const file = encryptedFile(handle, cipher, options);
    const plain = new Uint8Array(await file.size());
    for (let at = 0; at < plain.length; at += 1111) await file.read(plain.subarray(at, at + 1111), at);
    await handle.close();
    expect(rowsOf(plain, 'pragma integrity_check', fixture.query)).toEqual(['ok', ...fixture.rows]);
  });

  test('is noise under another tweak', () => {
    const plain = cipher.decryptPages(encrypted.slice(), { ...options, tweak: 'index64' });
    // Page 0 is the same for both.
    expect(Buffer.from(plain.subarray(0, 15)).toString()).toBe('SQLite format 3');
    expect(() => rowsOf(plain, fixture.query)).toThrow(/malformed/);
  });
});

/** go-sqlite3 itself, built from vectors/go-sqlite3; undefined without Go or without its modules. */
function goProgram(): string | undefined {
  if (!sqlite) return undefined;
  const cwd = join(import.meta.dirname, '../../../../vectors/go-sqlite3');
  const go = (...values: string[]) => spawnSync('go', values, { cwd, encoding: 'utf8', timeout: 600_000 });
  const modules = go('mod', 'download');
  if (modules.error || modules.status !== 0) {
    const { code } = (modules.error ?? {}) as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'there is no Go' : `its modules cannot be had: ${modules.stderr.split('\n')[0]}`;
    console.log(`SKIPPED: databases that go-sqlite3 opens: ${why}`);
    return undefined;
  }
  const program = join(folder, process.platform === 'win32' ? 'database.exe' : 'database');
  const built = go('build', '-o', program, '.');
  if (built.status !== 0) throw new Error(built.stderr);
  return program;
}

describe('a database that is written through encryptedFile', () => {
  let program: string | undefined;
  beforeAll(() => {
    program = goProgram();
  }, 600_000);

  test('is opened and changed by go-sqlite3', async (context) => {
    if (program === undefined) context.skip('go-sqlite3 is not here');
    const plainPath = join(folder, 'ours');
    const database = new sqlite!.DatabaseSync(plainPath);
    database.exec('create table word (n integer primary key, text text)');
    database.exec('begin');
    const insert = database.prepare('insert into word values (?, ?)');
    for (let n = 1; n <= 2000; n++) insert.run(n, `word number ${n}, ${'and so on '.repeat(n % 7)}`);
    database.exec('commit');
    database.close();
    const plain = readFileSync(plainPath);
    expect(plain.length).toBeGreaterThan(20 * PAGE);

    const path = join(folder, 'theirs');
    const handle = await open(path, 'w+');
    const file = encryptedFile(handle, cipher, options);
    for (let at = 0; at < plain.length; at += 5000) await file.write(plain.subarray(at, at + 5000), at);
    await file.flush();
    await handle.close();

    const sum = 'select count(*), sum(n), sum(length(text)) from word';
    const change = "insert into word values (5000, 'by go-sqlite3')";
    const asked = spawnSync(program!, [path, fixture.key, 'pragma integrity_check', sum, change], { encoding: 'utf8' });
    expect(asked.stderr).toBe('');
    expect(asked.stdout.trimEnd().split('\n')).toEqual(['ok', ...rowsOf(plain, sum)]);

    const changed = cipher.decryptPages(new Uint8Array(readFileSync(path)), options);
    const added = 'select text from word where n = 5000';
    expect(rowsOf(changed, 'pragma integrity_check', added)).toEqual(['ok', 'by go-sqlite3']);
  });
});
