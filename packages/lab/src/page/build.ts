/** The page as files for a static host: `npm run lab:serve` serves them, and the site has them in lab/. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { clientBundle, MODULE, POOL_WORKER, poolWorkerBundle } from '../bundle.ts';
import { COLOUR_RULES } from '../charts/palette.ts';
import { versionOf } from '../host.ts';
import { licences } from './licences.ts';

/** The files by name. Needs the library's dist/. */
export async function buildPage(): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  const [client, poolWorker, { outputFiles }] = await Promise.all([
    clientBundle({ target: 'web', minify: true }),
    poolWorkerBundle({ minify: true }),
    esbuild.build({
      ...MODULE,
      entryPoints: ['page.ts', 'session-worker.ts', 'style.css'].map((name) => join(import.meta.dirname, name)),
      outdir: import.meta.dirname,
      minify: true,
      define: { LANEWISE_VERSION: JSON.stringify(versionOf('lanewise')) },
    }),
  ]);
  files.set('index.html', readFileSync(join(import.meta.dirname, 'index.html')));
  files.set('licences.txt', Buffer.from(licences()));
  files.set('client.js', Buffer.from(client));
  files.set(POOL_WORKER, Buffer.from(poolWorker));
  for (const { path, contents } of outputFiles) files.set(path.slice(import.meta.dirname.length + 1), contents);
  files.set('style.css', Buffer.concat([files.get('style.css')!, Buffer.from(COLOUR_RULES)]));
  return files;
}
