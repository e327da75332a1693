/** Workers of tests, each as one file: a worker that has died a hundred times should start quickly. */
import { buildSync } from 'esbuild';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** @param path - Of a module, from this folder. */
export function bundled(path: string): URL {
  const folder = mkdtempSync(join(tmpdir(), 'lanewise-worker-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, 'worker.mjs');
  const entryPoints = [join(import.meta.dirname, path)];
  buildSync({ entryPoints, outfile, bundle: true, format: 'esm', platform: 'node', logLevel: 'error' });
  return pathToFileURL(outfile);
}
