/**
 * Databases in the VFS of wa-sqlite that answer later: OPFS from any context, and IndexedDB. In each mode they are filled, rolled back, closed
 * and opened again by a second connection. The page gets a line for each, or an error.
 */
import start from '@journeyapps/wa-sqlite/dist/wa-sqlite-async.mjs';
import { Factory } from '@journeyapps/wa-sqlite';
// @ts-expect-error -- wa-sqlite has no types of it
import { OPFSAnyContextVFS } from '@journeyapps/wa-sqlite/src/examples/OPFSAnyContextVFS.js';
import { IDBBatchAtomicVFS } from '@journeyapps/wa-sqlite/src/examples/IDBBatchAtomicVFS.js';
// @ts-expect-error -- wa-sqlite has no types of it
import { IDBMirrorVFS } from '@journeyapps/wa-sqlite/src/examples/IDBMirrorVFS.js';
import { encryptVFS, type BaseVFS, type Mode } from '../../src/index.ts';

type Base = new (name: string, module: object) => BaseVFS & { close(): void | Promise<void> };
const BASES: Readonly<Record<string, Base>> = {
  OPFSAnyContextVFS: OPFSAnyContextVFS as Base,
  IDBBatchAtomicVFS: IDBBatchAtomicVFS as unknown as Base,
  IDBMirrorVFS: IDBMirrorVFS as Base,
};
const FILL = `create table if not exists t(a, b); with recursive n(i) as (select 1 union all select i + 1 from n where i < 300)
  insert into t select i, 'a secret row ' || i from n; pragma cache_size = 2; update t set a = a + 1;
  create table if not exists u as select * from t order by b`;
const MORE = '; begin; update t set b = hex(zeroblob(300)); rollback; vacuum';

/** Whether bytes hold plaintext of the database. */
function isReadable(bytes: ArrayBuffer): boolean {
  const text = new TextDecoder('latin1').decode(bytes);
  return text.includes('secret row') || text.includes('SQLite format');
}

async function isReadableInOpfs(): Promise<boolean> {
  const root = (await navigator.storage.getDirectory()) as unknown as { values(): AsyncIterable<FileSystemFileHandle> };
  for await (const handle of root.values())
    if (handle.kind === 'file' && isReadable(await (await handle.getFile()).arrayBuffer())) return true;
  return false;
}

const ended = <Value>(request: IDBRequest<Value>): Promise<Value> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(new Error(String(request.error)));
  });

async function isReadableInIndexedDB(name: string): Promise<boolean> {
  const db = await ended(indexedDB.open(name));
  const records = (await ended(db.transaction('blocks').objectStore('blocks').getAll())) as {
    data: Uint8Array<ArrayBuffer>;
  }[];
  db.close();
  if (records.length === 0) throw new Error(`${name} is empty`);
  return records.some(({ data }) => isReadable(data.slice().buffer));
}

async function run(base: string, modes: readonly Mode[]): Promise<string[]> {
  const wasmBinary = await (await fetch('wa-sqlite-async.wasm')).arrayBuffer();
  const module = await (start as (options: object) => Promise<object>)({ wasmBinary });
  const sqlite3 = Factory(module);
  const lines: string[] = [];
  for (const mode of modes) {
    const Class = BASES[base];
    const name = `${base}-${mode}`;
    const vfs = await encryptVFS(Class, { key: new Uint8Array(32).fill(7), mode }).create(name, module);
    sqlite3.vfs_register(vfs as never, false);
    const results: unknown[] = [mode];
    try {
      for (let time = 0; time < 2; time++) {
        const db = await sqlite3.open_v2(`/${name}.db`, undefined, vfs.name);
        await sqlite3.exec(db, FILL + MORE);
        await sqlite3.exec(
          db,
          'select count(*), sum(a) from t; select count(*) from u; pragma integrity_check',
          (row) => {
            results.push(...row);
          },
        );
        await sqlite3.close(db);
      }
    } catch (error) {
      results.push((error as Error).message, vfs.failure);
    }
    await vfs.close();
    const readable = base.startsWith('OPFS') ? isReadableInOpfs() : isReadableInIndexedDB(name);
    results.push((await readable) ? 'readable' : 'encrypted');
    lines.push(results.join(' '));
  }
  return lines;
}

const post = (lines: string[]) => fetch('result', { method: 'POST', body: lines.join('\n') });
const [base, modes] = location.search.slice(1).split('=') as [string, string];
run(base, modes.split(',') as Mode[]).then(post, (error: unknown) => post([String(error)]));
