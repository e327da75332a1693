/**
 * Times of encrypted databases divided by those of plain ones, over the same build of SQLite and the same VFS: files of Node.
 *
 *     npm run benchmark --workspace @lanewise/sqlite -- [--rows 10000] [--rounds 9] [--cache 2000] [--steps]
 *
 * Each round runs all variants on new files, in random order. A ratio is that of one round; the median of the rounds is printed, with the
 * quartiles. The peer is SQLite3MultipleCiphers' build in the same npm package, with its ChaCha20.
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
import { workload } from './workload.ts';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '9' },
    cache: { type: 'string', default: '2000' },
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
    name: 'SQLite3MC chacha20',
    build: ciphers,
    vfs: `multipleciphers-${await register(ciphers)}`,
    first: `pragma cipher = 'chacha20'; pragma hexkey = '${HEX}';`,
  },
];
const variants = values.only ? all.filter(({ name }) => values.only!.split(',').includes(name)) : all;

const folder = mkdtempSync(join(tmpdir(), 'lanewise-sqlite-benchmark-'));
const steps = workload(Number(values.rows));

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

const quantile = (samples: readonly number[], at: number): number =>
  samples.toSorted((a, b) => a - b)[Math.round((samples.length - 1) * at)];
const sum = (samples: readonly number[]): number => samples.reduce((a, b) => a + b);

const samples = new Map(variants.map((variant) => [variant, [] as number[][]]));
for (let round = -1; round < Number(values.rounds); round++)
  for (const variant of variants.toSorted(() => Math.random() - 0.5)) {
    const times = await once(variant);
    // The first round is cold.
    if (round >= 0) samples.get(variant)!.push(times);
  }
rmSync(folder, { recursive: true });

/** The ratios of the rounds of two variants: median and quartiles. */
function ratio(variant: Variant, base: Variant): string {
  const ratios = samples.get(variant)!.map((times, round) => sum(times) / sum(samples.get(base)![round]));
  const [median, low, high] = [0.5, 0.25, 0.75].map((at) => quantile(ratios, at).toFixed(2));
  return `÷ ${base.name} ${median} (${low} to ${high})`;
}

const bases = [variants[0], ...variants.slice(1).filter(({ build }) => build === ciphers)];
for (const variant of variants) {
  const time = quantile(samples.get(variant)!.map(sum), 0.5);
  const ratios = bases.map((base) => ratio(variant, base));
  console.log(`${variant.name.padEnd(20)} ${time.toFixed(0).padStart(5)} ms  ${ratios.join('  ')}`);
}
if (values.steps)
  for (const [i, [name]] of steps.entries())
    console.log(
      name.padEnd(32),
      ...variants.map((variant) =>
        quantile(
          samples.get(variant)!.map((times) => times[i]),
          0.5,
        )
          .toFixed(1)
          .padStart(7),
      ),
    );
