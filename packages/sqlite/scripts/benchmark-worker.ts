/** The benchmark in a worker of a browser, over files of OPFS. The page gets the samples as JSON, or an error. */
import startPlain from '@journeyapps/wa-sqlite/dist/wa-sqlite.mjs';
import startCiphers from '@journeyapps/wa-sqlite/dist/mc-wa-sqlite.mjs';
import { Factory } from '@journeyapps/wa-sqlite';
// @ts-expect-error -- wa-sqlite has no types of it
import { AccessHandlePoolVFS as Untyped } from '@journeyapps/wa-sqlite/src/examples/AccessHandlePoolVFS.js';
import { encryptVFS, type BaseVFS, type Mode } from '../src/index.ts';
import { rounds, type Samples } from './rounds.ts';
import type { Step } from './workload.ts';

interface PoolVFS extends BaseVFS {
  isReady(): Promise<boolean>;
  jDelete(name: string, syncFolder: number): number;
}
const AccessHandlePoolVFS = Untyped as new (name: string, module: object) => PoolVFS;
const KEY = Uint8Array.from({ length: 32 }, (_, i) => 7 * i + 1);
const HEX = Array.from(KEY, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** The work that the page asks for. */
export interface Order {
  readonly steps: readonly Step[];
  readonly rounds: number;
  readonly cache: number;
}

async function load(start: unknown, name: string) {
  const wasmBinary = await (await fetch(name)).arrayBuffer();
  const module = await (start as (options: object) => Promise<object>)({ wasmBinary });
  return { module, sqlite3: Factory(module) };
}
type Build = Awaited<ReturnType<typeof load>>;

async function variant(name: string, build: Build, mode?: Mode) {
  const folder = name.replaceAll(' ', '-');
  const vfs = mode
    ? await encryptVFS(AccessHandlePoolVFS, { key: KEY, mode }).create(folder, build.module)
    : new AccessHandlePoolVFS(folder, build.module);
  await vfs.isReady();
  build.sqlite3.vfs_register(vfs as never, false);
  return { name, build, vfs };
}

async function run(): Promise<Samples> {
  const order = (await (await fetch('order.json')).json()) as Order;
  const plain = await load(startPlain, 'wa-sqlite.wasm');
  const ciphers = await load(startCiphers, 'mc-wa-sqlite.wasm');
  const variants = [
    await variant('plain', plain),
    await variant('authenticated', plain, 'authenticated'),
    await variant('adiantum', plain, 'adiantum'),
    await variant('SQLite3MC chacha20', ciphers),
  ];
  return rounds(variants, order.rounds, async ({ build: { sqlite3 }, vfs }) => {
    const isPeer = sqlite3 === ciphers.sqlite3;
    const db = await sqlite3.open_v2('/db', undefined, isPeer ? `multipleciphers-${vfs.name}` : vfs.name);
    if (isPeer) await sqlite3.exec(db, `pragma cipher = 'chacha20'; pragma hexkey = '${HEX}'`);
    await sqlite3.exec(db, `pragma cache_size = -${order.cache}`);
    const times: number[] = [];
    for (const [, sql] of order.steps) {
      const begin = performance.now();
      await sqlite3.exec(db, sql);
      times.push(performance.now() - begin);
    }
    await sqlite3.close(db);
    vfs.jDelete('/db', 0);
    return times;
  });
}

const post = (result: object) => fetch('result', { method: 'POST', body: JSON.stringify(result) });
run().then(
  (samples) => post({ samples }),
  (error: unknown) => post({ error: String(error) }),
);
