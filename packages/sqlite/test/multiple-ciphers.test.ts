/** Files of SQLite3MultipleCiphers' cipher chacha20, both ways: its own build in the npm package of wa-sqlite reads and writes them. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import startCiphers from '@journeyapps/wa-sqlite/dist/mc-wa-sqlite.mjs';
import * as SQLite from '@journeyapps/wa-sqlite';
import { MemoryVFS } from '@journeyapps/wa-sqlite/src/examples/MemoryVFS.js';
import { expect, test } from 'vitest';
import { encryptVFS } from '../src/index.ts';
import { copyDatabase, openDatabase } from '../src/node.ts';
import { PageCipher } from '../src/multiple-ciphers/pages.ts';
import { bytesOf, Connection, copyOf, KEY, memory, register, type Registered, type Row } from './support.ts';

const wasmBinary = readFileSync(
  createRequire(import.meta.url).resolve('@journeyapps/wa-sqlite/dist/mc-wa-sqlite.wasm'),
);
const module = await (startCiphers as (options: object) => Promise<object>)({ wasmBinary });
const ciphers = SQLite.Factory(module);
const HEX = Buffer.from(KEY).toString('hex');
const RAW = `"x'${HEX}'"`;
let count = 0;

type Files = Registered['mapNameToFile'];

/** A connection of SQLite3MultipleCiphers. */
async function theirs(
  files: Files,
  key: string,
  sql: string,
): Promise<{ readonly rows: Row[]; readonly files: Files }> {
  const vfs = new MemoryVFS(`theirs-${count++}`, module);
  ciphers.vfs_register(vfs, false);
  for (const [name, file] of files) vfs.mapNameToFile.set(name, file);
  const db = await ciphers.open_v2('/db', undefined, `multipleciphers-${vfs.name}`);
  const rows: Row[] = [];
  await ciphers.exec(db, `pragma cipher = 'chacha20'; pragma key = ${key}`);
  await ciphers.exec(db, sql, (row) => {
    rows.push(row);
  });
  const copy = copyOf(vfs);
  await ciphers.close(db);
  return { rows, files: sql.includes('begin') || sql.includes('wal') ? copy : copyOf(vfs) };
}

const ours = (files: Files = new Map(), key: Uint8Array | string = KEY, rest = {}): Registered =>
  memory({ mode: 'sqlite3mc', key, ...rest }, files);
const FILL = `create table if not exists t(a integer primary key, b blob);
  with recursive n(i) as (select 1 union all select i + 1 from n where i < 300) insert into t(b) select randomblob(i) from n`;
const ALL = 'select count(*), sum(length(b)) from t; pragma integrity_check';
const once = [[300, 45_150], ['ok']];
const twice = [[600, 90_300], ['ok']];

test.each([512, 1024, 4096, 65_536])('pages of %i bytes, there and back', async (pageSize) => {
  const made = await theirs(new Map(), RAW, `pragma page_size = ${pageSize}; ${FILL}`);
  const vfs = ours(made.files);
  const db = await Connection.open(vfs);
  expect(await db.run(ALL)).toEqual(once);
  await db.run(`${FILL}; delete from t where a % 2 = 0; vacuum; insert into t(b) select b from t; delete from t`);
  await db.run(`${FILL}; ${FILL}`);
  await db.close();
  expect((await theirs(copyOf(vfs), RAW, ALL)).rows).toEqual(twice);

  const created = ours(new Map(), KEY, { pageSize });
  const first = await Connection.open(created);
  await first.run(FILL);
  expect(await first.run('pragma page_size')).toEqual([[pageSize]]);
  await first.close();
  expect(Buffer.from(bytesOf(created, '/db')).includes('SQLite format')).toBe(false);
  const added = await theirs(copyOf(created), RAW, `${ALL}; ${FILL}; ${ALL}`);
  expect(added.rows).toEqual([...once, ...twice]);
  const last = await Connection.open(ours(added.files));
  expect(await last.run(ALL)).toEqual(twice);
  await last.close();
});

