/** Streams on a pool in Node: Transforms, and workers that are killed. */
// Runs in Node only: about streams of Node, and kills workers of Node.
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { open, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Transform, Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { pipeline } from 'node:stream/promises';
import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, it } from 'vitest';
import { createPool } from '../../src/pool.ts';
import { createDecryptor, createEncryptor } from '../../src/stream-node.ts';
import { agePayload, secretstream } from '../../src/stream.ts';
import { expectBytes } from '../support/bytes.ts';
import { formats, key, MiB, names, plain, warmPool } from '../support/stream-pool.ts';
import { all, cut, untilError } from '../support/stream.ts';

const pool = await warmPool();
afterAll(() => pool.close());

/** All that goes through streams in a row. */
async function throughAll(pieces: Iterable<Uint8Array>, ...between: Transform[]): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const collecting = new Writable({
    write(chunk: Uint8Array, _, done) {
      chunks.push(chunk);
      globalThis.setTimeout(done, 1);
    },
  });
  await pipeline([Readable.from(pieces), ...between, collecting]);
  return Buffer.concat(chunks);
}

describe.each(names)('Transforms of %s', (name) => {
  const format = formats[name] as unknown as typeof agePayload;

  it('there and back', async () => {
    for (const [length, most] of [
      [0, 1000],
      [100_000, 30_000],
      [5 * MiB, 65_536],
      [9 * MiB, 3 * MiB],
    ]) {
      const bytes = plain.subarray(0, length);
      const sealed = await throughAll(cut(bytes, [most]), createEncryptor(format(key), { pool }));
      expectBytes(await all(format(key).decrypt(sealed)), bytes, 'encrypted');
      expectBytes(await throughAll(cut(sealed, [most]), createDecryptor(format(key), { pool })), bytes, 'decrypted');
    }
    const both = [createEncryptor(format(key), { pool }), createDecryptor(format(key), { pool })];
    expectBytes(await throughAll(cut(plain, [100_000]), ...both), plain, 'one behind the other');
  });

  it('errors', async () => {
    const sealed = await all(format(key).encrypt(plain));
    const run = (source: Uint8Array): Promise<unknown> =>
      throughAll(cut(source, [500_000]), createDecryptor(format(key), { pool })).catch((error: unknown) => error);
    expect(await run(sealed.subarray(0, 6_000_000))).toEqual(
      (await untilError(format(key).decrypt(sealed.subarray(0, 6_000_000)))).error,
    );
    sealed[7 * MiB] ^= 1;
    expect(await run(sealed)).toEqual((await untilError(format(key).decrypt(sealed))).error);
  });

  it('destroy, and a signal', async () => {
    const made = createEncryptor(format(key), { pool });
    made.resume();
    for (const piece of cut(plain, [MiB])) if (!made.write(piece)) await once(made, 'drain');
    made.destroy();
    await once(made, 'close');
    const controller = new AbortController();
    const aborted = createEncryptor(format(key), { pool, signal: controller.signal });
    aborted.resume();
    aborted.write(plain);
    const ended = once(aborted, 'error');
    await setTimeout(5);
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await ended).toEqual([reason]);
    const late = createEncryptor(format(key), { pool, signal: controller.signal });
    expect(await once(late, 'error')).toEqual([reason]);
  });
});

it('a Transform of secretstream has no pool', () => {
  expect(() => createEncryptor(secretstream(key), { pool } as never)).toThrow('depend on each other');
});

describe('workers that are killed', () => {
  const workers: Worker[] = [];
  const spawn = (): Worker => {
    const worker = new Worker(new URL('../../src/worker.ts', import.meta.url));
    workers.push(worker);
    return worker;
  };

  it('in the midst: the right bytes', async () => {
    const other = createPool({ threads: 2, threshold: 4 * MiB, spawn });
    await other.blake3(new Uint8Array(5 * MiB));
    const sealed = await all(agePayload(key).encrypt(plain));
    for (const at of [0, 3, 7]) {
      let told = 0;
      const onProgress = (): void => {
        if (told++ === at) void workers.at(-1)!.terminate();
      };
      expectBytes(await all(agePayload(key).encrypt(plain, { pool: other, onProgress })), sealed, `killed at ${at}`);
      expectBytes(await all(agePayload(key).decrypt(cut(sealed, [MiB]), { pool: other })), plain, 'after that');
    }
    await other.close();
  });
});

describe('open files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lanewise-open-files-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'file');

  it.each([0, 1, 65_536, MiB + 1, plain.length])('%i bytes, with a pool and without', async (length) => {
    const bytes = plain.subarray(0, length);
    await writeFile(path, bytes);
    const file = await open(path);
    try {
      const sealed = await all(agePayload(key).encrypt(bytes));
      expectBytes(await all(agePayload(key).encrypt(file)), sealed, 'one thread');
      const told: number[] = [];
      const stream = agePayload(key).encrypt(file, { pool, onProgress: (_, total) => void told.push(total!) });
      expectBytes(await all(stream), sealed, 'a pool');
      expect(new Set(told)).toEqual(new Set([length]));
      await writeFile(path, sealed);
      expectBytes(await all(agePayload(key).decrypt(file, { pool })), bytes, 'back');
    } finally {
      await file.close();
    }
  });

  it.runIf(existsSync('/proc/self/status'))('files that do not tell their size are refused', async () => {
    const message = /expected file that tells its size, got one that has bytes and says 0/;
    for (const name of ['/dev/zero', '/proc/self/status']) {
      const file = await open(name);
      try {
        expect(() => agePayload(key).encrypt(file, { pool })).toThrow(message);
        await expect(pool.blake3(file)).rejects.toThrow(message);
      } finally {
        await file.close();
      }
    }
  });

  it('a file that becomes shorter while it is read, and one that is closed', async () => {
    await writeFile(path, plain);
    const file = await open(path);
    const stream = agePayload(key).encrypt(file, { pool });
    await truncate(path, 5 * MiB);
    const { error } = await untilError(stream);
    expect((error as Error).message).toMatch(
      /^cannot read \d+ bytes of the source at \d+: it gave \d+; was it changed\?$/,
    );
    const other = agePayload(key).encrypt(file, { pool });
    await file.close();
    expect((await untilError(other)).error).toMatchObject({ code: 'EBADF' });
  });
});
