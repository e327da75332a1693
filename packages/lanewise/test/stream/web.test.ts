/** Streams of the platform over the three formats: sources of every kind, any chunking, back-pressure. */
import { describe, expect, it } from 'vitest';
import {
  agePayload,
  chunked,
  secretstream,
  type ByteSource,
  type StreamOptions,
  type StreamPair,
} from '../../src/stream.ts';
import { concat, expectBytes, sample } from '../support/bytes.ts';
import { all, allInto, cut, hasByteStreams, randomly, through } from '../support/stream.ts';
import { turns, until } from '../support/turns.ts';

const key = sample(32, 71);
const context = sample(5, 72);

interface Format {
  readonly name: string;
  readonly chunk: number;
  readonly tag: number;
  readonly header: number;
  encrypt(source: ByteSource, options?: StreamOptions): ReadableStream<Uint8Array>;
  decrypt(source: ByteSource, options?: StreamOptions): ReadableStream<Uint8Array>;
  encryptor(options?: StreamOptions): StreamPair;
  decryptor(options?: StreamOptions): StreamPair;
  /** Opens with the machine alone. */
  open(sealed: Uint8Array): Promise<Uint8Array>;
}

const messageLength = 10_000;
const openMessages = (sealed: Uint8Array): Promise<Uint8Array> => {
  const opener = secretstream(key).opener({ header: sealed.subarray(0, 24) });
  const messages = cut(sealed.subarray(24), [messageLength + 17]).map((message, i, { length }) => {
    const plaintext = opener.push(message);
    expect(opener.tag).toBe(i === length - 1 ? secretstream.TAG_FINAL : secretstream.TAG_MESSAGE);
    return plaintext;
  });
  opener.end();
  return Promise.resolve(concat(...messages));
};

const formats: readonly Format[] = [
  {
    name: 'chunked',
    chunk: 16_384,
    tag: 16,
    header: 56,
    encrypt: (source, options) => chunked(key, { context }).encrypt(source, { ...options }),
    decrypt: (source, options) => chunked(key, { context }).decrypt(source, { ...options }),
    encryptor: (options) => chunked(key, { context }).encryptor({ ...options }),
    decryptor: (options) => chunked(key, { context }).decryptor({ ...options }),
    open: async (sealed) =>
      through(await chunked(key, { context }).opener({ header: sealed.subarray(0, 56) }), [sealed.subarray(56)]),
  },
  {
    name: 'agePayload',
    chunk: 65_536,
    tag: 16,
    header: 0,
    encrypt: (source, options) => agePayload(key).encrypt(source, options),
    decrypt: (source, options) => agePayload(key).decrypt(source, options),
    encryptor: (options) => agePayload(key).encryptor(options),
    decryptor: (options) => agePayload(key).decryptor(options),
    open: (sealed) => Promise.resolve(through(agePayload(key).opener(), [sealed])),
  },
  {
    name: 'secretstream',
    chunk: messageLength,
    tag: 17,
    header: 24,
    encrypt: (source, options) => secretstream(key).encrypt(source, { messageLength, ...options }),
    decrypt: (source, options) => secretstream(key).decrypt(source, { messageLength, ...options }),
    encryptor: (options) => secretstream(key).encryptor({ messageLength, ...options }),
    decryptor: (options) => secretstream(key).decryptor({ messageLength, ...options }),
    open: openMessages,
  },
];

/** A stream of these pieces, one for each pull. */
const streamOf = (pieces: readonly Uint8Array[], type?: 'bytes'): ReadableStream<Uint8Array> => {
  let at = 0;
  return new ReadableStream<Uint8Array>({
    ...(type && { type }),
    pull(controller: ReadableStreamDefaultController<Uint8Array>) {
      while (type && pieces[at]?.length === 0) at++;
      if (at < pieces.length) controller.enqueue(type ? pieces[at++].slice() : pieces[at++]);
      else {
        controller.close();
        (controller as Partial<ReadableByteStreamController>).byobRequest?.respond(0);
      }
    },
  } as UnderlyingSource<Uint8Array>);
};

async function* yielding(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield await Promise.resolve(piece);
}