test('a copy of an authenticated database, whose pages reserve more bytes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lanewise-sqlite-ciphers-'));
  const [from, to] = [join(folder, 'from.db'), join(folder, 'to.db')];
  const db = await openDatabase({ file: from, key: KEY });
  await db.all(FILL);
  await db.close();
  await copyDatabase({ from: { file: from, key: KEY }, to: { file: to, key: KEY, mode: 'sqlite3mc' } });
  const data = Uint8Array.from(readFileSync(to)).buffer;
  rmSync(folder, { recursive: true });
  const files = new Map([['/db', { size: data.byteLength, data, pathname: '/db', flags: 0x106 }]]);
  expect((await theirs(files, RAW, `${ALL}; ${FILL}; ${ALL}`)).rows).toEqual([...once, ...twice]);
});

test('a passphrase, taken as it is', async () => {
  // U+FB01 and a byte order mark: NFKC, or a decoder, would change them.
  const passphrase = '\ufefffive \ufb01ne words';
  const made = await theirs(new Map(), `'${passphrase}'`, FILL);
  const db = await Connection.open(ours(made.files, passphrase));
  expect(await db.run(ALL)).toEqual(once);
  await db.close();
  const vfs = ours(new Map(), passphrase);
  const created = await Connection.open(vfs);
  await created.run(FILL);
  await created.close();
  expect((await theirs(copyOf(vfs), `'${passphrase}'`, ALL)).rows).toEqual(once);
});

const CUT = 'pragma cache_size = 2; begin; update t set b = zeroblob(900)';
test('a transaction that was cut off is rolled back by the other program', async () => {
  const { files } = await theirs(new Map(), RAW, FILL);
  const left = await theirs(files, RAW, CUT);
  expect([...left.files.keys()]).toContain('/db-journal');
  const db = await Connection.open(ours(left.files));
  expect(await db.run(ALL)).toEqual(once);
  await db.run(CUT);
  const vfs = ours(left.files);
  const cut = await Connection.open(vfs);
  await cut.run(CUT);
  const mine = copyOf(vfs);
  expect(mine.get('/db-journal')!.size).toBeGreaterThan(20_000);
  await cut.run('rollback');
  await cut.close();
  await db.run('rollback');
  await db.close();
  expect((await theirs(mine, RAW, ALL)).rows).toEqual(once);
});

test('a log that was left is read by the other program', async () => {
  const wal = 'pragma locking_mode = exclusive; pragma journal_mode = wal';
  const { files } = await theirs(new Map(), RAW, `${wal}; ${FILL}`);
  expect(files.get('/db-wal')!.size).toBeGreaterThan(20_000);
  const db = await Connection.open(ours(files));
  expect(await db.run(`pragma locking_mode = exclusive; ${ALL}`)).toEqual([['exclusive'], ...once]);
  await db.close();

  const vfs = ours();
  const made = await Connection.open(vfs);
  await made.run(`${wal}; ${FILL}; pragma cache_size = 2; begin; update t set b = randomblob(length(b) * 2);
    update t set b = randomblob(length(b) / 2); commit`);
  expect(await made.run(ALL)).toEqual(once);
  const left = copyOf(vfs);
  expect(left.get('/db-wal')!.size).toBeGreaterThan(20_000);
  await made.close();
  const { rows } = await theirs(left, RAW, `pragma locking_mode = exclusive; ${ALL}`);
  expect(rows).toEqual([['exclusive'], ...once]);
});

test('VACUUM by the other program, and a second database that is attached, there and back', async () => {
  const both = (a: number): string =>
    `begin; insert into t(b) values (zeroblob(${a})); insert into two.u values (${a}); commit`;
  const sums = 'select sum(length(b)) from t; select sum(a) from two.u; pragma integrity_check';
  const vfs = ours();
  const db = await Connection.open(vfs);
  await db.run(`attach '/two' as two; ${FILL}; create table two.u(a); ${both(100)}; detach two`);
  await db.close();
  const added = await theirs(
    copyOf(vfs),
    RAW,
    `attach '/two' as two; ${sums}; ${both(1000)}; delete from t where a = 1; vacuum; vacuum two`,
  );
  expect(added.rows).toEqual([[45_250], [100], ['ok']]);
  const back = ours(added.files);
  const last = await Connection.open(back);
  expect(await last.run(`attach '/two' as two; ${sums}`)).toEqual([[46_249], [1100], ['ok']]);
  await last.run(both(5));
  await last.close();
  const { rows } = await theirs(copyOf(back), RAW, `attach '/two' as two; ${sums}`);
  expect(rows).toEqual([[46_254], [1105], ['ok']]);
});

