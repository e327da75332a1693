/** Builds the app: `node examples/notes/build.js FOLDER`. Any server of static files can have that folder, over https or on localhost. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = import.meta.dirname;
// npm puts the package of SQLite beside @lanewise/sqlite or below it.
const sqlite = createRequire(import.meta.resolve('@lanewise/sqlite'));

/** For the header Content-Security-Policy: the page runs its own scripts and WebAssembly, and talks to no other server. */
export const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src data:; connect-src 'self'; worker-src 'self'; form-action 'none'; base-uri 'none'";

/** @returns the files of the app by their names. */
export async function bundle() {
  const worker = await build({
    entryPoints: [join(here, 'worker.js')],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    // A module of Node, never imported in a browser.
    external: ['module'],
    logLevel: 'error',
  });
  const files = new Map([
    ['index.html', readFileSync(join(here, 'index.html'))],
    ['style.css', readFileSync(join(here, 'style.css'))],
    ['main.js', readFileSync(join(here, 'main.js'))],
    ['worker.js', worker.outputFiles[0].contents],
    ['wa-sqlite.wasm', readFileSync(sqlite.resolve('@journeyapps/wa-sqlite/dist/wa-sqlite.wasm'))],
  ]);
  // Another version of any file is another cache.
  const hash = createHash('sha256');
  for (const content of files.values()) hash.update(content);
  const text = readFileSync(join(here, 'service-worker.js'), 'utf8');
  files.set('service-worker.js', Buffer.from(text.replace('VERSION', hash.digest('hex').slice(0, 16))));
  return files;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2];
  if (!folder) {
    console.error('node build.js FOLDER');
    process.exit(2);
  }
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of await bundle()) writeFileSync(join(folder, name), content);
  console.log(`built into ${resolve(folder)}`);
}
