/**
 * `openDatabase` in a browser, in this order: on a page, which is refused; in a worker; beside it in a second worker, which is refused and,
 * later, ended in the midst of a transaction. The server gets a line for each step, then the database's bytes for Node.
 */
import { openDatabase } from '../../src/browser.ts';

const KEY = new Uint8Array(32).fill(7);
const wasm = new URL('wa-sqlite.wasm', location.href);
const lines: string[] = [];
const costs = { logN: 10, r: 8, p: 1 };

const refused = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'not refused',
    (error: unknown) => (error as Error).message,
  );

const root = () => navigator.storage.getDirectory();
async function names(): Promise<string> {
  const found: string[] = [];
  for await (const name of ((await root()) as unknown as { keys(): AsyncIterable<string> }).keys()) found.push(name);
  return found.sort().join();
}
async function bytesOf(name: string): Promise<Uint8Array> {
  return new Uint8Array(await (await (await (await root()).getFileHandle(name)).getFile()).arrayBuffer());
}

/** A second worker of this file, and the first message that it sends. */
async function other(task: string): Promise<{ readonly worker: Worker; readonly said: unknown }> {
  const worker = new Worker(`${location.pathname}?${task}`, { type: 'module' });
  const said = await new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data)));
  return { worker, said };
}

const TASKS: Record<string, () => Promise<unknown>> = {
  open: () => refused(openDatabase({ file: 'notes.db', key: KEY, wasm })),
  async cut() {
    const db = await openDatabase({ file: 'notes.db', key: KEY, wasm });
    await db.all(`pragma cache_size = 1; begin; update notes set text = 'never'`);
    return 'in a transaction';
  },
};

interface Writable {
  getSize(): number;
  write(data: Uint8Array, options: { readonly at: number }): number;
}

/** Lets files grow by a number of bytes, and then writes fail as they do when the quota is out. */
function limit(bytes: number): () => void {
  const { prototype } = (globalThis as unknown as { FileSystemSyncAccessHandle: { prototype: Writable } })
    .FileSystemSyncAccessHandle;
  const write = Object.getOwnPropertyDescriptor(prototype, 'write')!.value as Writable['write'];
  let left = bytes;
  prototype.write = function (data, options) {
    const grown = Math.max(0, options.at + data.length - this.getSize());
    if (grown > left) throw new DOMException('No space available for this operation', 'QuotaExceededError');
    left -= grown;
    return write.call(this, data, options);
  };
  return () => (prototype.write = write);
}

async function inWorker(): Promise<void> {
  lines.push(await refused(openDatabase({ file: 'notes.db', key: KEY, wasm: new URL('missing.wasm', location.href) })));
  lines.push(await refused(openDatabase({ file: 'notes.db', key: KEY, wasm: new URL('./', location.href) })));
  const db = await openDatabase({ file: 'notes.db', key: KEY, wasm });
  await db.all('create table notes(id integer primary key, text)');
  await db.all(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000)
    insert into notes select i, 'secret note ' || i from n order by -i`);
  await db.all('delete from notes where id % 3 = 0; vacuum; create temporary table t as select * from notes');
  const sum = 'select count(*) as n, sum(id) as s from notes';
  lines.push(JSON.stringify(await db.all(`${sum}; pragma integrity_check`)));
  lines.push(await refused(db.all(`attach 'more.db' as more`)));

  lines.push(String((await other('open')).said));

  const free = limit(100_000);
  lines.push(await refused(db.all(`update notes set text = text || hex(randomblob(2000))`)));
  lines.push(JSON.stringify(await db.all(sum)));
  free();
  await db.all(`update notes set text = text || '!'`);
  lines.push(JSON.stringify(await db.all(`${sum} where text glob 'secret note *!'; pragma integrity_check`)));
  await Promise.all([db.close(), db.close()]);
  lines.push(await names());
  const text = new TextDecoder('latin1').decode(await bytesOf('notes.db'));
  lines.push(text.includes('secret note') || text.includes('SQLite format') ? 'readable' : 'encrypted');

  const { worker, said } = await other('cut');
  worker.terminate();
  lines.push(String(said), await names());
  lines.push(await refused(openDatabase({ file: 'notes.db', key: new Uint8Array(32), wasm })));
  const again = await openDatabase({ file: 'notes.db', key: KEY, wasm });
  lines.push(JSON.stringify(await again.all(`${sum} where text glob 'secret note *!'; pragma integrity_check`)));
  await again.close();

  lines.push(await refused(openDatabase({ file: 'empty.db', key: 'x', wasm, costs }).then((one) => one.close())));
  const log = await openDatabase({ file: 'a/folder/log.db', key: 'a passphrase', costs });
  await log.all(
    'pragma locking_mode = exclusive; pragma journal_mode = wal; create table t(a); insert into t values (1)',
  );
  lines.push(JSON.stringify(await log.all('pragma journal_mode; select a from t')));
  await log.close();
  lines.push(await names());
  lines.push(btoa(String.fromCharCode(...(await bytesOf('notes.db')))));
}

const post = () => fetch('result', { method: 'POST', body: lines.join('\n') });
const failed = (error: unknown) => {
  lines.push(String(error));
  return post();
};
const task = TASKS[location.search.slice(1)] as (() => Promise<unknown>) | undefined;
if (typeof document !== 'undefined') {
  refused(openDatabase({ file: 'notes.db', key: KEY, wasm })).then((message) => {
    const worker = new Worker(document.querySelector('script')!.src, { type: 'module' });
    worker.postMessage(message);
  }, failed);
} else if (task) task().then((said) => postMessage(said), failed);
else
  onmessage = ({ data }) => {
    lines.push(String(data));
    inWorker().then(post, failed);
  };
