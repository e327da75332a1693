/** Streams that are long enough for a pool. */
import { createPool, type Pool } from '../../src/pool.ts';
import {
  agePayload,
  chunked,
  type AgePayload,
  type AgePayloadFunction,
  type ParallelStreamOptions,
  type Streams,
} from '../../src/stream.ts';
import { sample } from './bytes.ts';
import { pattern } from './stream.ts';

export const MiB = 1_048_576;
export const key: Uint8Array<ArrayBuffer> = sample(32, 11);
export const plain: Uint8Array<ArrayBuffer> = pattern(9 * MiB, 3);

export type Name = 'chunked' | 'agePayload';
export const names: readonly Name[] = ['chunked', 'agePayload'];
export const formats: Readonly<
  Record<
    Name,
    Pick<AgePayloadFunction, 'chunkLength' | 'headerLength' | 'ciphertextSize'> &
      ((key: Uint8Array) => Streams<ParallelStreamOptions> & Pick<AgePayload, 'reader'>)
  >
> = { chunked, agePayload };

/** A pool whose workers run, so that it takes streams of 4 MiB and more. */
export async function warmPool(): Promise<Pool> {
  const pool = createPool({ threads: 2, idle: 60_000, threshold: 4 * MiB });
  while (!pool.describe().running) await pool.blake3(new Uint8Array(5 * MiB));
  return pool;
}
