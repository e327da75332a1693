/** All that a pool does, as rows: each test of faults is made of each of them. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { blake3 } from '../../../src/blake3.ts';
import { adiantum } from '../../../src/disk.ts';
import type { Pool } from '../../../src/pool.ts';
import { agePayload } from '../../../src/stream.ts';
import { sample } from '../bytes.ts';

const MiB = 1_048_576;
export const key = sample(32, 1);
/** The plaintext is this, over and over, so 72 of its bytes in a row hold any eight of these. */
const period = sample(64, 200);
export const plaintext = new Uint8Array(36 * MiB + 4096);
for (let at = 0; at < plaintext.length; at += 64) plaintext.set(period, at);
/** Bytes that no memory may hold afterwards. */
export const secrets = { key: key.slice(0, 8), plaintext: period.slice(0, 8) } as const;

export interface Options {
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number) => void;
}
export interface Operation {
  readonly name: string;
  /** Does it; `bytes` is how much of the plaintext. */
  readonly run: (pool: Pool, options: Options, bytes: number) => Promise<Uint8Array>;
  /** The result on one thread. */
  readonly expected: (bytes: number) => Uint8Array;
  /** Whether workers have plaintext until the session ends, and not only while they work at it. */
  readonly keeps?: boolean;
}

const part = (bytes: number): Uint8Array<ArrayBuffer> => plaintext.subarray(0, bytes);
const folder = mkdtempSync(join(tmpdir(), 'lanewise-operations-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
function fileWith(name: string, content: () => Uint8Array): string {
  const path = join(folder, name);
  if (!existsSync(path)) writeFileSync(path, content());
  return path;
}
const fileOf = (bytes: number): string => fileWith(`${bytes}`, () => part(bytes));
const encryptedFileOf = (bytes: number): string =>
  fileWith(`${bytes}.encrypted`, () => adiantum(key).encryptPages(part(bytes).slice(), dm));
/** How many files were made. */
let count = 0;

async function* inPieces(bytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes; at += 1_000_003) {
    await Promise.resolve();
    yield plaintext.subarray(at, Math.min(bytes, at + 1_000_003));
  }
}
const hash = (name: string, source: (bytes: number) => Parameters<Pool['blake3']>[0]): Operation => ({
  name: `blake3 of ${name}`,
  run: (pool, options, bytes) => pool.blake3(source(bytes), { key, ...options }),
  expected: (bytes) => blake3(part(bytes), { key }),
});
const dm = { pageSize: 4096, tweak: 'dm-crypt-large' } as const;

/** All bytes of a stream, with its progress. */
async function gather(stream: ReadableStream<Uint8Array>, { onProgress }: Options): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let done = 0;
  for await (const piece of stream) {
    pieces.push(piece);
    done += piece.length;
    onProgress?.(done);
  }
  return new Uint8Array(Buffer.concat(pieces));
}
function sealed(bytes: number): Uint8Array<ArrayBuffer> {
  const sealer = agePayload(key).sealer();
  return new Uint8Array(Buffer.concat([sealer.push(part(bytes)), sealer.end()]));
}

export const operations: readonly Operation[] = [
  hash('memory', part),
  hash('a Blob', (bytes) => new Blob([part(bytes)])),
  hash('an iterable', inPieces),
  {
    ...hash('a file', part),
    keeps: true,
    async run(pool, options, bytes) {
      await using file = await open(fileOf(bytes));
      return await pool.blake3(file, { key, ...options });
    },
  },
  {
    name: 'pages',
    run: (pool, options, bytes) => pool.encryptPages(adiantum(key), part(bytes).slice(), { ...dm, ...options }),
    expected: (bytes) => adiantum(key).encryptPages(part(bytes).slice(), dm),
  },
  {
    name: 'decryption of the pages of a file',
    keeps: true,
    async run(pool, options, bytes) {
      const path = join(folder, `${(count += 1)}.decrypted`);
      await using from = await open(encryptedFileOf(bytes));
      await using to = await open(path, 'wx+');
      await pool.decryptPages(adiantum(key), { from, to }, { ...dm, ...options });
      const made = await to.readFile();
      rmSync(path);
      return new Uint8Array(made);
    },
    expected: part,
  },
  {
    name: 'encryption of a stream',
    run: (pool, { signal, ...options }, bytes) =>
      gather(agePayload(key).encrypt(part(bytes), { pool, ...(signal && { signal }) }), options),
    expected: sealed,
  },
  {
    name: 'decryption of a stream',
    run: (pool, { signal, ...options }, bytes) =>
      gather(agePayload(key).decrypt(sealed(bytes), { pool, ...(signal && { signal }) }), options),
    expected: part,
  },
];

/** Waits until all workers of a pool run. */
export async function warmUp(pool: Pool): Promise<void> {
  const { threads } = pool.describe();
  while (pool.describe().running < threads) {
    await pool.blake3(new Uint8Array(5 * MiB));
  }
}
