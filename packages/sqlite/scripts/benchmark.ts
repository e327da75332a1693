/**
 * Times of encrypted databases divided by those of plain ones, over the same build of SQLite and the same VFS: files of Node.
 *
 *     npm run benchmark --workspace @lanewise/sqlite -- [--rows 10000] [--rounds 9] [--cache 2000] [--steps] [--only plain,adiantum]
 *     npm run benchmark --workspace @lanewise/sqlite -- --speedtest1 [--size 5] [--source speedtest1.c] …
 *
 * The steps are those of workload.ts, or the cases of SQLite's speedtest1 (speedtest1.ts). Each round runs all variants on new files, in random
 * order. A ratio is that of one round; the median of the rounds is printed, with the quartiles. The peer is SQLite3MultipleCiphers' build in
 * the same npm package, with its ChaCha20.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import startPlain from '@journeyapps/wa-sqlite/dist/wa-sqlite.mjs';
import startCiphers from '@journeyapps/wa-sqlite/dist/mc-wa-sqlite.mjs';
import { Factory } from '@journeyapps/wa-sqlite';
import { encryptVFS, type Mode } from '../src/index.ts';
import { NodeVFS } from '../src/node.ts';
import { report, rounds } from './rounds.ts';
import { speedtest1 } from './speedtest1.ts';
import { workload } from './workload.ts';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '9' },
    cache: { type: 'string', default: '2000' },
    speedtest1: { type: 'boolean', default: false },
    size: { type: 'string', default: '5' },
    source: { type: 'string' },
    only: { type: 'string' },
    steps: { type: 'boolean', default: false },
  },
});

type Start = (options: object) => Promise<object>;
async function load(start: unknown, name: string) {
  const path = createRequire(import.meta.url).resolve(`@journeyapps/wa-sqlite/dist/${name}.wasm`);
  const module = await (start as Start)({ wasmBinary: readFileSync(path) });
  return { module, sqlite3: Factory(module) };
}
const plain = await load(startPlain, 'wa-sqlite');
const ciphers = await load(startCiphers, 'mc-wa-sqlite');

const KEY = Uint8Array.from({ length: 32 }, (_, i) => 7 * i + 1);
const HEX = Buffer.from(KEY).toString('hex');
let count = 0;
async function register({ module, sqlite3 }: typeof plain, mode?: Mode): Promise<string> {
  const name = `benchmark-${count++}`;
  const vfs = mode ? await encryptVFS(NodeVFS, { key: KEY, mode }).create(name, module) : new NodeVFS(name, module);
  sqlite3.vfs_register(vfs as never, false);
  return vfs.name;
}

const PEER = 'SQLite3MC chacha20';
interface Variant {
  readonly name: string;
  readonly build: typeof plain;
  readonly vfs: string;
  readonly first: string;
}
const all: readonly Variant[] = [
  { name: 'plain', build: plain, vfs: await register(plain), first: '' },
  { name: 'authenticated', build: plain, vfs: await register(plain, 'authenticated'), first: '' },
  { name: 'adiantum', build: plain, vfs: await register(plain, 'adiantum'), first: '' },
  { name: 'sqlite3mc', build: plain, vfs: await register(plain, 'sqlite3mc'), first: '' },
  {
    name: PEER,
    build: ciphers,
    vfs: `multipleciphers-${await register(ciphers)}`,
    first: `pragma cipher = 'chacha20'; pragma hexkey = '${HEX}';`,
  },
];
const variants = values.only ? all.filter(({ name }) => values.only!.split(',').includes(name)) : all;

const folder = mkdtempSync(join(tmpdir(), 'lanewise-sqlite-benchmark-'));
const steps = values.speedtest1 ? speedtest1(Number(values.size), values.source) : workload(Number(values.rows));

/** Milliseconds of each step. */
async function once({ build: { sqlite3 }, vfs, first }: Variant): Promise<number[]> {
  const path = join(folder, `${count++}.db`);
  const db = await sqlite3.open_v2(path, undefined, vfs);
  await sqlite3.exec(db, `${first} pragma cache_size = -${values.cache}`);
  const times: number[] = [];
  for (const [, sql] of steps) {
    const begin = performance.now();
    await sqlite3.exec(db, sql);
    times.push(performance.now() - begin);
  }
  await sqlite3.close(db);
  rmSync(path);
  return times;
}

const samples = await rounds(variants, Number(values.rounds), once);
rmSync(folder, { recursive: true });

const names = values.steps ? steps.map(([name]) => name) : [];
for (const line of report(samples, ['plain', PEER], names)) console.log(line);
