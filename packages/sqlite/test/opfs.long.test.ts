/** Encrypted databases in a browser's own files (OPFS), in workers. */
import { build } from 'esbuild';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test, type TestContext } from 'vitest';
import { browse, findBrowser, type Browser } from '../../runtimes/src/browsers.ts';
import { chromium } from '../../runtimes/src/chromium.ts';
import { firefox } from '../../runtimes/src/firefox.ts';
import { serveLocally } from '../../runtimes/src/loopback.ts';
import { inWords } from '../../runtimes/src/processes.ts';
import { webkit } from '../../runtimes/src/webkit.ts';
import { openDatabase } from '../src/node.ts';

const wasm = createRequire(import.meta.url).resolve('@journeyapps/wa-sqlite/dist/wa-sqlite.wasm');
const wasmLater = createRequire(import.meta.url).resolve('@journeyapps/wa-sqlite/dist/wa-sqlite-async.wasm');
const official = createRequire(import.meta.url).resolve('@sqlite.org/sqlite-wasm/sqlite3.wasm');
const pglite = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'));
const OF_PGLITE = ['pglite.wasm', 'pglite.data', 'initdb.wasm'];
const ICON = '<!doctype html><link rel="icon" href="data:,">';

/** Opens a page that uses a script of `opfs/`, and returns the text that it sends. */
async function run(browser: Browser, context: TestContext, name: string, page: string): Promise<string> {
  const found = await findBrowser(browser);
  if (found.missing !== undefined) {
    context.skip(`${found.missing} is missing: ${found.howToGet}`);
    return '';
  }
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, `opfs/${name}.ts`)],
    bundle: true,
    write: false,
    format: 'esm',
    external: ['module', 'node:module'],
    logLevel: 'error',
  });
  const came = Promise.withResolvers<string>();
  const headers: Record<string, string> = {};
  const server = await serveLocally({
    headers,
    get: (path) => {
      // One answer had it.
      delete headers['clear-site-data'];
      return Promise.resolve(
        path === '/'
          ? ICON + page
          : path.startsWith('/worker.js')
            ? outputFiles[0].contents
            : path === '/wa-sqlite.wasm'
              ? readFileSync(wasm)
              : path === '/wa-sqlite-async.wasm'
                ? readFileSync(wasmLater)
                : path === '/sqlite3.wasm'
                  ? readFileSync(official)
                  : OF_PGLITE.includes(path.slice(1))
                    ? readFileSync(join(pglite, path))
                    : undefined,
      );
    },
    post: (path, text) => {
      if (path === '/clear') headers['clear-site-data'] = '"storage"';
      else came.resolve(text);
    },
  });
  try {
    const ending = await browse(
      browser,
      found.path,
      server.url,
      came.promise.then(() => undefined),
    );
    expect(ending && inWords(ending)).toBe(undefined);
    return (await came.promise).replaceAll(server.url, 'SITE/');
  } finally {
    await server.close();
  }
}

test('Chromium: AccessHandlePoolVFS, encrypted in each mode', async (context) => {
  const page = '<script>new Worker("worker.js", { type: "module" })</script>';
  expect(await run(chromium, context, 'worker', page)).toBe(
    ['authenticated', 'adiantum', 'sqlite3mc']
      .map((mode) => `${mode} 3000 4504500 ok 6000 9012000 ok encrypted`)
      .join('\n'),
  );
});

for (const base of ['OPFSAnyContextVFS', 'IDBBatchAtomicVFS', 'IDBMirrorVFS'])
  test(`Chromium: ${base}, encrypted in each mode`, async (context) => {
    const page = `<script>new Worker("worker.js?${base}=authenticated,adiantum,sqlite3mc", { type: "module" })</script>`;
    expect(await run(chromium, context, 'async-worker', page)).toBe(
      ['authenticated', 'adiantum', 'sqlite3mc']
        .map((mode) => `${mode} 300 45450 300 ok 600 91200 300 ok encrypted`)
        .join('\n'),
    );
  });

for (const browser of [chromium, firefox])
  test(`${browser.name}: the official build over opfs-sahpool, encrypted in each mode`, async (context) => {
    const page = '<script>new Worker("worker.js", { type: "module" })</script>';
    expect(await run(browser, context, 'official-worker', page)).toBe(
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

/** A handle passes through three processes of a browser: a loaded machine takes half a second for each, and there are thousands. */
const PATIENCE = 1_800_000;

/** Lines of the script: the files, read by it again. */
const OF_FILES = [
  'reserve() is needed: ENFILE',
  'marmalade: letter0,letter1,letter2 of 5400 bytes',
  'another has them: cannot open the files in OPFS',
  'wrong key, or the header of the file system was changed',
  'plaintext: none',
  "EIO: /marmalade/letter1 isn't authentic: page 2 was changed, moved, or is of another file",
];

/**
 * PGlite has 1200 files, and Firefox takes 60 ms to open each on a loaded machine, one at a time or many: five minutes for these lines. So
 * PGlite runs in Firefox on request only.
 */
const inFirefox = process.env['LANEWISE_PGLITE_IN_FIREFOX'] ? '?pglite' : '';
const OF_PGLITE_OVER_FILES = ['PGlite: [{"n":500,"s":5892}]', 'PGlite again: [{"n":500,"s":5892}]', 'plaintext: none'];

for (const [browser, search] of [
  [chromium, '?pglite'],
  [firefox, inFirefox],
] as const)
  test(
    `${browser.name}: encryptedFileSystem${search && ' and encryptedPGlite'}`,
    async (context) => {
      const page = `<script>new Worker("worker.js${search}", { type: "module" })</script>`;
      expect((await run(browser, context, 'files-worker', page)).split('\n')).toEqual([
        ...OF_FILES,
        ...(search ? OF_PGLITE_OVER_FILES : []),
      ]);
    },
    PATIENCE,
  );
