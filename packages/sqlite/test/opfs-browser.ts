/** A browser's page that uses the scripts of `opfs/`, served from this machine. */
import { build } from 'esbuild';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, type TestContext } from 'vitest';
import { browse, findBrowser, type Browser } from '../../runtimes/src/browsers.ts';
import { serveLocally } from '../../runtimes/src/loopback.ts';
import { inWords } from '../../runtimes/src/processes.ts';

const wasm = createRequire(import.meta.url).resolve('@journeyapps/wa-sqlite/dist/wa-sqlite.wasm');
const wasmLater = createRequire(import.meta.url).resolve('@journeyapps/wa-sqlite/dist/wa-sqlite-async.wasm');
const official = createRequire(import.meta.url).resolve('@sqlite.org/sqlite-wasm/sqlite3.wasm');
const pglite = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'));
const OF_PGLITE = ['pglite.wasm', 'pglite.data', 'initdb.wasm'];
const ICON = '<!doctype html><link rel="icon" href="data:,">';

/** Lines of files-worker.ts: the files, read by it again. */
export const OF_FILES = [
  'reserve() is needed: ENFILE',
  'marmalade: letter0,letter1,letter2 of 5400 bytes',
  'another has them: cannot open the files in OPFS',
  'wrong key, or the header of the file system was changed',
  'plaintext: none',
  "EIO: /marmalade/letter1 isn't authentic: page 2 was changed, moved, or is of another file",
];

/** Opens a page that uses a script of `opfs/`, and returns the text that it sends. */
export async function run(browser: Browser, context: TestContext, name: string, page: string): Promise<string> {
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
