/** A pool gives the results of one thread, whatever the source. */
// Needs workers: a request handler has none, and too little memory for messages that are long enough.
import { afterAll, describe, expect, it } from 'vitest';
import { blake3 } from '../../src/blake3.ts';
import { adiantum } from '../../src/disk.ts';
import { createPool } from '../../src/pool.ts';
import { Starts } from '../../src/pool/starts.ts';
import { agePayload } from '../../src/stream.ts';
import { sample } from '../support/bytes.ts';

const MiB = 1_048_576;
const pool = createPool({ threads: 2, threshold: 12 * MiB });
afterAll(() => pool.close());

const message = new Uint8Array(34 * MiB + 12_345);
for (let at = 0; at < message.length; at += 65_521)
  message.set(sample(100, at % 251), Math.min(at, message.length - 100));

/** An iterable of pieces that have no simple relation to jobs. */
function* pieces(bytes: Uint8Array, length: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

const shared = (bytes: Uint8Array): Uint8Array => {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
};

describe('BLAKE3 of a long message', () => {
  const key = sample(32, 1);
  const modes = { hash: {}, keyed: { key }, derived: { context: 'pool.test.ts 2026-11-22' }, long: { dkLen: 1000 } };
  it.each(Object.entries(modes))('%s', async (_, options) => {
    expect(await pool.blake3(message, options)).toEqual(blake3(message, options));
  });

  it.each([0, 1, MiB, MiB + 1, message.length])('output of any length, of %i bytes', async (length) => {
    const bytes = message.subarray(0, length);
    for (const options of [{}, { key }]) {
      const output = await pool.blake3Xof(bytes, options);
      const expected = blake3(bytes, { ...options, dkLen: 100_100 });
      expect(output.xof(33)).toEqual(expected.subarray(0, 33));
      expect(output.seek(100_000).xof(100)).toEqual(expected.subarray(100_000));
    }
  });

  const sources: Record<string, () => Parameters<typeof pool.blake3>[0]> = {
    'a Blob': () => new Blob([message]),
    'a stream': () => new Blob([message]).stream(),
    'a Response': () => new Response(message),
    'an iterable of odd pieces': () => pieces(message, 1_000_003),
    'an object with read': () => ({
      size: message.length,
      read: (from: number, to: number) => message.subarray(from, to),
    }),
    ...(typeof SharedArrayBuffer === 'function' && { 'shared memory': () => shared(message) }),
  };
  it.each(Object.entries(sources))('%s', async (_, source) => {
    expect(await pool.blake3(source())).toEqual(blake3(message));
  });

  it('has used workers, where the host has any', () => {
    const told = pool.describe();
    if (globalThis.navigator?.userAgent === 'Cloudflare-Workers')
      expect(told).toEqual({ threads: 2, running: 0, parallel: false, reason: expect.stringMatching(/./) as string });
    else expect(told).toEqual({ threads: 2, running: 2, parallel: true, reason: undefined });
  });

  it.each([0, 1, 1023, 1024, MiB - 1, MiB, MiB + 1, 2 * MiB, 12 * MiB, 12 * MiB + 1, 13 * MiB - 1])(
    '%i bytes, in memory and as a stream',
    async (length) => {
      const bytes = message.subarray(0, length);
      expect(await pool.blake3(bytes)).toEqual(blake3(bytes));
      expect(await pool.blake3(pieces(bytes, 777_777))).toEqual(blake3(bytes));
    },
  );

  it('with the caller as one of the threads', async () => {
    for (const threads of [1, 2, 3]) {
      const busy = createPool({ threads, callerWorks: true, threshold: 12 * MiB });
      expect(await busy.blake3(message)).toEqual(blake3(message));
      const parts = { size: message.length, read: (from: number, to: number) => message.subarray(from, to) };
      expect(await busy.blake3(parts)).toEqual(blake3(message));
      // It may do all of the work while the others start.
      while (busy.describe().running < threads - 1) await busy.blake3(message);
      expect(await busy.blake3(message)).toEqual(blake3(message));
      expect(busy.describe()).toMatchObject({ threads, running: threads - 1 });
      await busy.close();
    }
  });

  it('tells its progress, in order', async () => {
    const told: (number | undefined)[][] = [];
    await pool.blake3(message, { onProgress: (...values) => void told.push(values) });
    expect(told.map(([done]) => done)).toEqual(
      Array.from({ length: 35 }, (_, i) => Math.min((i + 1) * MiB, message.length)),
    );
    expect(new Set(told.map(([, total]) => total))).toEqual(new Set([message.length]));
  });
});

describe('errors', () => {
  it('a source that throws', async () => {
    const source = (function* () {
      yield message;
      throw new Error('disk on fire');
    })();
    await expect(pool.blake3(source)).rejects.toThrow(/^disk on fire$/);
    const failing = { size: message.length, read: () => Promise.reject(new Error('no such block')) };
    await expect(pool.blake3(failing)).rejects.toThrow(/^no such block$/);
    const short = { size: message.length, read: (from: number, to: number) => message.subarray(from, to - 1) };
    await expect(pool.blake3(short)).rejects.toThrow(/^cannot read 1048576 bytes of the source at 0: it gave 1048575/);
  });

  it('a signal', async () => {
    const reason = new Error('enough');
    await expect(pool.blake3(message, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    const hashing = pool.blake3(message, { signal: controller.signal, onProgress: () => controller.abort(reason) });
    await expect(hashing).rejects.toBe(reason);
    expect(await pool.blake3(message)).toEqual(blake3(message));
  });

  it('arguments, at once', () => {
    expect(() => pool.blake3('text' as never)).toThrow(TypeError);
    expect(() => pool.blake3(message, { keys: 1 } as never)).toThrow(
      /^"options" expected plain object \{ key, context/,
    );
    expect(() => createPool({ thread: 2 } as never)).toThrow(
      '{ threads, spawn, idle, callerWorks, threshold }, got { thread }',
    );
    expect(() => new (pool.constructor as new () => unknown)()).toThrow('a pool is made by createPool()');
    expect(() => createPool({ threads: 0 })).toThrow(RangeError);
    expect(() => createPool({ threads: 257 })).toThrow('"threads" expected integer from 1 to 256, got 257');
    expect(() => createPool({ spawn: 'worker.js' as never })).toThrow(TypeError);
    expect(() => createPool({ threshold: -1 })).toThrow('"threshold" expected integer from 0 up, got -1');
    expect(() => createPool({ threshold: '1' as never })).toThrow(TypeError);
    expect(() => createPool({ callerWorks: 1 as never })).toThrow('"callerWorks" expected boolean, got type=number');
  });

  it('a pool that was closed', async () => {
    const other = createPool({ threads: 1, threshold: 12 * MiB });
    const hashing = other.blake3(message);
    await other.close();
    await expect(hashing).rejects.toThrow('the pool was closed while it worked');
    expect(() => other.blake3(message)).toThrow('cannot use a pool after close()');
    expect(other.describe()).toEqual({ threads: 1, running: 0, parallel: false, reason: 'the pool is closed' });
    await other.close();
  });
});

it('starts workers for many messages as for one that is as long', async () => {
  const its = createPool({ threads: 1 });
  const bytes = message.subarray(0, 31 * MiB);
  for (let i = 0; i < 3; i++) expect(await its.blake3(bytes)).toEqual(blake3(bytes));
  expect(its.describe().running).toBe(0);
  // Four messages have more than 96 MiB. Where no worker can run, none ever does.
  const { parallel } = pool.describe();
  do expect(await its.blake3(bytes)).toEqual(blake3(bytes));
  while (parallel && !its.describe().running);
  await its.close();
});

it('has a threshold of the caller’s', async () => {
  const { parallel } = pool.describe();
  const its = createPool({ threads: 1, threshold: 3 * MiB });
  const some = message.slice(0, 3 * MiB);
  for (let i = 0; i < 5; i++) expect(await its.blake3(some)).toEqual(blake3(some));
  expect(its.describe().running).toBe(0);
  const more = message.subarray(0, 3 * MiB + 1);
  do expect(await its.blake3(more)).toEqual(blake3(more));
  while (parallel && !its.describe().running);
  await its.close();

  const all = createPool({ threads: 1, threshold: 0 });
  const cipher = adiantum(sample(32, 5));
  const options = { pageSize: 4096, tweak: 'index64' } as const;
  for (const length of [0, 1, 4096, MiB, MiB + 4096, 2 * MiB]) {
    const bytes = message.slice(0, length);
    expect(await all.blake3(bytes)).toEqual(blake3(bytes));
    const sealed = agePayload(sample(32, 6)).encrypt(bytes, { pool: all });
    expect(await new Response(agePayload(sample(32, 6)).decrypt(sealed, { pool: all })).arrayBuffer()).toEqual(
      bytes.buffer,
    );
    if (!length || length % 4096) continue;
    const pages = message.slice(0, length);
    expect(await all.encryptPages(cipher, pages, options)).toEqual(cipher.encryptPages(bytes, options));
  }
  await all.close();
});

it('starts workers again a second after three of them have failed in a row', () => {
  const starts = new Starts(undefined);
  starts.succeeded();
  for (let i = 0; i < 2; i++) starts.failed('killed');
  expect(starts.refusal).toBeUndefined();
  starts.failed('killed');
  expect(starts.refusal).toBe('no worker could be started: killed');
  const { now } = Date;
  Date.now = () => now() + 1001;
  try {
    expect(starts.refusal).toBeUndefined();
  } finally {
    Date.now = now;
  }
  // Where none has ever started, none does.
  const never = new Starts(undefined);
  never.failed('forbidden');
  Date.now = () => now() + 10_000;
  try {
    expect(never.refusal).toBe('no worker could be started: forbidden');
  } finally {
    Date.now = now;
  }
});
