/** Streams on a pool give the bytes of one thread: results, errors and the bytes before them. */
// Needs workers: a request handler has none, and too little memory for messages that are long enough.
import { afterAll, describe, expect, it } from 'vitest';
import { createPool } from '../../src/pool.ts';
import { agePayload, chunked, secretstream, type ByteSource } from '../../src/stream.ts';
import { expectBytes, sample } from '../support/bytes.ts';
import { edges, expectLength, formats, key, MiB, names, plain, warmPool } from '../support/stream-pool.ts';
import { all, allInto, cut, randomly, untilError } from '../support/stream.ts';
import { settled, turns } from '../support/turns.ts';

const pool = await warmPool();
afterAll(() => pool.close());

const shared = (bytes: Uint8Array): Uint8Array => {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
};
/** A source of one piece after the other; each waits for a while, and all in the same memory. */
async function* slowly(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  const memory = new Uint8Array(length);
  for (const piece of cut(bytes, [length])) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    memory.set(piece);
    yield memory.subarray(0, piece.length);
  }
}
const sources: Record<string, (bytes: Uint8Array) => ByteSource> = {
  bytes: (bytes) => bytes,
  'a Blob': (bytes) => new Blob([bytes as Uint8Array<ArrayBuffer>]),
  'a byte stream': (bytes) => new Blob([bytes as Uint8Array<ArrayBuffer>]).stream(),
  'a Response': (bytes) => new Response(bytes as Uint8Array<ArrayBuffer>),
  'pieces of one chunk': (bytes) => cut(bytes, [65_536]),
  'odd pieces': (bytes) => cut(bytes, [777_777, 3, 0, 20_000]),
  'random pieces': (bytes) => randomly(bytes, 5, 300_000),
  'slow pieces in the same memory': (bytes) => slowly(bytes, 700_001),
  ...(typeof SharedArrayBuffer === 'function' && { 'shared memory': shared }),
};

describe.each(names)('%s', (name) => {
  const format = formats[name];
  const { chunkLength } = format;

  it.each(Object.entries(sources))('%s, by readers of two kinds', async (_, source) => {
    const bytes = plain.subarray(0, 8 * MiB + 12_345);
    const encrypted = await all(format(key).encrypt(source(bytes), { pool }));
    expectBytes(await all(format(key).decrypt(encrypted)), bytes, 'encrypted');
    expectBytes(await all(format(key).decrypt(source(encrypted), { pool })), bytes, 'decrypted');
    const lengths = [100_000, 7, 2 * MiB, 65_536];
    const again = await allInto(format(key).encrypt(source(bytes), { pool }), lengths);
    expectBytes(await format(key).decryptWhole(again), bytes, 'encrypted into memory');
    expectBytes(await allInto(format(key).decrypt(source(encrypted), { pool }), lengths), bytes, 'into memory');
    expectBytes(await format(key).decryptWhole(source(encrypted), { pool }), bytes, 'whole');
  });

  // stream/pool-lengths.long.test.ts has the others.
  it.each([...edges(chunkLength, 6 * MiB), 7_654_321])('%i bytes', async (length) => {
    await expectLength(format, length, pool);
  });

  it('what is written to one stream and read from another', async () => {
    const { readable, writable } = format(key).encryptor({ pool });
    const opened = readable.pipeThrough(format(key).decryptor({ pool }));
    const read = all(opened);
    const writer = writable.getWriter();
    for (const piece of cut(plain, [300_000, 1])) {
      const memory = piece.slice();
      await writer.write(memory);
      // The memory is the writer's again.
      memory.fill(0);
    }
    await writer.close();
    expectBytes(await read, plain, 'through both');
  });

  it('what was written comes out, although no more is written', async () => {
    const { readable, writable } = format(key).encryptor({ pool });
    const reader = readable.getReader();
    const writer = writable.getWriter();
    let got = 0;
    for (let length = 0; length < 5 * MiB + 1;) {
      const piece = plain.subarray(length, length + 250_000);
      void writer.write(piece);
      length += piece.length;
      const whole = Math.floor((length - 1) / chunkLength) * (chunkLength + 16);
      while (got - format.headerLength < whole) got += (await reader.read()).value!.length;
    }
    await reader.cancel();
  });

  it('progress, in order and up to the end', async () => {
    for (const source of [plain, cut(plain, [200_000])]) {
      const told: (number | undefined)[][] = [];
      await all(format(key).encrypt(source, { pool, onProgress: (...values) => void told.push(values) }));
      const done = told.map(([its]) => its!);
      expect(done).toEqual([...done].sort((a, b) => a - b));
      expect(done.at(-1)).toBe(plain.length);
      expect(done.length).toBeGreaterThan(8);
      expect(new Set(told.map(([, total]) => total))).toEqual(new Set([source === plain ? plain.length : undefined]));
    }
  });
});

