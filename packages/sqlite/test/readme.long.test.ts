/** The programs of the README that need a worker of a browser, or PGlite, run as they stand there. */
import { build } from 'esbuild';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { browse, findBrowser } from '../../runtimes/src/browsers.ts';
import { chromium } from '../../runtimes/src/chromium.ts';
import { serveLocally } from '../../runtimes/src/loopback.ts';
import { inWords } from '../../runtimes/src/processes.ts';

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
const source = (name: string): string => join(import.meta.dirname, '../src', `${name}.ts`);
const require = createRequire(import.meta.url);
/** A loaded machine takes seconds for each file of PostgreSQL, and for a browser. */
const PATIENCE = 600_000;

/** The text of a program, by the name in its first line. */
function block(name: string): string {
  const found = [...readme.matchAll(/^```js\n\/\/ (\S+?),?(?: .*)?\n([^]*?)^```$/gm)].find(([, its]) => its === name);
  expect(found, `the README has no program ${name}`).toBeDefined();
  return found![2];
}

/** Programs of workers, and the messages of each; those that send none send one at their end here. */
const WORKERS: readonly { readonly name: string; readonly messages: readonly unknown[] }[] = [
  { name: 'worker.js', messages: [[{ text: 'remember the milk' }]] },
  { name: 'with-files.js', messages: ['remember the milk'] },
  { name: 'with-encrypt-vfs.js', messages: ['ended'] },
  { name: 'official.js', messages: ['ended'] },
];

async function bundle(name: string): Promise<Uint8Array> {
  const code = block(name);
  const { outputFiles } = await build({
    stdin: {
      contents: code.includes('postMessage') ? code : `${code}postMessage('ended');`,
      resolveDir: import.meta.dirname,
    },
    banner: { js: "addEventListener('unhandledrejection', ({ reason }) => postMessage(String(reason)));" },
    alias: {
      '@lanewise/sqlite/browser.js': source('browser'),
      '@lanewise/sqlite/files.js': source('files'),
      '@lanewise/sqlite/official.js': source('official'),
      '@lanewise/sqlite': source('index'),
    },
    bundle: true,
    write: false,
    format: 'esm',
    external: ['module', 'node:*'],
    logLevel: 'error',
  });
  return outputFiles[0].contents;
}

const PAGE = `<!doctype html><link rel="icon" href="data:,"><script type="module">
  const results = [];
  for (const name of ${JSON.stringify(WORKERS.map(({ name }) => name))}) {
    const worker = new Worker(name, { type: 'module' });
    results.push(
      await new Promise((resolve) => {
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => resolve('error: ' + message);
      }),
    );
    worker.terminate();
  }
  await fetch('result', { method: 'POST', body: JSON.stringify(results) });
</script>`;

test(
  'workers, in Chromium',
  async (context) => {
    const found = await findBrowser(chromium);
    if (found.missing !== undefined) return context.skip(`${found.missing} is missing: ${found.howToGet}`);
    const files = new Map<string, string | Uint8Array>([
      ['/', PAGE],
      ['/wa-sqlite.wasm', readFileSync(require.resolve('@journeyapps/wa-sqlite/dist/wa-sqlite.wasm'))],
      ['/sqlite3.wasm', readFileSync(require.resolve('@sqlite.org/sqlite-wasm/sqlite3.wasm'))],
    ]);
    for (const { name } of WORKERS) files.set(`/${name}`, await bundle(name));
    const came = Promise.withResolvers<string>();
    const get = (path: string) => Promise.resolve(files.get(path));
    const server = await serveLocally({ headers: {}, get, post: (_, text) => came.resolve(text) });
    try {
      const done = came.promise.then(() => undefined);
      const ending = await browse(chromium, found.path, server.url, done);
      expect(ending && inWords(ending)).toBe(undefined);
      expect(JSON.parse(await came.promise)).toEqual(WORKERS.flatMap(({ messages }) => messages));
    } finally {
      await server.close();
    }
  },
  PATIENCE,
);

test(
  'with-pglite.js, in Node',
  async () => {
    const root = mkdtempSync(join(tmpdir(), 'lanewise-sqlite-readme-'));
    try {
      const program = block('with-pglite.js')
        .replace("'@lanewise/sqlite/pglite.js'", JSON.stringify(pathToFileURL(source('pglite')).href))
        .replace("'postgres'", JSON.stringify(join(root, 'postgres')));
      const [, printed] = /console\.log\(.*\/\/ prints (.*)/.exec(program)!;
      const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
        cwd: import.meta.dirname,
      });
      expect(stdout.trim()).toBe(printed);
    } finally {
      rmSync(root, { recursive: true });
    }
  },
  PATIENCE,
);

test('no other program of the README is left out', () => {
  const names = [...readme.matchAll(/^```js\n(.*)$/gm)].map(([, line]) => /^\/\/ ([\w-]+\.js)/.exec(line)?.[1]);
  const recipes = ['with-drizzle.js', 'with-kysely.js'];
  expect(names.sort()).toEqual([...WORKERS.map(({ name }) => name), 'with-pglite.js', ...recipes].sort());
});