/** Yields the same memory over and over, overwritten. */
function* overwriting(pieces: readonly Uint8Array[]): Generator<Uint8Array> {
  const memory = new Uint8Array(Math.max(...pieces.map(({ length }) => length), 1));
  for (const piece of pieces) {
    memory.set(piece);
    yield memory.subarray(0, piece.length);
    memory.fill(0xaa);
  }
}

/** Bytes in memory of another kind. */
const inMemory = (bytes: Uint8Array, memory: ArrayBufferLike, at: number): Uint8Array => {
  const view = new Uint8Array(memory, at, bytes.length);
  view.set(bytes);
  return view;
};
const shared = (bytes: Uint8Array): Uint8Array =>
  inMemory(
    bytes,
    typeof SharedArrayBuffer === 'undefined'
      ? new ArrayBuffer(bytes.length + 3)
      : new SharedArrayBuffer(bytes.length + 3),
    3,
  );
const resizable = (bytes: Uint8Array): Uint8Array =>
  inMemory(bytes, new ArrayBuffer(bytes.length + 9, { maxByteLength: 2 * bytes.length + 9 }), 5);

/** Sources of the same bytes. */
const sources: Readonly<
  Record<string, (bytes: Uint8Array, pieces: readonly Uint8Array[]) => ByteSource | Promise<Blob>>
> = {
  bytes: (bytes) => bytes,
  'a Blob': (bytes) => new Blob([bytes.slice()]),
  'a File': (bytes) => new File([bytes.slice()], 'name'),
  'a Response': (bytes) => new Response(bytes.slice()),
  'a Request': (bytes) => {
    // Firefox has no stream of its body.
    const request = new Request('http://localhost/', { method: 'POST', body: bytes.slice() });
    return (request as Partial<Request>).body === undefined ? request.blob() : request;
  },
  'a stream': (_, pieces) => streamOf(pieces),
  ...(hasByteStreams && {
    'a byte stream': (_: Uint8Array, pieces: readonly Uint8Array[]) => streamOf(pieces, 'bytes'),
  }),
  'an array': (_, pieces) => pieces,
  'a generator': (_, pieces) => overwriting(pieces),
  'an asynchronous generator': (_, pieces) => yielding(pieces),
  'shared memory': (_, pieces) => pieces.map(shared),
  'resizable memory': (_, pieces) => pieces.map(resizable),
  'a pool': (_, pieces) => pieces.map((piece) => Buffer.from(piece)),
};

/** Writes pieces, which are overwritten as soon as a write is done, and closes. */
async function writeAll(writable: WritableStream<Uint8Array>, pieces: readonly Uint8Array[]): Promise<void> {
  const writer = writable.getWriter();
  for (const piece of overwriting(pieces)) await writer.write(piece);
  await writer.close();
}

const viaPair = async ({ readable, writable }: StreamPair, pieces: readonly Uint8Array[]): Promise<Uint8Array> => {
  const [result] = await Promise.all([all(readable), writeAll(writable, pieces)]);
  return result;
};

