/** `lanewise sqlite`: node:sqlite is the judge of plain databases, and @lanewise/sqlite opens the encrypted ones. */
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, test } from 'vitest';
import { UsageError } from '../src/command.ts';
import { readOptions } from '../src/sqlite/options.ts';
import { file, folder, identityOfEnded, KEY, lanewise, type Result } from './programs.ts';

const at = (name: string): string => join(folder, name);
const sqlite = (...values: readonly string[]): Result => lanewise(['sqlite', ...values]);
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

test('encrypt, check, decrypt', () => {
  const names = readdirSync(folder).length;
  const [encrypted, again] = ['a.enc', 'a.plain'];
  chmodSync(at('plain.db'), 0o640);
  expect(lineOf(sqlite('encrypt', 'plain.db', '-o', encrypted, '--key-file', 'key'))).toBe(
    `0 plain.db: encrypted into ${encrypted}\n`,
  );
  expect(readFileSync(at(encrypted)).includes('milk')).toBe(false);
  expect(statSync(at(encrypted)).mode & 0o777).toBe(0o640);
  expect(lineOf(sqlite('check', encrypted, '--key-file', 'key'))).toMatch(
    new RegExp(`^0 ${encrypted}: OK, \\d+ pages\n$`),
  );
  expect(lineOf(sqlite('decrypt', encrypted, '-o', again, '--key-file', 'key'))).toBe(
    `0 ${encrypted}: decrypted into ${again}\n`,
  );
  expect(rowsOf(again)).toEqual(ROWS);
  expect(readdirSync(folder).length).toBe(names + 2);
});

test('a wrong key, a changed page: no output, and an older one as it was', () => {
  expect(sqlite('encrypt', 'plain.db', '-o', 'w.db', '--key-file', 'key').status).toBe(0);
  file('out.db', 'older');
  expect(sqlite('decrypt', 'w.db', '-o', 'out.db', '--key-file', 'key').stderr).toContain('--force replaces it');
  const wrong = sqlite('decrypt', 'w.db', '-o', 'out.db', '--key-file', 'other', '--force');
  expect(lineOf(wrong)).toBe(
    '1 lanewise sqlite: w.db: file is not a database: wrong key, or the header of the database was changed\n',
  );
  const bytes = readFileSync(at('w.db'));
  bytes[bytes.length - 3000] ^= 1;
  file('changed.db', bytes);
  const changed = sqlite('decrypt', 'changed.db', '-o', 'out.db', '--key-file', 'key', '--force');
  expect(changed.status).toBe(1);
  expect(changed.stderr).toMatch(/^lanewise sqlite: changed\.db: .*page \d+ isn't authentic/);
  expect(sqlite('check', 'changed.db', '--key-file', 'key').stderr).toMatch(/page \d+ isn't authentic/);
  expect(readFileSync(at('out.db'), 'utf8')).toBe('older');
  // A run that was killed left plaintext, which the next run removes.
  const left = `out.db.lanewise-draft.${identityOfEnded()}`;
  file(left, 'plaintext');
  expect(sqlite('decrypt', 'w.db', '-o', 'out.db', '--key-file', 'key', '--force').status).toBe(0);
  expect(existsSync(at(left))).toBe(false);
  expect(rowsOf('out.db')).toEqual(ROWS);
  expect(readdirSync(folder).filter((name) => name.includes('lanewise-'))).toEqual([]);
});

test('files that are refused, before a key is read', () => {
  expect(sqlite('encrypt', 'plain.db', '-o', 'r.db', '--key-file', 'key').status).toBe(0);
  const none = ['--key-file', 'no key is here'];
  const before = readdirSync(folder).length;
  symlinkSync('plain.db', at('link.db'));
  const cases: readonly (readonly [string, ...string[]])[] = [
    ['1 lanewise sqlite: none.db: No such file or directory\n', 'check', 'none.db', ...none],
    ['1 lanewise sqlite: .: not a regular file\n', 'check', '.', ...none],
    ['1 lanewise sqlite: plain.db: is a plain SQLite database, not an encrypted one\n', 'check', 'plain.db', ...none],
    ['1 lanewise sqlite: r.db: is encrypted already\n', 'encrypt', 'r.db', '-o', 'x', ...none],
    ['1 lanewise sqlite: key: is no SQLite database, or is encrypted already\n', 'encrypt', 'key', '-o', 'x', ...none],
    [
      '2 lanewise sqlite: link.db: input and output file are the same\n',
      'encrypt',
      'plain.db',
      '-o',
      'link.db',
      '--force',
      ...none,
    ],
    ['2 lanewise sqlite: key: the key file\n', 'encrypt', 'plain.db', '-o', 'key', '--force', '--key-file', 'key'],
    ['2 lanewise sqlite: r.db exists; --force replaces it\n', 'encrypt', 'plain.db', '-o', 'r.db', ...none],
    ['2 lanewise sqlite: /dev/stdout: not a regular file\n', 'encrypt', 'plain.db', '-o', '/dev/stdout', ...none],
    ['1 lanewise sqlite: no key is here: No such file or directory (os error 2)\n', 'check', 'r.db', ...none],
  ];
  for (const [line, ...values] of cases) expect(lineOf(sqlite(...values))).toBe(line);
  writeFileSync(at('x-journal'), 'x');
  expect(sqlite('encrypt', 'plain.db', '-o', 'x', ...none).stderr).toContain('x-journal is there');
  rmSync(at('x-journal'));
  writeFileSync(at('plain.db-wal'), 'x');
  expect(sqlite('encrypt', 'plain.db', '-o', 'x', '--key-file', 'key').stderr).toContain(
    'a program has the database open',
  );
  rmSync(at('plain.db-wal'));
  rmSync(at('link.db'));
  expect(readdirSync(folder).length).toBe(before);
});

test('arguments that are wrong', () => {
  const cases: readonly (readonly [string, ...string[]])[] = [
    ['expected one of encrypt, decrypt, rekey, check; --help explains them'],
    ["the first operand is one of encrypt, decrypt, rekey, check, not 'open'", 'open', 'a'],
    ['check takes one FILE', 'check'],
    ['check takes one FILE', 'check', 'a', 'b'],
    ['FILE is a file, not standard input', 'check', '-'],
    ['check takes no --output', 'check', 'a', '-o', 'b'],
    ['rekey takes no --mode', 'rekey', 'a', '--mode', 'adiantum'],
    ['encrypt takes no --new-key-file', 'encrypt', 'a', '-o', 'b', '--new-key-file', 'c'],
    ['no output given: -o OUT names a file', 'encrypt', 'a'],
    ['-o takes the name of a file', 'encrypt', 'a', '-o', '-'],
    ["--mode is one of authenticated, adiantum, sqlite3mc, not 'aes'", 'check', 'a', '--mode', 'aes'],
    ['--mode adiantum needs --key-file: a file of 32 raw bytes', 'check', 'a', '--mode', 'adiantum'],
    ["--page-size takes a power of two from 1024 to 65536, not '512'", 'encrypt', 'a', '-o', 'b', '--page-size', '512'],
    ["--page-size takes a power of two from 512 to 65536, not '513'", 'decrypt', 'a', '-o', 'b', '--page-size', '513'],
    ['standard input, -, is given more than once', 'rekey', 'a', '--key-file', '-', '--new-key-file', '-'],
  ];
  for (const [line, ...values] of cases)
    expect(() => readOptions(values.map((text) => ({ text, path: text })))).toThrow(new UsageError(line));
});
