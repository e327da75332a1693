/** All memory that streams on a pool take on the caller's thread is looked at: afterwards it holds no key and no plaintext. */
// Runs in Node only: loads the library anew, with constructors that remember their arrays, with shared memory and without.
import { afterEach, describe, expect, it, vi } from 'vitest';
import type * as PoolRoom from '../../src/pool.ts';
import type * as Stream from '../../src/stream.ts';
import { expectBytes, sample } from '../support/bytes.ts';
import { all, cut, untilError } from '../support/stream.ts';
import { once } from '../support/once.ts';

const MiB = 1_048_576;
const key = sample(32, 101);
const plaintext = sample(7 * MiB + 5, 102);
const broken = new Error('the disk is full');

const Plain = Uint8Array;
const Shared = SharedArrayBuffer;
let made: Uint8Array[] = [];
let stream: typeof Stream;
let pool: PoolRoom.Pool;

async function load(hasShared: boolean): Promise<void> {
  made = [];
  vi.resetModules();
  const remembering = new Proxy(Plain, {
    construct(target, values, as) {
      const view = Reflect.construct(target, values, as as Uint8ArrayConstructor) as Uint8Array;
      made.push(view);
      return view;
    },
  });
  globalThis.Uint8Array = remembering;
  if (!hasShared) Reflect.deleteProperty(globalThis, 'SharedArrayBuffer');
  try {
    stream = await import('../../src/stream.ts');
    const { createPool } = await import('../../src/pool.ts');
    pool = createPool({ threads: 2, threshold: 4 * MiB });
  } finally {
    globalThis.Uint8Array = Plain;
    globalThis.SharedArrayBuffer = Shared;
  }
  await pool.blake3(new Uint8Array(5 * MiB));
}
afterEach(async () => {
  await pool.close();
  vi.resetModules();
});

/** Whether memory that the library has made, apart from results, holds eight bytes in a row of these. */
function found(secret: Uint8Array, results: readonly Uint8Array[]): boolean {
  const others = new Set<ArrayBufferLike>([key, plaintext, ...results].map(({ buffer }) => buffer));
  const needles: Uint8Array[] = [];
  for (let at = 0; at + 8 <= secret.length; at += 8) needles.push(secret.subarray(at, at + 8));
  return [...new Set<ArrayBufferLike>(made.map(({ buffer }) => buffer))]
    .filter((buffer) => buffer.byteLength > 0 && !others.has(buffer))
    .some((buffer) => needles.some((needle) => Buffer.from(buffer).includes(needle)));
}
const secrets: Readonly<Record<string, Uint8Array>> = {
  key,
  'in the midst': plaintext.subarray(6 * MiB, 6 * MiB + 64),
  'the end': plaintext.subarray(-64),
};

describe.each([
  ['with shared memory', true],
  ['without', false],
] as const)('%s', (_, hasShared) => {
  it('nothing is left, whatever the end', async () => {
    await load(hasShared);
    const { agePayload } = stream;
    const sealed = await all(once(agePayload(key), (keyed) => keyed.encrypt(plaintext)));
    const pieces = (): Uint8Array[] => cut(plaintext, [300_000]);
    const damaged = sealed.slice();
    damaged[6 * MiB + 70_000] ^= 1;
    // Gives everything, and never ends.
    const waiting = (bytes: Uint8Array): ReadableStream<Uint8Array> => {
      const left = cut(bytes, [300_000]);
      return new ReadableStream({
        pull(controller) {
          const piece = left.shift();
          if (piece) controller.enqueue(piece);
        },
      });
    };
    const results: Uint8Array[] = [];
    const readSome = async (its: ReadableStream<Uint8Array>): Promise<ReadableStreamDefaultReader<Uint8Array>> => {
      const reader = its.getReader();
      for (let read = 0; read < 5 * MiB;) {
        const { value } = await reader.read();
        results.push(value!);
        read += value!.length;
      }
      return reader;
    };
    const ends: Record<string, () => Promise<unknown>> = {
      async encrypted() {
        const result = await all(once(agePayload(key), (keyed) => keyed.encrypt(pieces(), { pool })));
        expectBytes(result, sealed, 'encrypted');
      },
      async decrypted() {
        const result = await all(once(agePayload(key), (keyed) => keyed.decrypt(cut(sealed, [300_000]), { pool })));
        expectBytes(result, plaintext, 'decrypted');
        results.push(result);
      },
      async whole() {
        results.push(await once(agePayload(key), (keyed) => keyed.decryptWhole(sealed, { pool })));
      },
      async damaged() {
        const { given } = await untilError(
          once(agePayload(key), (keyed) => keyed.decrypt(cut(damaged, [300_000]), { pool })),
        );
        results.push(given);
        await expect(
          once(agePayload(key), (keyed) => keyed.decryptWhole(cut(damaged, [300_000]), { pool })),
        ).rejects.toThrow('not authentic');
      },
      async cancelled() {
        for (const its of [
          once(agePayload(key), (keyed) => keyed.encrypt(waiting(plaintext), { pool })),
          once(agePayload(key), (keyed) => keyed.decrypt(waiting(sealed), { pool })),
        ])
          await (await readSome(its)).cancel();
      },
      async aborted() {
        const controller = new AbortController();
        const reader = await readSome(
          once(agePayload(key), (keyed) => keyed.decrypt(waiting(sealed), { pool, signal: controller.signal })),
        );
        const reading = reader.read();
        controller.abort(broken);
        await expect(reading).rejects.toBe(broken);
      },
      async read() {
        const reader = await once(agePayload(key), (keyed) => keyed.reader(sealed, { pool }));
        results.push(await reader.read(5, plaintext.length));
        reader.destroy();
      },
    };
    const atFirst = made.length;
    for (const [end, run] of Object.entries(ends)) {
      made.length = atFirst;
      results.length = 0;
      await run();
      // Answers that come late are wiped when they come.
      await new Promise((resolve) => setTimeout(resolve, 20));
      for (const [what, secret] of Object.entries(secrets))
        expect(found(secret, results), `${end}: ${what}`).toBe(false);
    }
  });

  it('is able to see: a stream at work holds its key', async () => {
    await load(hasShared);
    const reader = once(stream.agePayload(key), (keyed) => keyed.encrypt(plaintext, { pool })).getReader();
    await reader.read();
    expect(found(key, [])).toBe(true);
    await reader.cancel();
    expect(found(key, [])).toBe(false);
  });
});
