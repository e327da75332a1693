/** `lanewise sqlite` in its other modes, with passphrases, and runs that are interrupted or killed. */
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, test } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkDatabase } from '@lanewise/sqlite/node.js';
import { ended, file, folder, KEY, lanewise, startCommand, until, type Result } from './programs.ts';

const at = (name: string): string => join(folder, name);
const sqlite = (...values: readonly string[]): Result => lanewise(['sqlite', ...values]);
const withPassphrases = (variables: Readonly<Record<string, string>>, ...values: readonly string[]): Result =>
  lanewise(['sqlite', ...values], '', variables);
const startSqlite = (...values: readonly string[]) => startCommand('sqlite', ...values);
const lineOf = ({ status, stderr, stdout }: Result): string => `${status} ${stderr}${stdout.toString()}`;

beforeAll(() => {
  file('key', KEY);
  file('other', KEY.toReversed());
  const db = new DatabaseSync(at('plain.db'));
  db.exec(
    "create table notes(text); insert into notes(rowid, text) values (5, 'remember the milk'), (9, 'and the bread'); create virtual table f using fts5(text); insert into f values ('milk')",
  );
  db.close();
});

function rowsOf(name: string): unknown[] {
  const db = new DatabaseSync(at(name), { readOnly: true });
  const rows = db
    .prepare('select rowid, text from notes')
    .all()
    .map((row) => Object.values(row));
  expect(
    db
      .prepare('pragma integrity_check')
      .all()
      .map((row) => Object.values(row)),
  ).toEqual([['ok']]);
  db.close();
  return rows;
}
const ROWS = [
  [5, 'remember the milk'],
  [9, 'and the bread'],
];

test.each(['adiantum', 'sqlite3mc'])('%s: encrypt, check, decrypt', (mode) => {
  const names = readdirSync(folder).length;
  const [encrypted, again] = [`${mode}.enc`, `${mode}.plain`];
  chmodSync(at('plain.db'), 0o640);
  expect(lineOf(sqlite('encrypt', 'plain.db', '-o', encrypted, '--key-file', 'key', '--mode', mode))).toBe(
    `0 plain.db: encrypted into ${encrypted}\n`,
  );
  expect(readFileSync(at(encrypted)).includes('milk')).toBe(false);
  expect(statSync(at(encrypted)).mode & 0o777).toBe(0o640);
  expect(lineOf(sqlite('check', encrypted, '--key-file', 'key', '--mode', mode))).toMatch(
    new RegExp(`^0 ${encrypted}: OK, \\d+ pages\n$`),
  );
  expect(lineOf(sqlite('decrypt', encrypted, '-o', again, '--key-file', 'key', '--mode', mode))).toBe(
    `0 ${encrypted}: decrypted into ${again}\n`,
  );
  expect(rowsOf(again)).toEqual(ROWS);
  expect(readdirSync(folder).length).toBe(names + 2);
});

test('a passphrase, then a key, then another passphrase', () => {
  const first = { AGE_PASSPHRASE: 'five random words are enough' };
  const second = { AGE_PASSPHRASE: 'other words' };
  expect(withPassphrases(first, 'encrypt', 'plain.db', '-o', 'p.db').status).toBe(0);
  expect(lineOf(withPassphrases(second, 'check', 'p.db'))).toBe(
    '1 lanewise sqlite: p.db: file is not a database: wrong key, or the header of the database was changed\n',
  );
  expect(lineOf(sqlite('check', 'p.db', '--key-file', 'key'))).toBe(
    '1 lanewise sqlite: p.db: file is not a database: this database has a passphrase: leave --key-file out\n',
  );
  expect(lineOf(withPassphrases(first, 'rekey', 'p.db', '--new-key-file', 'key'))).toBe(
    '0 p.db: opens with the new key only; copies of it open with the old one\n',
  );
  expect(lineOf(withPassphrases(first, 'check', 'p.db'))).toBe(
    '1 lanewise sqlite: p.db: file is not a database: this database has a key of 32 bytes: --key-file names it\n',
  );
  const before = readFileSync(at('p.db'));
  expect(sqlite('rekey', 'p.db', '--key-file', 'other', '--new-key-file', 'key').status).toBe(1);
  expect(readFileSync(at('p.db')).equals(before)).toBe(true);
  const next = { LANEWISE_NEW_PASSPHRASE: 'other words' };
  expect(withPassphrases(next, 'rekey', 'p.db', '--key-file', 'key').status).toBe(0);
  expect(lineOf(withPassphrases(second, 'check', 'p.db'))).toMatch(/^0 p\.db: OK/);
});

test.each(['SIGINT', 'SIGKILL'] as const)('%s at any moment: no output, or a whole one', async (signal) => {
  const db = new DatabaseSync(at('large.db'));
  db.exec(
    'create table if not exists t(a, b); with recursive n(i) as (select 1 union all select i + 1 from n where i < 15000) insert into t select i, hex(randomblob(200)) from n',
  );
  db.close();
  let whole = 0;
  for (let run = 0; run < 12; run++) {
    const child = startSqlite('encrypt', 'large.db', '-o', 'large.enc', '--key-file', 'key', '--force');
    const drafts = (): string[] => readdirSync(folder).filter((name) => name.includes('lanewise-draft'));
    // From the start of a run until after its end.
    const ends = ended(child);
    if (run % 2 === 0)
      await until(
        () => drafts().some((name) => statSync(at(name), { throwIfNoEntry: false })?.size) || child.exitCode !== null,
      );
    await sleep(run * 60);
    child.kill(signal);
    await ends;
    if (existsSync(at('large.enc'))) {
      whole++;
      const { problems } = await checkDatabase({ file: at('large.enc'), key: KEY });
      expect(problems).toEqual([]);
    }
    if (signal === 'SIGINT') expect(drafts()).toEqual([]);
  }
  expect(sqlite('encrypt', 'large.db', '-o', 'large.enc', '--key-file', 'key', '--force').status).toBe(0);
  console.log(`${signal}: ${whole} of 12 runs were over`);
  expect(readdirSync(folder).filter((name) => name.includes('large'))).toEqual(['large.db', 'large.enc']);
  rmSync(at('large.db'));
  rmSync(at('large.enc'));
});
