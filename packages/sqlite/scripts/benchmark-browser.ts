/**
 * The benchmark in Chromium, over OPFS: wa-sqlite's AccessHandlePoolVFS, plain and encrypted, and SQLite3MultipleCiphers over the same.
 *
 *     node packages/sqlite/scripts/benchmark-browser.ts [--rows 10000 | --speedtest1 --size 5] [--rounds 5] [--cache 2000] [--steps]
 */
import { build } from 'esbuild';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { browse, findBrowser } from '../../runtimes/src/browsers.ts';
import { chromium } from '../../runtimes/src/chromium.ts';
import { serveLocally } from '../../runtimes/src/loopback.ts';
import { inWords } from '../../runtimes/src/processes.ts';
import type { Order } from './benchmark-worker.ts';
import { report, type Samples } from './rounds.ts';
import { speedtest1 } from './speedtest1.ts';
import { workload } from './workload.ts';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000' },
    speedtest1: { type: 'boolean', default: false },
    size: { type: 'string', default: '5' },
    source: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    cache: { type: 'string', default: '2000' },
    steps: { type: 'boolean', default: false },
  },
});
const found = await findBrowser(chromium);
if (found.missing !== undefined) throw new Error(`${found.missing} is missing: ${found.howToGet}`);

const steps = values.speedtest1 ? speedtest1(Number(values.size), values.source) : workload(Number(values.rows));
const order: Order = { steps, rounds: Number(values.rounds), cache: Number(values.cache) };
const { outputFiles } = await build({
  entryPoints: [join(import.meta.dirname, 'benchmark-worker.ts')],
  bundle: true,
  write: false,
  format: 'esm',
  external: ['module', 'node:module'],
  logLevel: 'error',
});
const wasm = (name: string) =>
  readFileSync(createRequire(import.meta.url).resolve(`@journeyapps/wa-sqlite/dist/${name}`));
const files: Readonly<Record<string, string | Uint8Array>> = {
  '/': '<!doctype html><link rel="icon" href="data:,"><script>new Worker("worker.js", { type: "module" })</script>',
  '/worker.js': outputFiles[0].contents,
  '/order.json': JSON.stringify(order),
  '/wa-sqlite.wasm': wasm('wa-sqlite.wasm'),
  '/mc-wa-sqlite.wasm': wasm('mc-wa-sqlite.wasm'),
};

const came = Promise.withResolvers<string>();
const server = await serveLocally({
  // Clocks of isolated pages are finer.
  headers: { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' },
  get: (path) => Promise.resolve(files[path]),
  post: (_, text) => came.resolve(text),
});
try {
  const done = came.promise.then(() => undefined);
  const ending = await browse(chromium, found.path, server.url, done);
  if (ending) throw new Error(inWords(ending));
} finally {
  await server.close();
}
const { samples, error } = JSON.parse(await came.promise) as { readonly samples?: Samples; readonly error?: string };
if (!samples) throw new Error(error);
console.log(found.version);
const names = values.steps ? steps.map(([name]) => name) : [];
for (const line of report(samples, ['plain', 'SQLite3MC chacha20'], names)) console.log(line);