describe.each(formats)('$name', (format) => {
  const { chunk, tag, header } = format;
  const sealed = new Map<number, Promise<Uint8Array>>();
  const sealedOf = (plaintext: Uint8Array): Promise<Uint8Array> => {
    const known = sealed.get(plaintext.length) ?? all(format.encrypt(plaintext));
    sealed.set(plaintext.length, known);
    return known;
  };
  const lengths = [0, 1, chunk - 1, chunk, chunk + 1, 3 * chunk + 77];

  it('is what the machine makes and opens', async () => {
    for (const length of lengths) {
      const plaintext = sample(length, 73);
      const body = await sealedOf(plaintext);
      expectBytes(await format.open(body), plaintext, `${length} bytes`);
      expectBytes(await all(format.decrypt(body)), plaintext, `${length} bytes`);
    }
  });

  it.each(Object.entries(sources))('from %s', async (_, make) => {
    for (const length of [0, chunk + 1, 3 * chunk + 77]) {
      const plaintext = sample(length, 73);
      const made = await all(format.encrypt(await make(plaintext, randomly(plaintext, length, 3000))));
      expectBytes(await format.open(made), plaintext, `${length} bytes`);
      const body = await sealedOf(plaintext);
      expectBytes(
        await all(format.decrypt(await make(body, randomly(body, length, 3000)))),
        plaintext,
        `${length} bytes`,
      );
    }
  });

  it('in any pieces, read by any reader', async () => {
    const plaintext = sample(3 * chunk + 77, 73);
    const body = await sealedOf(plaintext);
    for (const [most, seed] of [
      [40, 1],
      [chunk, 2],
      [2 * chunk, 3],
      [9 * chunk, 4],
    ]) {
      for (const views of [[4 * (chunk + tag)], [chunk + tag], [chunk - 1, 7], [1000, 1, 3 * chunk]]) {
        const title = `${most} bytes at most, views of ${views.join()}`;
        const made = await allInto(format.encrypt(randomly(plaintext, seed, most)), views);
        expectBytes(await format.open(made), plaintext, title);
        expectBytes(await allInto(format.decrypt(randomly(body, seed, most)), views), plaintext, title);
        const whole = await allInto(format.decrypt(streamOf(randomly(body, seed, most))), views, 999);
        expectBytes(whole, plaintext, `${title}, at least 999`);
      }
      expectBytes(
        await format.open(await viaPair(format.encryptor(), randomly(plaintext, seed, most))),
        plaintext,
        'a pair',
      );
      expectBytes(await viaPair(format.decryptor(), randomly(body, seed, most)), plaintext, 'a pair');
    }
  });

  it('byte by byte', async () => {
    const plaintext = sample(150, 74);
    const body = await all(format.encrypt(cut(plaintext, [1])));
    expect(body).toHaveLength(header + 150 + tag);
    expectBytes(await allInto(format.decrypt(cut(body, [1])), [1]), plaintext, 'opened');
  });

  it('through pipeThrough, one behind the other', async () => {
    const plaintext = sample(300_000, 75);
    const there = new Blob([plaintext]).stream().pipeThrough(format.encryptor());
    const back = there.pipeThrough(format.decryptor());
    expectBytes(new Uint8Array(await new Response(back).arrayBuffer()), plaintext, 'back');
  });

  it('many bytes at once: in parts, and none is lost', async () => {
    const plaintext = sample(1_500_000, 76);
    const chunks: number[] = [];
    const reader = format.encrypt(plaintext).getReader();
    const parts: Uint8Array[] = [];
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      chunks.push(value.length);
      parts.push(value);
    }
    expect(Math.max(...chunks)).toBeLessThan(300_000);
    expectBytes(await format.open(concat(...parts)), plaintext, 'all');
  });

  describe('back-pressure', () => {
    /** Endless, and counts the taken bytes. */
    const endless = () => {
      const its = { taken: 0, cancelled: undefined as unknown };
      const piece = sample(1000, 77);
      return {
        its,
        stream: new ReadableStream<Uint8Array>(
          {
            pull(controller) {
              its.taken += piece.length;
              controller.enqueue(piece);
            },
            cancel(reason) {
              its.cancelled = reason;
            },
          },
          { highWaterMark: 0 },
        ),
      };
    };
    it('a source that has no end, and a reader that stops', async () => {
      for (const how of ['encrypt', 'pair'] as const) {
        const { its, stream } = endless();
        const result = how === 'encrypt' ? format.encrypt(stream) : stream.pipeThrough(format.encryptor());
        await turns();
        // A pipe takes the first piece by itself.
        expect(its.taken).toBeLessThanOrEqual(how === 'encrypt' ? 0 : 1000);
        const reader = result.getReader();
        let read = 0;
        while (read < 5 * chunk) read += (await reader.read()).value?.length ?? 0;
        await turns();
        expect(its.taken).toBeLessThan(read + chunk + 4000);
        const reason = new Error('enough');
        await reader.cancel(reason);
        await until(() => its.cancelled !== undefined);
        expect(its.cancelled).toBe(reason);
        const { taken } = its;
        await turns();
        expect(its.taken).toBe(taken);
      }
    });

    it('a writer waits for the reader', async () => {
      const { readable, writable } = format.encryptor();
      const writer = writable.getWriter();
      let done = 0;
      const writes = Array.from({ length: 5 }, async () => {
        await writer.write(sample(2 * chunk, 78));
        done++;
      });
      await turns();
      expect([done, writer.desiredSize]).toEqual([0, -4]);
      const reader = readable.getReader();
      if (header) await reader.read();
      await reader.read();
      await until(() => done > 0);
      await turns();
      expect(done).toBe(1);
      const closed = writer.close();
      reader.releaseLock();
      await Promise.all([...writes, closed, all(readable)]);
      expect(done).toBe(5);
    });
  });
});