/** A source without end, which counts the taken bytes. */
function endless(): { stream: ReadableStream<Uint8Array>; its: { given: number; cancelled: unknown[] } } {
  const its = { given: 0, cancelled: [] as unknown[] };
  const piece = new Uint8Array(100_000);
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        its.given += piece.length;
        controller.enqueue(piece);
      },
      cancel: (reason) => void its.cancelled.push(reason),
    },
    { highWaterMark: 0 },
  );
  return { stream, its };
}

describe.each(names)('the end of %s', (name) => {
  const format = formats[name];

  it('a source without end, and a reader that stops: a bounded number of bytes is taken', async () => {
    const { stream, its } = endless();
    const reader = format(key).encrypt(stream, { pool }).getReader();
    let read = 0;
    while (read < 20 * MiB) read += (await reader.read()).value!.length;
    // Three jobs, the one that is gathered, and a piece.
    expect((await settled(() => its.given)) - read).toBeLessThan(5 * MiB);
    const reason = new Error('enough');
    await reader.cancel(reason);
    expect(its.cancelled).toEqual([reason]);
    const { given } = its;
    await turns();
    expect(its.given).toBe(given);
  });

  it('a signal', async () => {
    for (const after of [1 * MiB, 6 * MiB]) {
      const { stream, its } = endless();
      const controller = new AbortController();
      const reader = format(key).encrypt(stream, { pool, signal: controller.signal }).getReader();
      let read = 0;
      while (read < after) read += (await reader.read()).value!.length;
      const reading = reader.read();
      const reason = new Error('enough');
      controller.abort(reason);
      await expect(reading).rejects.toBe(reason);
      expect(its.cancelled).toEqual([reason]);
    }
  });

  it('a signal while a slow source is waited for', async () => {
    const controller = new AbortController();
    const { readable, writable } = format(key).encryptor({ pool, signal: controller.signal });
    const writing = writable.getWriter().write(plain.subarray(0, 5 * MiB));
    const reader = readable.getReader();
    let read = 0;
    while (read < 5 * MiB - format.chunkLength) read += (await reader.read()).value!.length;
    await writing;
    const reading = reader.read();
    await turns();
    controller.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
  });

  it('onProgress that throws, and one that cancels', async () => {
    for (const source of [plain, cut(plain, [MiB])]) {
      const wrong = new Error('no progress');
      const throwing = (done: number): void => {
        if (done > 6 * MiB) throw wrong;
      };
      expect((await untilError(format(key).encrypt(source, { pool, onProgress: throwing }))).error).toBe(wrong);
      const cancelling = (done: number): void => {
        if (done > 6 * MiB) void reader.cancel();
      };
      const reader: ReadableStreamDefaultReader<Uint8Array> = format(key)
        .encrypt(source, { pool, onProgress: cancelling })
        .getReader();
      while (!(await reader.read()).done);
    }
  });

  it('a pool that is closed', async () => {
    const other = createPool({ threads: 1, threshold: 4 * MiB });
    const { stream, its } = endless();
    const reader = format(key).encrypt(stream, { pool: other }).getReader();
    let read = 0;
    while (read < 8 * MiB) read += (await reader.read()).value!.length;
    await other.close();
    await expect(
      (async () => {
        for (;;) await reader.read();
      })(),
    ).rejects.toThrow('the pool was closed while it worked');
    expect(its.cancelled).toHaveLength(1);
    expect(() => format(key).encrypt(plain, { pool: other })).toThrow('cannot use a pool after close()');
  });
});

