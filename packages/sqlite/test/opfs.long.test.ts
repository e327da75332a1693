/** Encrypted databases in a browser's own files, in a worker of Chromium. */
import { build } from 'esbuild';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { browse, findBrowser } from '../../runtimes/src/browsers.ts';
import { chromium } from '../../runtimes/src/chromium.ts';
import { serveLocally } from '../../runtimes/src/loopback.ts';
import { inWords } from '../../runtimes/src/processes.ts';

const wasm = createRequire(import.meta.url).resolve('@journeyapps/wa-sqlite/dist/wa-sqlite.wasm');
const PAGE =
  '<!doctype html><link rel="icon" href="data:,"><script>new Worker("worker.js", { type: "module" })</script>';

test('Chromium: AccessHandlePoolVFS, encrypted in each mode', async (context) => {
  const found = await findBrowser(chromium);
  if (found.missing !== undefined) {
    context.skip(`${found.missing} is missing: ${found.howToGet}`);
    return;
  }
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'opfs/worker.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    external: ['module'],
    logLevel: 'error',
  });
  const came = Promise.withResolvers<string>();
  const server = await serveLocally({
    headers: {},
    get: (path) =>
      Promise.resolve(
        path === '/'
          ? PAGE
          : path === '/worker.js'
            ? outputFiles[0].contents
            : path === '/wa-sqlite.wasm'
              ? readFileSync(wasm)
              : undefined,
      ),
    post: (_, text) => came.resolve(text),
  });
  try {
    const ending = await browse(
      chromium,
      found.path,
      server.url,
      came.promise.then(() => undefined),
    );
    expect(ending && inWords(ending)).toBe(undefined);
    expect(await came.promise).toBe(
      ['authenticated', 'adiantum', 'sqlite3mc']
        .map((mode) => `${mode} 3000 4504500 ok 6000 9012000 ok encrypted`)
        .join('\n'),
    );
  } finally {
    await server.close();
  }
});
