/**
 * Two tabs of one browser and one encrypted database. The first tab opens a second, whose worker holds databases in three ways; the worker
 * of the first asks for the same ones, and again when the second tab was closed. Then both write in turns, over a VFS that has locks. The
 * server gets a line for each answer.
 */
import startNow from '@journeyapps/wa-sqlite/dist/wa-sqlite.mjs';
import startLater from '@journeyapps/wa-sqlite/dist/wa-sqlite-async.mjs';
import { Factory } from '@journeyapps/wa-sqlite';
// @ts-expect-error -- wa-sqlite has no types of it
import { AccessHandlePoolVFS } from '@journeyapps/wa-sqlite/src/examples/AccessHandlePoolVFS.js';
// @ts-expect-error -- wa-sqlite has no types of it
import { OPFSAnyContextVFS } from '@journeyapps/wa-sqlite/src/examples/OPFSAnyContextVFS.js';
import sqlite3InitModule from '@sqlite.org/sqlite-wasm';
import { openDatabase } from '../../src/browser.ts';
import { encryptVFS, type BaseVFS } from '../../src/index.ts';
import { installEncryptedVFS } from '../../src/official.ts';

type Base = new (name: string, module: object) => BaseVFS & { close(): void | Promise<void> };
type Start = (options: object) => Promise<object>;

const key = new Uint8Array(32).fill(7);
const TURNS = 6;
const ADD = 'create table if not exists t(a); insert into t values (1)';
const COUNT = 'select count(*) from t; pragma integrity_check';

async function begin(start: unknown, wasm: string) {
  const module = await (start as Start)({ wasmBinary: await (await fetch(wasm)).arrayBuffer() });
  return { module, sqlite3: Factory(module) };
}

async function connected(start: unknown, wasm: string, Base: unknown, name: string) {
  const { module, sqlite3 } = await begin(start, wasm);
  const vfs = await encryptVFS(Base as Base, { key }).create(name, module);
  sqlite3.vfs_register(vfs as never, false);
  const db = await sqlite3.open_v2(`/${name}.db`, undefined, vfs.name);
  return async (sql: string): Promise<string> => {
    const values: unknown[] = [];
    await sqlite3.exec(db, sql, (row) => void values.push(...row));
    return values.join(' ');
  };
}

/** The tasks of a worker; each answers with a text. */
const TASKS: Readonly<Record<string, (tab: string) => Promise<string>>> = {
  async AccessHandlePoolVFS() {
    const run = await connected(startNow, 'wa-sqlite.wasm', AccessHandlePoolVFS, 'pool');
    await run(ADD);
    return run(COUNT);
  },
  async 'opfs-sahpool'() {
    const sqlite3 = await sqlite3InitModule();
    // Its types don't know it. An application that doesn't look at the error meets the next one.
    const again = { forceReinitIfPreviouslyFailed: true } as object;
    await sqlite3.installOpfsSAHPoolVfs(again).catch(() => undefined);
    await installEncryptedVFS(sqlite3, { key, base: 'opfs-sahpool' });
    const db = new sqlite3.oo1.DB({ filename: '/tabs.db', vfs: 'lanewise' });
    db.exec(ADD);
    return (db.selectValue('select count(*) from t') as number).toString();
  },
  async openDatabase() {
    const db = await openDatabase({ file: 'tabs.db', key, wasm: new URL('wa-sqlite.wasm', location.href) });
    await db.all(ADD);
    return JSON.stringify(await db.all('select count(*) as n from t'));
  },
  async write(tab) {
    const run = await connected(startLater, 'wa-sqlite-async.wasm', OPFSAnyContextVFS, 'any');
    await run('create table if not exists u(tab, i, filler)');
    for (let i = 0; i < TURNS; i++)
      await run(`begin immediate; insert into u values ('${tab}', ${i}, hex(zeroblob(3000))); commit`);
    return 'wrote';
  },
  async rows() {
    const run = await connected(startLater, 'wa-sqlite-async.wasm', OPFSAnyContextVFS, 'any');
    return run('select tab, count(*), sum(i) from u group by tab order by tab; pragma integrity_check');
  },
};

/** A task's answer, or its error. Workers of both tabs listen to one channel. */
interface Asked {
  readonly tab: string;
  readonly task: string;
}
const channel = new BroadcastChannel('tabs');

function serve(tab: string): void {
  channel.onmessage = ({ data }: MessageEvent<Asked>) => {
    if (data.tab !== tab || !(data.task in TASKS)) return;
    TASKS[data.task](tab).then(
      (said) => channel.postMessage({ from: tab, said }),
      (error: unknown) => channel.postMessage({ from: tab, said: String(error) }),
    );
  };
  channel.postMessage({ from: tab, said: 'ready' });
}

/** The next message of a tab. */
const heard = (tab: string): Promise<string> =>
  new Promise((resolve) => {
    const other = new BroadcastChannel('tabs');
    other.onmessage = ({ data }: MessageEvent<{ readonly from?: string; readonly said: string }>) => {
      if (data.from !== tab) return;
      other.close();
      resolve(data.said);
    };
  });

function ask(tab: string, task: string): Promise<string> {
  const answer = heard(tab);
  channel.postMessage({ tab, task });
  return answer;
}

const scriptOf = (tab: string) => new Worker(`worker.js?${tab}`, { type: 'module' });

/** Opens a real tab of its own. It is ready when its worker is. */
async function open(tab: string): Promise<void> {
  const ready = heard(tab);
  window.open(`./?${tab}`, '_blank', 'noopener');
  await ready;
}

async function first(): Promise<string[]> {
  const ready = heard('first');
  scriptOf('first');
  await ready;
  await open('second');
  const lines: string[] = [];
  const HELD = ['AccessHandlePoolVFS', 'opfs-sahpool', 'openDatabase'];
  for (const tab of ['second', 'first']) for (const task of HELD) lines.push(`${tab} ${task}: ${await ask(tab, task)}`);
  channel.postMessage({ tab: 'second', task: 'close' });
  // The tab holds this lock as long as it is there.
  await navigator.locks.request('second', () => undefined);
  for (const task of HELD) {
    let said = '';
    // A browser lets go of files a moment later.
    for (let i = 0; i < 100 && !/^\S*\b2\b/.test(said); i++) said = await ask('first', task);
    lines.push(`alone ${task}: ${said}`);
  }
  await open('third');
  lines.push(...(await Promise.all(['first', 'third'].map((tab) => ask(tab, 'write')))));
  for (const tab of ['first', 'third']) lines.push(await ask(tab, 'rows'));
  return lines;
}

const tab = location.search.slice(1);
const post = (lines: string[]) => fetch('result', { method: 'POST', body: lines.join('\n') });
if (typeof document === 'undefined') serve(tab);
else if (tab === '') first().then(post, (error: unknown) => post([String(error)]));
else {
  void navigator.locks.request(tab, () => new Promise(() => undefined));
  channel.onmessage = ({ data }: MessageEvent<Asked>) => {
    if (data.tab === tab && data.task === 'close') window.close();
  };
  scriptOf(tab);
}
