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
import { expectBytes, sample } from './bytes.ts';
import { all, cut, pattern } from './stream.ts';

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

/** Lengths around a chunk's end at this place of the plaintext, and around the one before. */
export const edges = (chunkLength: number, edge: number): readonly number[] =>
  [-chunkLength, 0].flatMap((chunk) => [-1, 0, 1].map((by) => edge + chunk + by));

/** So many bytes, in each direction, from memory and from pieces. */
export async function expectLength(format: (typeof formats)[Name], length: number, pool: Pool): Promise<void> {
  const bytes = plain.subarray(0, length);
  for (const source of [bytes, cut(bytes, [100_000]), [bytes], cut(bytes, [MiB])]) {
    const encrypted = await all(format(key).encrypt(source, { pool }));
    if (encrypted.length !== format.ciphertextSize(length)) throw new Error(`${length} become ${encrypted.length}`);
    expectBytes(await all(format(key).decrypt(encrypted)), bytes, 'encrypted');
  }
  const encrypted = await all(format(key).encrypt(bytes));
  for (const source of [encrypted, cut(encrypted, [100_000]), [encrypted], cut(encrypted, [MiB])])
    expectBytes(await all(format(key).decrypt(source, { pool })), bytes, 'decrypted');
}
