/** Workers of tests, each as one file: a worker that has died a hundred times should start quickly. */
import { buildSync } from 'esbuild';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'lanewise-worker-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;

/** @param path - Of a module, from this folder. */
export function bundled(path: string): URL {
  const outfile = join(folder, `${count++}.mjs`);
  const entryPoints = [join(import.meta.dirname, path)];
  buildSync({ entryPoints, outfile, bundle: true, format: 'esm', platform: 'node', logLevel: 'error' });
  return pathToFileURL(outfile);
}