test('a wrong key, also with a journal that was left, changes nothing', async () => {
  const { files } = await theirs(new Map(), RAW, FILL);
  const left = await theirs(files, RAW, CUT);
  for (const start of [files, left.files]) {
    const vfs = ours(new Map([...start].map(([name, file]) => [name, { ...file, data: file.data.slice(0) }])), 'other');
    const before = copyOf(vfs);
    const db = await Connection.open(vfs);
    await expect(db.run('select * from t')).rejects.toThrow();
    expect(vfs.failure).toContain('wrong key');
    await db.close();
    expect([...vfs.mapNameToFile.keys()]).toEqual([...before.keys()]);
    for (const name of before.keys()) {
      const { data, size } = before.get(name)!;
      expect(Buffer.from(bytesOf(vfs, name)).equals(Buffer.from(data, 0, size))).toBe(true);
    }
  }
});

test('a changed or moved page is an error', async () => {
  const { files } = await theirs(new Map(), RAW, FILL);
  const pages = files.get('/db')!.size / 4096;
  expect(pages).toBeGreaterThan(10);
  for (let page = 0; page < pages; page++) {
    const vfs = ours(new Map([['/db', { ...files.get('/db')!, data: files.get('/db')!.data.slice(0) }]]));
    bytesOf(vfs, '/db')[page * 4096 + [30, 4063, 4064, 4079, 4080, 4095][page % 6]] ^= 1;
    const db = await Connection.open(vfs);
    await expect(db.run(ALL)).rejects.toThrow();
    expect(vfs.failure).toContain(`page ${page + 1} `);
    await db.close();
  }
});

test('a counter that begins near its end goes on at 0', async () => {
  const { files } = await theirs(new Map(), RAW, FILL);
  const bytes = new Uint8Array(files.get('/db')!.data);
  const cipher = new PageCipher(KEY, bytes.subarray(0, 16), 4096);
  const page = new Uint8Array(4096);
  // The page's keys are at 2^32 - 1, or the second block of the page is; numbers are little-endian.
  for (const [number, last] of [
    [2, 0xff_ff_ff_ff],
    [3, 0xff_ff_ff_fd],
    [4, 0xff_ff_ff_e0],
  ]) {
    const stored = bytes.subarray((number - 1) * 4096, number * 4096);
    expect(cipher.open(stored, number, page)).toBe(true);
    const nonce = new Uint8Array(16).fill(number);
    new DataView(nonce.buffer).setUint32(12, (last ^ number) >>> 0, true);
    cipher.seal(page, number, stored, nonce);
  }
  expect((await theirs(files, RAW, ALL)).rows).toEqual(once);
});

test('files that are not of this cipher, and options that it has not', async () => {
  const text = new TextEncoder().encode('some text '.repeat(1000));
  const vfs = ours(new Map([['/db', { size: text.length, data: text.buffer, pathname: '/db', flags: 0 }]]));
  await expect(Connection.open(vfs).then((db) => db.run('select 1 from sqlite_schema'))).rejects.toThrow();
  expect(vfs.failure).toContain('no database that SQLite3MultipleCiphers encrypted');
  await expect(async () => vfs.rekey('/db', 'x')).rejects.toThrow('rekey() needs the mode authenticated');
  expect(() => encryptVFS(MemoryVFS, { key: 'x', mode: 'sqlite3mc', costs: { logN: 1, r: 8, p: 1 } })).toThrow(
    '"costs" isn\'t an option of the mode sqlite3mc',
  );
  expect(() => register(encryptVFS(MemoryVFS, { key: KEY, mode: 'other' as never }))).toThrow(
    '"mode" expected authenticated, adiantum or sqlite3mc, got other',
  );
});
