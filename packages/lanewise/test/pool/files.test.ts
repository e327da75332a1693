/** Files that change while they are hashed, and objects that look like files. */
// Runs in Node only: files of Node.
import { closeSync, openAsBlob, openSync } from 'node:fs';
import { mkdtemp, open, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { blake3 } from '../../src/blake3.ts';
import { createPool } from '../../src/pool.ts';
import { ended } from '../support/crew.ts';

const MiB = 1_048_576;
const message = new Uint8Array(40 * MiB).fill(5);
const digest = blake3(message);
const pool = createPool({ threads: 2, threshold: 12 * MiB });
let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lanewise-pool-'));
  path = join(folder, 'a');
  await writeFile(path, message);
  await writeFile(join(folder, 'b'), new Uint8Array(40 * MiB).fill(6));
});
afterAll(async () => {
  await pool.close();
  await rm(folder, { recursive: true });
});

describe('a file', () => {
  it('is read by workers', async () => {
    const file = await open(path);
    while (pool.describe().running < 2) expect(await pool.blake3(file)).toEqual(digest);
    const read = vi.spyOn(file, 'read');
    expect(await pool.blake3(file)).toEqual(digest);
    expect(read).not.toHaveBeenCalled();
    await file.close();
  });

  it('that is closed meanwhile, and whose number is that of another: an error, or the right digest', async () => {
    for (const after of [0, 1, 5, 20]) {
      const file = await open(path);
      const { fd } = file;
      let other: number | undefined;
      const hashing = ended(
        pool.blake3(file, {
          onProgress: (done) => {
            if (done / MiB !== after + 1) return;
            void file.close().then(() => (other = openSync(join(folder, 'b'), 'r')));
          },
        }),
      );
      const result = await hashing;
      if (result instanceof Uint8Array) expect(result).toEqual(digest);
      else expect(result).toMatch(/file closed|bad file descriptor/);
      await file.close();
      if (other !== undefined) {
        expect(other).toBe(fd);
        closeSync(other);
      }
    }
  });

  it('that shrinks meanwhile: an error', async () => {
    const short = join(folder, 'short');
    await writeFile(short, message);
    const file = await open(short);
    const result = ended(pool.blake3(file, { onProgress: () => void truncate(short, 5 * MiB) }));
    expect(await result).toMatch(/^cannot read \d+ bytes of the source at \d+: it gave \d+; was it changed\?$/);
    await file.close();
  });

  it('of a Blob, which Node cannot post, is read by the caller; its workers stay', async () => {
    const blob = await openAsBlob(path);
    expect(await pool.blake3(blob)).toEqual(digest);
    expect(pool.describe().running).toBe(2);
  });

  it('of a Blob that changes meanwhile: an error', async () => {
    const changed = join(folder, 'changed');
    await writeFile(changed, message);
    const blob = await openAsBlob(changed);
    const result = ended(pool.blake3(blob, { onProgress: () => void truncate(changed, 5 * MiB) }));
    expect(await result).toMatch(/could not be read/);
  });
});

describe('an object that has a file', () => {
  it('and reads in its own way is read in that way', async () => {
    const file = await open(join(folder, 'b'));
    const source = {
      fd: file.fd,
      stat: (options: { bigint: true }) => file.stat(options),
      size: message.length,
      read: (from: number, to: number) => message.subarray(from, to),
    };
    expect(await pool.blake3(source)).toEqual(digest);
    await file.close();
  });

  it('a Blob with parts of its own', async () => {
    class Twice extends Blob {
      override slice(from?: number, to?: number): Blob {
        return new Blob([message.subarray(from, to)]);
      }
    }
    expect(await pool.blake3(new Twice([new Uint8Array(40 * MiB)]))).toEqual(digest);
  });
});

it('what `read` gives may be of another realm', async () => {
  const Foreign = runInNewContext('Uint8Array') as typeof Uint8Array;
  const read = (from: number, to: number): Uint8Array => new Foreign(to - from).fill(5);
  expect(await pool.blake3({ size: message.length, read })).toEqual(digest);
});