it('options of the format work with a pool, too', async () => {
  const header = sample(20, 4);
  const encrypted = await all(agePayload(key).encrypt(plain, { pool, header }));
  expectBytes(encrypted, await all(agePayload(key).encrypt(plain, { header })), 'encrypted');
  expectBytes(await all(agePayload(key).decrypt(encrypted.subarray(20), { pool })), plain, 'decrypted');
  const context = sample(3, 5);
  const other = await all(chunked(key, { context }).encrypt(cut(plain, [MiB]), { pool }));
  expectBytes(await all(chunked(key, { context }).decrypt(other, { pool })), plain, 'with a context');
});

it('what is no pool is refused, and secretstream has none', () => {
  for (const format of Object.values(formats)) {
    expect(() => format(key).encrypt(plain, { pool: {} as never })).toThrow(
      '"pool" expected what createPool() of lanewise/pool.js gave, got type=Object',
    );
    expect(() => format(key).decrypt(plain, { pool: 4 as never })).toThrow(TypeError);
    expect(() => format(key).encryptor({ pool: null as never })).toThrow(TypeError);
  }
  expect(() => secretstream(key).encrypt(plain, { pool } as never)).toThrow(
    'got { pool }: the messages of secretstream depend on each other',
  );
});

describe.each(names)('a reader of %s', (name) => {
  const format = formats[name];

  it('gives the bytes that one thread gives, of every source', async () => {
    const sealed = await all(format(key).encrypt(plain));
    const sources = [
      sealed,
      new Blob([sealed as Uint8Array<ArrayBuffer>]),
      { size: sealed.length, read: (from: number, to: number) => Promise.resolve(sealed.slice(from, to)) },
    ];
    const { chunkLength } = format;
    for (const source of sources) {
      const reader = await format(key).reader(source, { pool });
      const ends = [0, chunkLength - 1, 3 * MiB + 5];
      for (const from of ends)
        for (const to of [plain.length, 8 * MiB, 7_654_321])
          expectBytes(await reader.read(from, to), plain.subarray(from, to), `${from} to ${to}`);
      const many = await Promise.all([reader.read(0, 9 * MiB), reader.read(MiB, 6 * MiB), reader.read(5, 50)]);
      expectBytes(many[0], plain, 'all');
      expectBytes(many[1], plain.subarray(MiB, 6 * MiB), 'some');
      expectBytes(many[2], plain.subarray(5, 50), 'few');
      reader.destroy();
      expect(() => reader.read(0, 5 * MiB)).toThrow('cannot use a reader after destroy()');
    }
  });

  it('has the errors of one thread, and goes on after them', async () => {
    const sealed = await all(format(key).encrypt(plain));
    const broken = new Error('disk on fire');
    sealed[3 * MiB] ^= 1;
    sealed[6 * MiB] ^= 1;
    const errors: unknown[] = [];
    for (const options of [{}, { pool }]) {
      let fails = false;
      const read = (from: number, to: number): Uint8Array => {
        if (fails) throw broken;
        return sealed.subarray(from, to);
      };
      const reader = await format(key).reader({ size: sealed.length, read }, options);
      const failure = (from: number, to: number, its = {}): Promise<unknown> =>
        reader.read(from, to, its).catch((error: unknown) => error);
      const found = [await failure(0, plain.length), await failure(4 * MiB, plain.length)];
      expectBytes(await reader.read(0, 2 * MiB), plain.subarray(0, 2 * MiB), 'afterwards');
      fails = true;
      found.push(await failure(3.5 * MiB, plain.length));
      fails = false;
      const controller = new AbortController();
      const aborted = failure(3.5 * MiB, plain.length, { signal: controller.signal });
      controller.abort(broken);
      found.push(await aborted);
      const ended = failure(3.5 * MiB, plain.length);
      reader.destroy();
      found.push(await ended);
      errors.push(found);
    }
    expect(errors[1]).toEqual(errors[0]);
  });
});
