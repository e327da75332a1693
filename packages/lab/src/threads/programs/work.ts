/** The work of pools as programs measure it: the same bytes on one thread and on those of a pool. */
import { blake3 } from 'lanewise/blake3.js';
import { adiantum } from 'lanewise/disk.js';
import type { Pool } from 'lanewise/pool.js';

export interface ThreadedWork {
  readonly name: string;
  readonly one: (data: Uint8Array<ArrayBuffer>) => unknown;
  readonly pooled: (pool: Pool, data: Uint8Array<ArrayBuffer>) => Promise<unknown>;
}

const pages = adiantum(new Uint8Array(32).fill(1));
const PAGES = { pageSize: 4096, tweak: 'index64' } as const;

export const works: readonly ThreadedWork[] = [
  { name: 'BLAKE3', one: (data) => blake3(data), pooled: (pool, data) => pool.blake3(data) },
  {
    name: 'Adiantum pages',
    one: (data) => pages.encryptPages(data, PAGES),
    pooled: (pool, data) => pool.encryptPages(pages, data, PAGES),
  },
];