describe('secretstream alone', () => {
  const plaintext = sample(2 * messageLength, 79);

  it('a message of 65,536 bytes, unless told otherwise', async () => {
    const body = await all(secretstream(key).encrypt(sample(65_537, 80)));
    expect(body).toHaveLength(24 + 65_536 + 17 + 1 + 17);
    expectBytes(await all(secretstream(key).decrypt(body)), sample(65_537, 80), 'opened');
  });

  it('a stream that ends with an empty message, as libsodium’s example makes it', async () => {
    const sealer = secretstream(key).sealer();
    const messages = [...cut(plaintext, [messageLength]).map((message) => sealer.push(message)), sealer.end()];
    const body = concat(sealer.header, ...messages);
    expectBytes(await all(secretstream(key).decrypt(body, { messageLength })), plaintext, 'opened');
    const known = { messageLength, size: plaintext.length };
    expectBytes(await all(secretstream(key).decrypt(body, known)), plaintext, 'opened');
    expect((await all(secretstream(key).encrypt(plaintext, { messageLength }))).length).toBe(body.length - 17);
  });

  it('new keys between messages', async () => {
    const sealer = secretstream(key).sealer();
    const messages = cut(plaintext, [messageLength]).map((message) =>
      sealer.push(message, undefined, { tag: secretstream.TAG_REKEY }),
    );
    const body = concat(sealer.header, ...messages, sealer.end());
    expectBytes(await all(secretstream(key).decrypt(body, { messageLength })), plaintext, 'opened');
  });

  it('refuses lengths of messages that there are not', () => {
    for (const [length, error] of [
      [0, RangeError],
      [1.5, RangeError],
      [2 ** 30 + 1, new RangeError(`"messageLength" expected at most ${2 ** 30}, got ${2 ** 30 + 1}`)],
      ['5', TypeError],
    ] as const)
      expect(() => secretstream(key).encryptor({ messageLength: length as number })).toThrow(error);
  });
});

describe('agePayload alone', () => {
  const front = sample(200, 81);
  const plaintext = sample(70_000, 82);
  const sealed = concat(front, through(agePayload(key).sealer(), [plaintext]));

  it('a header of the caller in front of the chunks, which is copied', async () => {
    const header = front.slice();
    const encrypted = agePayload(key).encrypt(plaintext, { header });
    const pair = agePayload(key).encryptor({ header });
    const sealer = agePayload(key).sealer({ header });
    header.fill(0);
    expectBytes(await all(encrypted), sealed, 'encrypt');
    expectBytes(await all(new Blob([plaintext]).stream().pipeThrough(pair)), sealed, 'encryptor');
    expectBytes(concat(sealer.header, through(sealer, [plaintext])), sealed, 'sealer');
  });

  it('none to decrypt', () => {
    for (const call of [
      () => agePayload(key).decrypt(sealed, { header: front } as never),
      () => agePayload(key).decryptor({ header: front } as never),
    ])
      expect(call).toThrow(
        new TypeError('"header" expected undefined, as for all decryption of agePayload, got type=Uint8Array'),
      );
    for (const header of ['text', null, [1]] as unknown as Uint8Array[]) {
      expect(() => agePayload(key).encrypt(plaintext, { header })).toThrow(/^"header" expected Uint8Array/);
      expect(() => agePayload(key).sealer({ header })).toThrow(/^"header" expected Uint8Array/);
    }
    expect(() => agePayload(key).sealer({ headers: front } as never)).toThrow('got { headers }');
  });
});
