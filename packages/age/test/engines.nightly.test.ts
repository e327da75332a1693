/** The package in every engine of this machine, as a bundle. */
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browse, findBrowser } from '../../runtimes/src/browsers.ts';
import { chromium } from '../../runtimes/src/chromium.ts';
import { BUN, DENO, fetched, nodePackage, WORKERD, type Package } from '../../runtimes/src/fetched.ts';
import { firefox } from '../../runtimes/src/firefox.ts';
import { pageOf, serveLocally } from '../../runtimes/src/loopback.ts';
import { inWords } from '../../runtimes/src/processes.ts';
import { webkit } from '../../runtimes/src/webkit.ts';
import { serveWorkers } from '../../runtimes/src/workerd-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'lanewise-age-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const RIGHT = 'all is right';

/** Bundles a program around `program`. Returns the file. */
async function bundled(name: string, code: string): Promise<string> {
  const outfile = join(folder, `${name}.mjs`);
  await build({
    stdin: {
      contents: `import { program } from './engines/program.ts';\n${code}`,
      resolveDir: import.meta.dirname,
      loader: 'ts',
    },
    outfile,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'error',
  });
  return outfile;
}

let script: string;
beforeAll(async () => {
  script = await bundled('program', `program().then(console.log, (error) => { console.log(String(error)); });`);
});

const runtimes: readonly [string, Package, readonly string[]][] = [
  ['Node 20', nodePackage('20'), []],
  ['Node 26', nodePackage('26'), []],
  ['Bun', BUN, []],
  ['Deno', DENO, ['run', '--quiet', '--no-config']],
];

it.each(runtimes)('%s', async (_, wanted, values) => {
  const path = await fetched(wanted);
  const { stdout, stderr } = spawnSync(path, [...values, script], { encoding: 'utf8', timeout: 120_000 });
  expect(stdout.trim() || stderr).toBe(RIGHT);
});

it('workerd', async () => {
  const handler = 'export default { async fetch() { return new Response(await program().catch(String)); } };';
  const file = await bundled('worker', handler);
  const serving = await serveWorkers(await fetched(WORKERD), [{ name: 'age', modules: [{ name: 'worker.js', file }] }]);
  try {
    expect(await (await fetch(serving.urls.get('age')!)).text()).toBe(RIGHT);
  } finally {
    await serving.stop();
  }
});

describe.each([chromium, firefox, webkit])('$name', (browser) => {
  it('all ways of files', async (context) => {
    const found = await findBrowser(browser);
    if (found.missing !== undefined) {
      context.skip(`${found.missing} is missing: ${found.howToGet}`);
      return;
    }
    const file = await bundled(
      'page',
      `const post = (body) => fetch('result', { method: 'POST', body });\nprogram().then(post, (error) => post(String(error)));`,
    );
    const came = Promise.withResolvers<string>();
    const server = await serveLocally({
      headers: {},
      get: (path) =>
        Promise.resolve(path === '/' ? pageOf('page.mjs') : path === '/page.mjs' ? readFileSync(file) : undefined),
      post: (_, text) => came.resolve(text),
    });
    try {
      const ending = await browse(
        browser,
        found.path,
        server.url,
        came.promise.then(() => undefined),
      );
      expect(ending && inWords(ending)).toBe(undefined);
      expect(await came.promise).toBe(RIGHT);
    } finally {
      await server.close();
    }
  });
});
