/** Copies of databases, from one encryption to another: node:sqlite is the judge of plain ones, SQLite3MultipleCiphers' build of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { checkDatabase, copyDatabase, openDatabase, type DatabaseSide } from '../src/node.ts';
import { KEY } from './support.ts';

const folder = mkdtempSync(join(tmpdir(), 'lanewise-sqlite-copy-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);
let count = 0;
const fresh = (): string => at(`${count++} %?#'ü.db`);

/** Rows with ids that nothing names, indexes, triggers, views, a table without ids, generated columns, full text, blobs. */
const SCHEMA = `
  create table t(a text, b blob);
  insert into t(rowid, a, b) values (7, 'seven', x'00ff'), (900, 'nine hundred', null), (-3, 'minus three', zeroblob(9000));
  create table u(id integer primary key autoincrement, c text collate nocase unique, d generated always as (length(c)) stored);
  insert into u(id, c) values (41, 'Secret words'), (43, 'others');
  create table w(k text primary key, v) without rowid;
  insert into w values ('k', 1.5);
  create index ta on t(a desc) where a is not null;
  create view v as select a, rowid from t;
  create trigger g after insert on u begin insert into w values (new.c, new.id); end;
  create virtual table f using fts5(body);
  insert into f(rowid, body) values (5, 'the milk of human kindness'), (6, 'remember the milk');
  create table gone(x); insert into gone values (zeroblob(100000)); drop table gone;
  pragma user_version = 11; pragma application_id = 12`;
const QUESTIONS = [
  'select rowid, a, b from t order by rowid',
  'select * from u order by id',
  'select * from w',
  'select * from v order by a',
  "select rowid from f where f match 'milk' order by rowid",
  'select type, name, sql from sqlite_schema order by name',
  'select * from sqlite_sequence',
  'pragma user_version',
  'pragma application_id',
  'pragma integrity_check',
];

function plain(pageSize = 4096): string {
  const file = fresh();
  const db = new DatabaseSync(file);
  db.exec(`pragma page_size = ${pageSize}; ${SCHEMA}`);
  db.close();
  return file;
}

function answersOf(file: string): unknown[] {
  const db = new DatabaseSync(file, { readOnly: true });
  const answers = QUESTIONS.map((sql) =>
    db
      .prepare(sql)
      .all()
      .map((row) => Object.values(row)),
  );
  db.close();
  return answers;
}

const sides: readonly Omit<DatabaseSide, 'file'>[] = [
  { key: KEY },
  { key: 'five random words are enough', costs: { logN: 4, r: 8, p: 1 } },
  { key: KEY, mode: 'adiantum' },
  { key: KEY, mode: 'sqlite3mc' },
];
const forReading = ({ costs: _, ...side }: Omit<DatabaseSide, 'file'>): Omit<DatabaseSide, 'file'> => side;

test.each([512, 1024, 4096, 65_536])(
  'pages of %i bytes: plain, encrypted in each mode, plain again',
  async (pageSize) => {
    const first = plain(pageSize);
    const expected = answersOf(first);
    const before = readFileSync(first);
    for (const side of sides) {
      const [encrypted, again] = [fresh(), fresh()];
      await copyDatabase({ from: { file: first }, to: { file: encrypted, ...side } });
      expect(readFileSync(encrypted).includes('Secret words')).toBe(false);
      expect(readFileSync(encrypted).includes('human kindness')).toBe(false);
      const checked = await checkDatabase({ ...forReading(side), file: encrypted } as Parameters<
        typeof checkDatabase
      >[0]);
      expect(checked.problems).toEqual([]);
      expect(checked.pages).toBeGreaterThan(3);
      await copyDatabase({ from: { file: encrypted, ...forReading(side) }, to: { file: again } });
      expect(answersOf(again)).toEqual(expected);
    }
    expect(readFileSync(first).equals(before)).toBe(true);
  },
);

test('from each mode to each other, with another page size', async () => {
  const first = plain();
  const expected = answersOf(first);
  for (const from of sides)
    for (const to of sides) {
      const [one, two, last] = [fresh(), fresh(), fresh()];
      await copyDatabase({ from: { file: first }, to: { file: one, ...from } });
      await copyDatabase({ from: { file: one, ...forReading(from) }, to: { file: two, ...to, pageSize: 8192 } });
      const db = await openDatabase({ file: two, ...forReading(to) } as Parameters<typeof openDatabase>[0]);
      expect(await db.values('pragma page_size')).toEqual([[8192]]);
      await db.close();
      await copyDatabase({ from: { file: two, ...forReading(to) }, to: { file: last } });
      expect(answersOf(last)).toEqual(expected);
    }
});

