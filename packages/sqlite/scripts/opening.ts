/**
 * Time from opening a database to its first row, and memory, encrypted and plain, over files of Node: a key of 32 bytes, a database of 1000
 * rows, the same build of SQLite.
 *
 *     npm run opening --workspace @lanewise/sqlite -- [--rounds 200]
 *
 * Each round opens all variants in random order. A ratio is that of one round; the median is printed, with the quartiles. Memory is that of
 * array buffers and WebAssembly after a collection, in a process for each variant, with the database open.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import start from '@journeyapps/wa-sqlite/dist/wa-sqlite.mjs';
import { Factory } from '@journeyapps/wa-sqlite';
import { encryptVFS, type Mode } from '../src/index.ts';
import { NodeVFS } from '../src/node.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '200' }, memory: { type: 'string' } },
});
const VARIANTS = ['plain', 'authenticated', 'adiantum', 'sqlite3mc'] as const;
type Variant = (typeof VARIANTS)[number];

const wasmBinary = readFileSync(createRequire(import.meta.url).resolve('@journeyapps/wa-sqlite/dist/wa-sqlite.wasm'));
const module = await (start as (options: object) => Promise<object>)({ wasmBinary });
const sqlite3 = Factory(module);
const folder = mkdtempSync(join(tmpdir(), 'lanewise-sqlite-opening-'));
const key = Uint8Array.from({ length: 32 }, (_, i) => 7 * i + 1);

async function register(variant: Variant): Promise<string> {
  const name = `opening-${variant}`;
  const vfs =
    variant === 'plain'
      ? new NodeVFS(name, module)
      : await encryptVFS(NodeVFS, { key, mode: variant satisfies Mode }).create(name, module);
  sqlite3.vfs_register(vfs as never, false);
  return vfs.name;
}

async function make(variant: Variant, vfs: string): Promise<void> {
  const db = await sqlite3.open_v2(join(folder, variant), undefined, vfs);
  await sqlite3.exec(
    db,
    'create table t(a, b); with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000) insert into t select i, hex(i) from n',
  );
  await sqlite3.close(db);
}

/** Opens a database, and reads a row. */
async function first(variant: Variant, vfs: string): Promise<number> {
  const db = await sqlite3.open_v2(join(folder, variant), undefined, vfs);
  await sqlite3.exec(db, 'select * from t limit 1');
  return db;
}

const quantile = (samples: readonly number[], at: number): number =>
  samples.toSorted((a, b) => a - b)[Math.round((samples.length - 1) * at)];

async function times(): Promise<void> {
  const names = new Map<Variant, string>();
  for (const variant of VARIANTS) names.set(variant, await register(variant));
  for (const [variant, vfs] of names) await make(variant, vfs);
  const samples = new Map(VARIANTS.map((variant) => [variant, [] as number[]]));
  for (let round = -20; round < Number(values.rounds); round++)
    for (const variant of VARIANTS.toSorted(() => Math.random() - 0.5)) {
      const begin = performance.now();
      const db = await first(variant, names.get(variant)!);
      const time = performance.now() - begin;
      await sqlite3.close(db);
      // The first rounds are cold.
      if (round >= 0) samples.get(variant)!.push(time);
    }
  for (const variant of VARIANTS) {
    const ratios = samples.get(variant)!.map((time, round) => time / samples.get('plain')![round]);
    const parts = [0.5, 0.25, 0.75].map((at) => quantile(ratios, at).toFixed(2));
    const memory = execFileSync(process.execPath, ['--expose-gc', import.meta.filename, '--memory', variant], {
      encoding: 'utf8',
    });
    console.log(
      `${variant.padEnd(14)} ${quantile(samples.get(variant)!, 0.5).toFixed(3)} ms  ÷ plain ${parts[0]} (${parts[1]} to ${parts[2]})  ${memory.trim()} KiB`,
    );
  }
}

/** KiB that this process takes for a variant. */
async function memoryOf(variant: Variant): Promise<void> {
  const vfs = await register(variant);
  await make(variant, vfs);
  await first(variant, vfs);
  (globalThis as unknown as { gc(): void }).gc();
  const { external, heapUsed } = process.memoryUsage();
  console.log(((external + heapUsed) / 1024).toFixed(0));
}

try {
  await (values.memory === undefined ? times() : memoryOf(values.memory as Variant));
} finally {
  rmSync(folder, { recursive: true });
}
