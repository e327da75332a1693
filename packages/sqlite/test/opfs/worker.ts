/** Databases in a browser's own files (OPFS), of each mode: used, closed, opened again. The page gets a line for each, or an error. */
import start from '@journeyapps/wa-sqlite/dist/wa-sqlite.mjs';
import { Factory } from '@journeyapps/wa-sqlite';
// @ts-expect-error -- wa-sqlite has no types of it
import { AccessHandlePoolVFS as Untyped } from '@journeyapps/wa-sqlite/src/examples/AccessHandlePoolVFS.js';
import { encryptVFS, type BaseVFS } from '../../src/index.ts';

const AccessHandlePoolVFS = Untyped as new (name: string, module: object) => BaseVFS & { close(): Promise<void> };
const FILL = `create table if not exists t(a, b); with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
  insert into t select i, 'a secret row ' || i from n; pragma cache_size = 2; update t set a = a + 1; vacuum`;

/** Whether a file of the folder can be read. */
async function isReadable(folder: string): Promise<boolean> {
  const root = await navigator.storage.getDirectory();
  const files = (await root.getDirectoryHandle(folder)) as unknown as { values(): AsyncIterable<FileSystemFileHandle> };
  for await (const handle of files.values()) {
    const text = new TextDecoder('latin1').decode(await (await handle.getFile()).arrayBuffer());
    if (text.includes('secret row') || text.includes('SQLite format')) return true;
  }
  return false;
}

async function run(): Promise<string[]> {
  const wasmBinary = await (await fetch('wa-sqlite.wasm')).arrayBuffer();
  const module = await (start as (options: object) => Promise<object>)({ wasmBinary });
  const sqlite3 = Factory(module);
  const lines: string[] = [];
  for (const mode of ['authenticated', 'adiantum', 'sqlite3mc'] as const) {
    const vfs = await encryptVFS(AccessHandlePoolVFS, { key: new Uint8Array(32).fill(7), mode }).create(mode, module);
    sqlite3.vfs_register(vfs as never, false);
    const results: unknown[] = [mode];
    for (let time = 0; time < 2; time++) {
      const db = await sqlite3.open_v2('/db', undefined, vfs.name);
      await sqlite3.exec(db, FILL);
      await sqlite3.exec(db, 'select count(*), sum(a) from t; pragma integrity_check', (row) => {
        results.push(...row);
      });
      await sqlite3.close(db);
    }
    await vfs.close();
    results.push((await isReadable(mode)) ? 'readable' : 'encrypted');
    lines.push(results.join(' '));
  }
  return lines;
}

const post = (lines: string[]) => fetch('result', { method: 'POST', body: lines.join('\n') });
run().then(post, (error: unknown) => post([String(error)]));
