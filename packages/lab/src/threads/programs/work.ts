/** The work of pools as programs measure it: the same bytes on one thread and on those of a pool. */
import type { blake3 as Blake3 } from 'lanewise/blake3.js';
import type { adiantum as Adiantum } from 'lanewise/disk.js';
import type { Pool } from 'lanewise/pool.js';
import type { agePayload as AgePayload } from 'lanewise/stream.js';

export interface ThreadedWork {
  readonly name: string;
  readonly one: (data: Uint8Array<ArrayBuffer>) => unknown;
  readonly pooled: (pool: Pool, data: Uint8Array<ArrayBuffer>) => Promise<unknown>;
}

/** The parts of the library, or of another copy of it. */
export interface Library {
  readonly blake3: typeof Blake3;
  readonly adiantum: typeof Adiantum;
  readonly agePayload: typeof AgePayload;
}

const KEY = new Uint8Array(32).fill(1);
const PAGES = { pageSize: 4096, tweak: 'index64' } as const;

async function drain(stream: ReadableStream<Uint8Array>): Promise<void> {
  const reader = stream.getReader();
  while (!(await reader.read()).done);
}

export function worksOf({ blake3, adiantum, agePayload }: Library): readonly ThreadedWork[] {
  const pages = adiantum(KEY);
  return [
    { name: 'BLAKE3', one: (data) => blake3(data), pooled: (pool, data) => pool.blake3(data) },
    {
      name: 'age payload, encrypt',
      one: (data) => drain(agePayload.encrypt(data, KEY)),
      pooled: (pool, data) => drain(agePayload.encrypt(data, KEY, { pool })),
    },
    {
      name: 'Adiantum pages',
      one: (data) => pages.encryptPages(data, PAGES),
      pooled: (pool, data) => pool.encryptPages(pages, data, PAGES),
    },
  ];
}
