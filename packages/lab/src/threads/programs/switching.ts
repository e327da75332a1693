/**
 * A pool beside one thread, by the length of the message: the pool as it is, and one that hands everything over; with
 * workers that run, and with workers that must be started.
 */
import { blake3 } from 'lanewise/blake3.js';
import { adiantum } from 'lanewise/disk.js';
import { createPool } from 'lanewise/pool.js';
import { agePayload } from 'lanewise/stream.js';
import { blake3 as eagerBlake3 } from 'handing-over/blake3.js';
import { adiantum as eagerAdiantum } from 'handing-over/disk.js';
import { createPool as createEager } from 'handing-over/pool.js';
import { agePayload as eagerAge } from 'handing-over/stream.js';
import { cores } from '../../client/place.ts';
import { worksOf, type ThreadedWork } from './work.ts';

export interface SwitchingTask {
  readonly rounds: number;
  readonly only: string;
}

/** Paired ratios of times: a pool over one thread. */
export interface SizeRow {
  readonly work: string;
  readonly bytes: number;
  /** Milliseconds of one thread. */
  readonly one: readonly number[];
  readonly warm: readonly number[];
  readonly warmHandedOver: readonly number[];
  readonly cold: readonly number[];
  readonly coldHandedOver: readonly number[];
}
export interface SwitchingResult {
  readonly threads: number;
  readonly rows: readonly SizeRow[];
}

const KIB = 1024;
const MIB = 1024 * KIB;
const SIZES = Array.from({ length: 11 }, (_, i) => 64 * KIB * 2 ** i);
/** A sample repeats short messages until it takes about so long. */
const SAMPLE_MILLISECONDS = 4;
/** Starting workers takes long: there are fewer samples. */
const COLD_SHARE = 1 / 3;
const IDLE_MILLISECONDS = 120_000;

async function time(count: number, run: () => unknown): Promise<number> {
  const start = performance.now();
  for (let i = 0; i < count; i++) await run();
  return (performance.now() - start) / count;
}

/** Each sample has a pool of its own. */
async function coldTime(create: typeof createPool, run: (pool: ReturnType<typeof createPool>) => unknown) {
  const pool = create({ threads: cores() });
  try {
    return await time(1, () => run(pool));
  } finally {
    await pool.close();
  }
}

type Pools = Readonly<Record<'warm' | 'warmHandedOver', ReturnType<typeof createPool>>>;

/** The work of the library, and of its copy that hands everything over. */
interface Pair {
  readonly usual: ThreadedWork;
  readonly eager: ThreadedWork;
}

async function rowOf({ usual, eager }: Pair, bytes: number, rounds: number, pools: Pools): Promise<SizeRow> {
  const { name, one } = usual;
  const data = new Uint8Array(bytes).fill(7);
  const row = { one: [], warm: [], warmHandedOver: [], cold: [], coldHandedOver: [] } as Record<
    'one' | 'warm' | 'warmHandedOver' | 'cold' | 'coldHandedOver',
    number[]
  >;
  await time(3, () => one(data));
  const count = Math.max(1, Math.round(SAMPLE_MILLISECONDS / Math.max(0.01, await time(3, () => one(data)))));
  for (let round = 0; round < rounds; round++) {
    // One thread runs before and after, so that a change of the machine's speed is shared.
    const before = await time(count, () => one(data));
    for (const way of round % 2 === 0 ? (['warm', 'warmHandedOver'] as const) : (['warmHandedOver', 'warm'] as const)) {
      const took = await time(count, () => (way === 'warm' ? usual : eager).pooled(pools[way], data));
      const after = await time(count, () => one(data));
      row[way].push((2 * took) / (before + after));
    }
    row.one.push(before);
    if (round < Math.ceil(COLD_SHARE * rounds))
      for (const [way, create] of [
        ['cold', createPool],
        ['coldHandedOver', createEager],
      ] as const) {
        const single = await time(1, () => one(data));
        row[way].push((await coldTime(create, (pool) => (way === 'cold' ? usual : eager).pooled(pool, data))) / single);
      }
  }
  return { work: name, bytes, ...row };
}

export async function measure({ rounds, only }: SwitchingTask): Promise<SwitchingResult> {
  const pools: Pools = {
    warm: createPool({ threads: cores(), idle: IDLE_MILLISECONDS }),
    warmHandedOver: createEager({ threads: cores(), idle: IDLE_MILLISECONDS }),
  };
  for (const pool of Object.values(pools)) await pool.blake3(new Uint8Array(128 * MIB));
  const rows: SizeRow[] = [];
  const eager = worksOf({ blake3: eagerBlake3, adiantum: eagerAdiantum, agePayload: eagerAge });
  for (const [i, usual] of worksOf({ blake3, adiantum, agePayload }).entries())
    if (usual.name.includes(only))
      for (const bytes of SIZES) rows.push(await rowOf({ usual, eager: eager[i] }, bytes, rounds, pools));
  const { threads } = pools.warm.describe();
  await Promise.all(Object.values(pools).map((pool) => pool.close()));
  return { threads, rows };
}
