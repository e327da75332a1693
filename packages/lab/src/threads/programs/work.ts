/** The work of pools as programs measure it: the same bytes on one thread and on those of a pool. */
import { blake3 } from 'lanewise/blake3.js';
import type { Pool } from 'lanewise/pool.js';

export interface ThreadedWork {
  readonly name: string;
  readonly one: (data: Uint8Array<ArrayBuffer>) => unknown;
  readonly pooled: (pool: Pool, data: Uint8Array<ArrayBuffer>) => Promise<unknown>;
}

export const works: readonly ThreadedWork[] = [
  { name: 'BLAKE3', one: (data) => blake3(data), pooled: (pool, data) => pool.blake3(data) },
];
