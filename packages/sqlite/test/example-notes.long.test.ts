/** The app of examples/notes, in browsers: a driver uses it as a person does, and Node opens the file that it exports. */
import { build } from 'esbuild';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { browse, findBrowser } from '../../runtimes/src/browsers.ts';
import { chromium } from '../../runtimes/src/chromium.ts';
import { firefox } from '../../runtimes/src/firefox.ts';
import { serveLocally } from '../../runtimes/src/loopback.ts';
import { inWords } from '../../runtimes/src/processes.ts';
import { openDatabase } from '../src/node.ts';

interface Example {
  readonly POLICY: string;
  readonly bundle: () => Promise<Map<string, Uint8Array>>;
}
const { bundle, POLICY } = (await import(join(import.meta.dirname, '../../../examples/notes/build.js'))) as Example;

const LINES = [
  'Begin',
  "The passphrases aren't the same.",
  'No notes.',
  'Shopping: remember,milk',
  'Plans: bake',
  'No note has these words.: ',
  'Poem, Plans, Shopping: ',
  'FILE',
  'That is not the passphrase.',
  'Plans, Shopping',
  'That is not the passphrase.',
  'Poem, Plans, Shopping',
  "This file isn't one of this app's notes, or it is damaged.",
  '404',
  'Poem, Plans, Shopping',
];

for (const browser of [chromium, firefox])
  test(`${browser.name}: notes, a search, export and import, another passphrase, offline`, async (context) => {
    const found = await findBrowser(browser);
    if (found.missing !== undefined) return context.skip(`${found.missing} is missing: ${found.howToGet}`);
    const files = await bundle();
    const driver = await build({
      entryPoints: [join(import.meta.dirname, 'opfs/drive-notes.ts')],
      bundle: true,
      write: false,
      format: 'esm',
    });
    let isOffline = false;
    const came = Promise.withResolvers<string>();
    const server = await serveLocally({
      headers: { 'content-security-policy': `${POLICY}; frame-src 'self'` },
      get: (path) => {
        const name = path.split('?', 1)[0].slice(1);
        if (isOffline) return Promise.resolve(undefined);
        if (name === 'drive')
          return Promise.resolve('<!doctype html><body><script type="module" src="drive.js"></script>');
        return Promise.resolve(name === 'drive.js' ? driver.outputFiles[0].contents : files.get(name || 'index.html'));
      },
      post: (path, text) => {
        if (path.endsWith('offline')) isOffline = true;
        else came.resolve(text);
      },
    });
    try {
      const ending = await browse(
        browser,
        found.path,
        `${server.url}drive`,
        came.promise.then(() => undefined),
      );
      expect(ending && inWords(ending)).toBe(undefined);
      const lines = (await came.promise).split('\n');
      const at = LINES.indexOf('FILE');
      expect(lines.with(at, 'FILE')).toEqual(LINES);
      const folder = mkdtempSync(join(tmpdir(), 'lanewise-sqlite-notes-'));
      const file = join(folder, 'notes.db');
      writeFileSync(file, Buffer.from(lines[at], 'base64'));
      const db = await openDatabase({ file, key: 'first words' });
      expect(await db.values("select text from notes where notes match 'milk' order by rowid")).toEqual([
        ['Shopping\nremember the milk'],
        ['Plans\nmilk the cow, <b>bake</b> bread'],
      ]);
      await db.close();
      rmSync(folder, { recursive: true });
    } finally {
      await server.close();
    }
    return undefined;
  }, 120_000);
