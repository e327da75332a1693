/**
 * Handles that are taken away while an encrypted database is open: closed by other code, the file removed, the storage of the site cleared.
 * The server gets a line for each answer.
 */
import start from '@journeyapps/wa-sqlite/dist/wa-sqlite.mjs';
import { Factory } from '@journeyapps/wa-sqlite';
// @ts-expect-error -- wa-sqlite has no types of it
import { AccessHandlePoolVFS as Untyped } from '@journeyapps/wa-sqlite/src/examples/AccessHandlePoolVFS.js';
import { openDatabase } from '../../src/browser.ts';
import { encryptVFS, type BaseVFS } from '../../src/index.ts';

const AccessHandlePoolVFS = Untyped as new (name: string, module: object) => BaseVFS & { close(): Promise<void> };
const key = new Uint8Array(32).fill(7);
const wasm = new URL('wa-sqlite.wasm', location.href);
const lines: string[] = [];

interface Handle {
  close(): void;
}
interface Opening {
  createSyncAccessHandle(): Promise<Handle>;
}
const handles: Handle[] = [];
const { prototype } = FileSystemFileHandle as unknown as { readonly prototype: Opening };
const create = Object.getOwnPropertyDescriptor(prototype, 'createSyncAccessHandle')!
  .value as Opening['createSyncAccessHandle'];
prototype.createSyncAccessHandle = async function () {
  const handle = await create.call(this);
  handles.push(handle);
  return handle;
};
/** As code does that doesn't know whose they are. */
const closeAll = (): void => {
  for (const handle of handles.splice(0)) handle.close();
};

const answer = (work: Promise<unknown>): Promise<string> =>
  work.then(
    (value) => JSON.stringify(value) ?? 'done',
    (error: unknown) => (error as Error).message,
  );

const FILL = `create table t(a); with recursive n(i) as (select 1 union all select i + 1 from n where i < 500)
  insert into t select 'a secret row ' || i from n`;
const SUM = `select count(*) as n, sum(a glob 'a secret row *') as s from t; pragma integrity_check`;
const CHANGE = `pragma cache_size = 1; begin; update t set a = a || '!'`;

async function isReadable(folder: unknown): Promise<boolean> {
  for await (const each of (folder as { values(): AsyncIterable<FileSystemHandle> }).values()) {
    if (each.kind === 'directory') {
      if (await isReadable(each)) return true;
      continue;
    }
    const bytes = await (await (each as FileSystemFileHandle).getFile()).arrayBuffer();
    if (/secret row|SQLite format/.test(new TextDecoder('latin1').decode(bytes))) return true;
  }
  return false;
}
const root = () => navigator.storage.getDirectory();
const scan = async () => ((await isReadable(await root())) ? 'readable' : 'encrypted');

const open = (file: string) => openDatabase({ file, key, wasm });

async function again(file: string, sql = SUM): Promise<string> {
  const db = await open(file);
  const said = await answer(db.all(sql));
  await db.close();
  return said;
}

async function closed(): Promise<void> {
  const db = await open('closed.db');
  await db.all(FILL);
  await db.all(CHANGE);
  closeAll();
  for (const sql of ["update t set a = a || '?'", 'commit', 'rollback', 'select * from t', 'insert into t values (1)'])
    lines.push(`closed, ${sql}: ${await answer(db.all(sql))}`);
  lines.push(`close: ${await answer(db.close())}, ${await scan()}`, `again: ${await again('closed.db')}`);
}

async function removed(): Promise<void> {
  const db = await open('removed.db');
  await db.all(FILL);
  lines.push(`remove: ${await answer((await root()).removeEntry('removed.db'))}`);
  lines.push(`removed: ${await answer(db.all(SUM))}`);
  await db.close();
}

async function cleared(): Promise<void> {
  const db = await open('cleared.db');
  await db.all(FILL);
  await fetch('clear', { method: 'POST', body: '' });
  await fetch('cleared');
  for (const sql of ['select count(*) as n from t', 'insert into t values (1)'])
    lines.push(`cleared, ${sql}: ${await answer(db.all(sql))}`);
  lines.push(`close: ${await answer(db.close())}`);
  lines.push(`again: ${await again('cleared.db', 'select count(*) as n from sqlite_schema')}`);
}

async function pool(): Promise<void> {
  const module = await (start as (options: object) => Promise<object>)({
    wasmBinary: await (await fetch(wasm)).arrayBuffer(),
  });
  const sqlite3 = Factory(module);
  const make = async () => {
    const vfs = await encryptVFS(AccessHandlePoolVFS, { key }).create('pool', module);
    sqlite3.vfs_register(vfs as never, false);
    const db = await sqlite3.open_v2('/lost.db', undefined, vfs.name);
    return {
      vfs,
      db,
      run: async (sql: string) => {
        const values: unknown[] = [];
        await sqlite3.exec(db, sql, (row) => void values.push(...row));
        return values.join(' ');
      },
    };
  };
  const one = await make();
  await one.run(FILL);
  await one.run(CHANGE);
  closeAll();
  for (const sql of ["update t set a = a || '?'", 'select * from t', 'insert into t values (1)'])
    lines.push(`pool, ${sql}: ${await answer(one.run(sql))}: ${one.vfs.failure}`);
  lines.push(`close: ${await answer(sqlite3.close(one.db))}, ${await scan()}`);
  await one.vfs.close();
  const two = await make();
  lines.push(`again: ${await answer(two.run(SUM))}`);
}

async function run(): Promise<void> {
  for (const work of [closed, removed, pool, cleared]) await work();
}
const post = () => fetch('result', { method: 'POST', body: lines.join('\n') });
run().then(post, (error: unknown) => {
  lines.push(String(error));
  return post();
});