test('a copy that fails leaves nothing, and what was there stays', async () => {
  const first = plain();
  const encrypted = fresh();
  await copyDatabase({ from: { file: first }, to: { file: encrypted, key: KEY } });
  const bytes = readFileSync(encrypted);
  const before = readdirSync(folder).length;
  const copied = async (from: object, to: object): Promise<string> =>
    copyDatabase({ from, to } as never).then(
      () => 'copied',
      (error: unknown) => (error as Error).message,
    );
  const to = at('copy.db');
  expect(await copied({ file: encrypted, key: new Uint8Array(32) }, { file: to })).toContain('wrong key');
  expect(await copied({ file: encrypted, key: 'words' }, { file: to })).toContain('"key" is a passphrase');
  expect(await copied({ file: encrypted, key: KEY, mode: 'sqlite3mc' }, { file: to })).toContain('not a database');
  expect(await copied({ file: encrypted, key: KEY, mode: 'adiantum' }, { file: to })).toContain('not a database');
  expect(await copied({ file: encrypted }, { file: to })).toContain('not a database');
  expect(await copied({ file: at('none') }, { file: to })).toBe(`there is no file ${at('none')}`);
  expect(await copied({ file: folder }, { file: to })).toContain('not a file');
  expect(await copied({ file: first }, { file: encrypted, key: KEY })).toContain('a copy replaces nothing');
  expect(await copied({ file: first }, { file: first })).toContain('a copy replaces nothing');
  expect(await copied({ file: first }, { file: at('none/copy.db') })).toBe(`there is no folder ${at('none')}`);
  // A page that was changed.
  const changed = fresh();
  writeFileSync(changed, bytes.with(bytes.length - 2000, bytes[bytes.length - 2000] ^ 1));
  expect(await copied({ file: changed, key: KEY }, { file: to })).toMatch(/page \d+ isn't authentic/);
  rmSync(changed);
  // An empty file of that name stays, empty.
  writeFileSync(to, '');
  expect(await copied({ file: encrypted, key: new Uint8Array(32) }, { file: to })).toContain('wrong key');
  expect(statSync(to).size).toBe(0);
  rmSync(to);
  writeFileSync(`${to}-journal`, 'x');
  expect(await copied({ file: first }, { file: to })).toContain('would play it back');
  rmSync(`${to}-journal`);
  writeFileSync(`${first}-wal`, 'x');
  expect(await copied({ file: first }, { file: to })).toContain('a program has the database open, or crashed');
  rmSync(`${first}-wal`);
  expect(existsSync(to)).toBe(false);
  expect(readdirSync(folder).length).toBe(before);
  expect(readFileSync(encrypted).equals(bytes)).toBe(true);
  expect(await copied({ file: first }, { file: to, key: KEY })).toBe('copied');
});

test('a copy has its name when it is whole: a process that is killed leaves none, and the next copy removes its draft', async () => {
  const inner = mkdtempSync(join(folder, 'killed-'));
  const [first, to] = [join(inner, 'first.db'), join(inner, 'copy.db')];
  const db = new DatabaseSync(first);
  db.exec('create table t(a); insert into t values (zeroblob(100000000))');
  db.close();
  const module = JSON.stringify(new URL('../src/node.ts', import.meta.url).href);
  const options = JSON.stringify({ from: { file: first }, to: { file: to } });
  const program = `import { copyDatabase } from ${module}; await copyDatabase(${options})`;
  const child = spawn(process.execPath, ['--conditions=source', '--input-type=module', '-e', program]);
  const ended = once(child, 'exit');
  const others = (): string[] => readdirSync(inner).filter((name) => !name.startsWith('first.db'));
  while (!others().some((name) => statSync(join(inner, name)).size > 0)) {
    if (child.exitCode !== null) throw new Error('the copy ended before it was killed');
    await new Promise(setImmediate);
  }
  child.kill('SIGKILL');
  await ended;
  expect(existsSync(to)).toBe(false);
  expect(others()).toEqual([expect.stringMatching(/^copy\.db\.draft-/)]);
  await copyDatabase({ from: { file: first }, to: { file: to, key: KEY } });
  expect(others()).toEqual(['copy.db']);
});

test('a file that another program makes meanwhile stays', async () => {
  const [first, to] = [plain(), fresh()];
  const before = readdirSync(folder).length;
  const copied = copyDatabase({ from: { file: first }, to: { file: to, key: KEY } });
  writeFileSync(to, 'of another program');
  await expect(copied).rejects.toThrow('a copy replaces nothing');
  expect(readFileSync(to, 'utf8')).toBe('of another program');
  expect(readdirSync(folder).length).toBe(before + 1);
});

test('what another program writes into an empty file meanwhile stays', async () => {
  const encrypted = fresh();
  await copyDatabase({ from: { file: plain() }, to: { file: encrypted, key: KEY } });
  const to = fresh();
  writeFileSync(to, '');
  const copied = copyDatabase({ from: { file: encrypted, key: KEY }, to: { file: to } });
  const refused = expect(copied).rejects.toThrow('not a database');
  writeFileSync(to, "another program's");
  await refused;
  expect(readFileSync(to, 'utf8')).toBe("another program's");
  rmSync(to);
});

test.each([
  [undefined, '"options" expected plain object { from, to }, got type=undefined'],
  [{}, '"from" expected plain object { file, key, mode }, got type=undefined'],
  [{ from: { file: 'a' }, too: 1 }, '"options" expected plain object { from, to }, got { too }'],
  [{ from: { file: 1 }, to: { file: 'b' } }, '"from.file" expected a path, got type=number'],
  [
    { from: { file: 'a', pageSize: 512 }, to: { file: 'b' } },
    '"from" expected plain object { file, key, mode }, got { pageSize }',
  ],
  [
    { from: { file: 'a', mode: 'adiantum' }, to: { file: 'b' } },
    '"from.key" expected with "from.mode", got none: without a key the database is plain',
  ],
  [{ from: { file: 'a' }, to: { file: '' } }, '"to.file" expected a path, got length=0'],
  [{ from: { file: 'a' }, to: { file: 'b', pageSize: 100 } }, '"pageSize" expected power of two'],
  [
    { from: { file: 'a' }, to: { file: 'b', key: undefined } },
    '"key" expected Uint8Array, string or box, got type=undefined',
  ],
  [
    { from: { file: 'a', key: new Uint8Array(31) }, to: { file: 'b' } },
    '"key" expected Uint8Array of length 32, got length=31',
  ],
])('options that are wrong: %j', async (options, message) => {
  await expect(copyDatabase(options as never)).rejects.toThrow(message);
});

test('copies and checks that run at the same time are each of their own database', async () => {
  const first = plain();
  const files = [fresh(), fresh(), fresh()];
  await Promise.all(files.map((file) => copyDatabase({ from: { file: first }, to: { file, key: KEY } })));
  const results = await Promise.all(files.map((file) => checkDatabase({ file, key: KEY })));
  expect(new Set(results.map(({ pages }) => pages)).size).toBe(1);
  const copies = files.map(() => fresh());
  await Promise.all(files.map((file, i) => copyDatabase({ from: { file, key: KEY }, to: { file: copies[i] } })));
  for (const copy of copies) expect(answersOf(copy)).toEqual(answersOf(first));
});

test('a check reads pages that hold nothing, and names the one that was changed', async () => {
  const first = plain();
  const file = fresh();
  await copyDatabase({ from: { file: first }, to: { file, key: KEY } });
  const db = await openDatabase({ file, key: KEY });
  await db.all(
    'pragma auto_vacuum = none; create table x(y); insert into x values (zeroblob(100000)); create table z(y); drop table x',
  );
  const [[pages], [free]] = [...(await db.values('pragma page_count')), ...(await db.values('pragma freelist_count'))];
  await db.close();
  expect(free).toBeGreaterThan(20);
  expect(await checkDatabase({ file, key: KEY })).toEqual({ pages, problems: [] });
  const bytes = readFileSync(file);
  for (let page = 1; page <= Number(pages); page++) {
    const changed = fresh();
    writeFileSync(
      changed,
      bytes.with(
        4096 + (page - 1) * 4096 + ((page * 977) % 4096),
        bytes[4096 + (page - 1) * 4096 + ((page * 977) % 4096)] ^ 4,
      ),
    );
    await expect(checkDatabase({ file: changed, key: KEY })).rejects.toThrow(`page ${page} isn't authentic`);
  }
  await expect(checkDatabase({ file, key: 'words' })).rejects.toThrow('"key" is a passphrase');
  await expect(checkDatabase({ file: at('none'), key: KEY })).rejects.toThrow('there is no file');
  expect(existsSync(at('none'))).toBe(false);
  await expect(checkDatabase({ file, key: KEY, pageSize: 4096 } as never)).rejects.toThrow(
    '"options" expected plain object { file, key, mode }, got { pageSize }',
  );
  expect(readFileSync(file).equals(bytes)).toBe(true);
});
