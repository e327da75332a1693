/** Encrypted databases over other bases than a pool of handles, and file systems with PGlite, in a browser's own files (OPFS). */
import { expect, test } from 'vitest';
import { chromium } from '../../runtimes/src/chromium.ts';
import { firefox } from '../../runtimes/src/firefox.ts';
import { OF_FILES, run } from './opfs-browser.ts';

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

/** A handle passes through three processes of a browser: a loaded machine takes half a second for each, and there are thousands. */
const PATIENCE = 1_800_000;

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
