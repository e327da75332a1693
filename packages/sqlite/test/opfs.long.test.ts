/** Encrypted databases in a browser's own files (OPFS), in workers. Other bases, and file systems, are in opfs-bases.nightly.test.ts. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Browser } from '../../runtimes/src/browsers.ts';
import { chromium } from '../../runtimes/src/chromium.ts';
import { firefox } from '../../runtimes/src/firefox.ts';
import { webkit } from '../../runtimes/src/webkit.ts';
import { openDatabase } from '../src/node.ts';
import { OF_FILES, run } from './opfs-browser.ts';

test('Chromium: AccessHandlePoolVFS, encrypted in each mode', async (context) => {
  const page = '<script>new Worker("worker.js", { type: "module" })</script>';
  expect(await run(chromium, context, 'worker', page)).toBe(
    ['authenticated', 'adiantum', 'sqlite3mc']
      .map((mode) => `${mode} 3000 4504500 ok 6000 9012000 ok encrypted`)
      .join('\n'),
  );
});

const USED =
  'cannot open /notes.db: another tab, worker or connection has it open, and OPFS gives a file to one at a time; close it there';
const LINES = [
  'openDatabase() needs a dedicated worker: call it in a script that new Worker() starts',
  'cannot load SQLite: "wasm" expected a file at SITE/missing.wasm, got status=404',
  'cannot load SQLite: "wasm" expected WebAssembly, got other bytes from SITE/',
  '[{"n":1334,"s":1334667},{"integrity_check":"ok"}]',
  'unable to open database: more.db: cannot open more.db: in a browser a connection has one database, /notes.db; open others by openDatabase()',
  USED,
  'database or disk is full: cannot write: the space that the browser gives to this site is used up',
  '[{"n":1334,"s":1334667}]',
  '[{"n":1334,"s":1334667},{"integrity_check":"ok"}]',
  'notes.db',
  'encrypted',
  'in a transaction',
  'notes.db,notes.db-journal,notes.db-wal',
  'file is not a database: wrong key, or the header of the database was changed',
  '[{"n":1334,"s":1334667},{"integrity_check":"ok"}]',
  'not refused',
  '[{"journal_mode":"wal"},{"a":1}]',
  'a,notes.db',
];

for (const browser of [chromium, firefox])
  test(`${browser.name}: openDatabase, whose file opens in Node, too`, async (context) => {
    const came = await run(browser, context, 'open-worker', '<script type="module" src="worker.js"></script>');
    const lines = came.split('\n');
    expect(lines.slice(0, LINES.length)).toEqual(LINES);
    const folder = mkdtempSync(join(tmpdir(), 'lanewise-sqlite-test-'));
    const file = join(folder, 'notes.db');
    writeFileSync(file, Buffer.from(lines[LINES.length], 'base64'));
    const db = await openDatabase({ file, key: new Uint8Array(32).fill(7) });
    expect(await db.all('select text from notes where id = 2')).toEqual([{ text: 'secret note 2!' }]);
    await db.close();
    rmSync(folder, { recursive: true });
  });

test('WebKitGTK, which has no OPFS: the error says so', async (context) => {
  const lines = await run(webkit, context, 'open-worker', '<script type="module" src="worker.js"></script>');
  expect(lines.split('\n')[0]).toMatch(/^openDatabase\(\) needs OPFS: navigator\.storage\.getDirectory is missing, /);
});

const REFUSED = 'another tab, worker or connection has it open, and OPFS gives a file to one at a time; close it there';
const CLOSED = '[Chromium says so]; close the database and open it again';
const WHOLE = 'again: [{"n":500,"s":500},{"integrity_check":"ok"}]';

test('Chromium: handles that are taken away', async (context) => {
  const page = '<script>new Worker("worker.js", { type: "module" })</script>';
  const came = await run(chromium, context, 'lost-worker', page);
  expect(came.replaceAll(/Failed to execute [^;]*?(?=[;\n])/g, '[Chromium says so]').split('\n')).toEqual([
    `closed, update t set a = a || '?': disk I/O error: cannot write a file in OPFS: ${CLOSED}`,
    'closed, commit: cannot commit - no transaction is active',
    'closed, rollback: cannot rollback - no transaction is active',
    `closed, select * from t: disk I/O error: cannot look for a file in OPFS: ${CLOSED}`,
    `closed, insert into t values (1): disk I/O error: cannot look for a file in OPFS: ${CLOSED}`,
    'close: done, encrypted',
    WHOLE,
    'remove: [Chromium says so]',
    WHOLE.replace('again', 'removed'),
    "pool, update t set a = a || '?': disk I/O error: [Chromium says so]",
    'pool, select * from t: disk I/O error: [Chromium says so]',
    'pool, insert into t values (1): disk I/O error: [Chromium says so]',
    'close: 0, encrypted',
    'again: "500 500 ok"',
    // Chromium tells the holder of a handle nothing: bytes go to a file that isn't there any more.
    'cleared, select count(*) as n from t: [{"n":500}]',
    'cleared, insert into t values (1): []',
    'close: /cleared.db was removed while it was open, as where the storage of a site is cleared: open it again',
    'again: [{"n":0}]',
  ]);
});

/** Without a click, a page opens no tab. */
const withTabs: Browser = {
  ...chromium,
  async program(path, session) {
    const program = await chromium.program(path, session);
    return { ...program, arguments: ['--disable-popup-blocking', ...(program.arguments ?? [])] };
  },
};

test('Chromium: two tabs and one database', async (context) => {
  const came = await run(withTabs, context, 'tabs-worker', '<script type="module" src="worker.js"></script>');
  expect(came.split('\n')).toEqual([
    'second AccessHandlePoolVFS: 1 ok',
    'second opfs-sahpool: 1',
    'second openDatabase: [{"n":1}]',
    `first AccessHandlePoolVFS: Error: cannot open the VFS pool: ${REFUSED}`,
    'first opfs-sahpool: Error: there is no VFS "opfs-sahpool": install it before; if OPFS refuses, close the tab that has its files',
    `first openDatabase: Error: cannot open /tabs.db: ${REFUSED}`,
    'alone AccessHandlePoolVFS: 2 ok',
    'alone opfs-sahpool: 2',
    'alone openDatabase: [{"n":2}]',
    'wrote',
    'wrote',
    'first 6 15 third 6 15 ok',
    'first 6 15 third 6 15 ok',
  ]);
});

test('Chromium: encryptedFileSystem', async (context) => {
  const page = '<script>new Worker("worker.js", { type: "module" })</script>';
  expect((await run(chromium, context, 'files-worker', page)).split('\n')).toEqual(OF_FILES);
});
