/** Long work on the caller's thread over bytes that are all there: the event loop turns meanwhile, and so a signal is heard. */
// Needs workers: a request handler has none, and too little memory for messages that are long enough.
import { afterAll, expect, it } from 'vitest';
import { createPool } from '../../src/pool.ts';
import { agePayload, chunked, secretstream, type Streams } from '../../src/stream.ts';
import { all } from '../support/stream.ts';

const MiB = 1_048_576;
const key = new Uint8Array(32).fill(5);
const bytes = new Uint8Array(95 * MiB);
const fewer = bytes.subarray(0, 32 * MiB);
const piece = bytes.subarray(0, MiB);
/** Its workers would start for more than 96 MiB, so the caller's thread hashes. */
const pool = createPool({ threads: 2 });
afterAll(() => pool.close());

const many = <Result>(count: number, work: () => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, work));

const reader = chunked(key).reader(await all(chunked(key).encrypt(fewer)));
const formats = Object.entries<(key: Uint8Array) => Streams>({ chunked, agePayload, secretstream });

it.each<[string, (signal: AbortSignal) => Promise<unknown>]>([
  ['many hashes, each of one part', (signal) => many(128, () => pool.blake3(piece, { signal }))],
  ['many hashes of several parts', (signal) => many(16, () => pool.blake3(bytes.subarray(0, 8 * MiB), { signal }))],
  ['one hash', (signal) => pool.blake3(bytes, { signal })],
  ...formats.flatMap(([name, format]): [string, (signal: AbortSignal) => Promise<unknown>][] => [
    [`a stream of ${name}`, (signal) => all(format(key).encrypt(bytes, { signal }))],
    [
      `decryptWhole of ${name}`,
      async (signal) => format(key).decryptWhole(await all(format(key).encrypt(fewer)), { signal }),
    ],
  ]),
  ['a long read of a reader', async (signal) => (await reader).read(0, fewer.length, { signal })],
])('%s', async (_, work) => {
  const controller = new AbortController();
  const reason = new Error('changed my mind');
  setTimeout(() => controller.abort(reason), 1);
  // Not the result itself: it is long, and would be printed.
  await expect(work(controller.signal).then(() => 'done')).rejects.toBe(reason);
});
