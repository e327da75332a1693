/** The benchmark with builds that have SQLite's own interface, over their pool of OPFS. The page gets the samples as JSON, or an error. */
import sqlite3InitModule from '@sqlite.org/sqlite-wasm';
import { installEncryptedVFS } from '../src/official.ts';
import type { Order } from './benchmark-worker.ts';
import { rounds, type Samples } from './rounds.ts';

const KEY = Uint8Array.from({ length: 32 }, (_, i) => 7 * i + 1);
const HEX = Array.from(KEY, (byte) => byte.toString(16).padStart(2, '0')).join('');

type SQLite = Awaited<ReturnType<typeof sqlite3InitModule>>;

/** Evolu's build of SQLite3MultipleCiphers, which the page serves as it is: its interface is the same. */
async function evolu(): Promise<SQLite> {
  const address = new URL('evolu/index.mjs', location.href).href;
  const { default: start } = (await import(address)) as { readonly default: () => Promise<SQLite> };
  return start();
}

async function run(): Promise<Samples> {
  const order = (await (await fetch('order.json')).json()) as Order;
  const official = await sqlite3InitModule();
  const pool = await official.installOpfsSAHPoolVfs({ directory: 'official' });
  const peer = await evolu();
  const pools = new Map([
    [official, pool],
    [peer, await peer.installOpfsSAHPoolVfs({ directory: 'evolu' })],
  ]);
  for (const mode of ['authenticated', 'adiantum'] as const)
    await installEncryptedVFS(official, { key: KEY, mode, name: mode, base: 'opfs-sahpool' });
  const first = `pragma cipher = 'chacha20'; pragma hexkey = '${HEX}';`;
  const variants = [
    { name: 'plain', build: official, vfs: 'opfs-sahpool', first: '' },
    { name: 'authenticated', build: official, vfs: 'authenticated', first: '' },
    { name: 'adiantum', build: official, vfs: 'adiantum', first: '' },
    { name: order.peer, build: peer, vfs: 'multipleciphers-opfs-sahpool', first },
  ];
  return rounds(variants, order.rounds, ({ build, vfs, first: sql }) => {
    const db = new build.oo1.DB({ filename: '/db', vfs });
    db.exec(`${sql} pragma cache_size = -${order.cache}`);
    const times: number[] = [];
    for (const [, step] of order.steps) {
      const begin = performance.now();
      db.exec(step);
      times.push(performance.now() - begin);
    }
    db.close();
    pools.get(build)!.unlink('/db');
    return Promise.resolve(times);
  });
}

const post = (result: object) => fetch('result', { method: 'POST', body: JSON.stringify(result) });
run().then(
  (samples) => post({ samples }),
  (error: unknown) => post({ error: String(error) }),
);
