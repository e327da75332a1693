/**
 * Bytes that a call has been given are transferred, or shrink, before it has read them: the result is that of all bytes, or there is
 * an error of this library, whenever it happens.
 */
// Runs in Node only: it has streams of Node, and counts turns of its event loop.
import { afterAll, describe, expect, it } from 'vitest';
import { blake3 } from '../../src/blake3.ts';
import { createPool, type Pool } from '../../src/pool.ts';
import { agePayload, chunked, secretstream } from '../../src/stream.ts';
import { createEncryptor } from '../../src/stream-node.ts';
import { sample } from '../support/bytes.ts';
import { all } from '../support/stream.ts';

const pool = createPool({ threads: 2, threshold: 1 });
afterAll(() => pool.close());
const key = sample(32, 1);
const LENGTH = 1_200_000;
const message = sample(LENGTH, 2);
const digest = blake3(message);
const sealed = await all(agePayload(key).encrypt(message));

/** Memory that can be taken away: all of it, or its second half. */
const ways: Record<string, (bytes: Uint8Array) => [Uint8Array, () => void]> = {
  transferred(bytes) {
    const copy = bytes.slice();
    return [copy, () => void structuredClone(copy.buffer, { transfer: [copy.buffer] })];
  },
  'shrunk, a view of fixed length'(bytes) {
    const buffer = new ArrayBuffer(bytes.length, { maxByteLength: bytes.length });
    const view = new Uint8Array(buffer, 0, bytes.length);
    view.set(bytes);
    return [view, () => buffer.resize(bytes.length >> 1)];
  },
  'shrunk, a view that follows it'(bytes) {
    const buffer = new ArrayBuffer(bytes.length, { maxByteLength: bytes.length });
    const view = new Uint8Array(buffer);
    view.set(bytes);
    return [view, () => buffer.resize(bytes.length >> 1)];
  },
};

/** When they are taken away, counted in turns of the queue of promises; then one of the event loop. */
const moments = [0, 1, 2, 3, 5, 7, 9, 12, 16, 25, 'a turn later'] as const;
async function moment(when: (typeof moments)[number]): Promise<void> {
  if (typeof when !== 'number') await new Promise((resolve) => setImmediate(resolve));
  else for (let i = 0; i < when; i++) await Promise.resolve();
}

/** A late reader of the result gives the bytes time to go. */
const late = async <T>(made: T): Promise<T> => {
  for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
  return made;
};
const opened = async (stream: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>, format: typeof chunked) =>
  format(key).decryptWhole(await all(stream as ReadableStream<Uint8Array>));
async function* given(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield bytes;
}
const stream = (bytes: Uint8Array): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
async function written(bytes: Uint8Array, options?: { pool: Pool }): Promise<Uint8Array> {
  const { writable, readable } = chunked(key).encryptor(options);
  const writer = writable.getWriter();
  // Written twice, so that bytes that go unnoticed make a stream that is too short.
  const writes = [writer.write(bytes), writer.close()].map((promise) => promise.catch(() => undefined));
  const made = await opened(await late(readable), chunked);
  await Promise.all(writes);
  return made;
}
async function throughNode(bytes: Uint8Array, options?: object): Promise<Uint8Array> {
  const encryptor = createEncryptor(chunked(key), options);
  encryptor.end(bytes);
  await Promise.resolve();
  const parts: Uint8Array[] = [];
  for await (const piece of encryptor) parts.push(piece as Uint8Array);
  return chunked(key).decryptWhole(Buffer.concat(parts));
}

interface Case {
  readonly input: Uint8Array;
  readonly expected: Uint8Array;
  readonly run: (bytes: Uint8Array) => Promise<Uint8Array>;
}
const short = message.subarray(0, 5000);
const plain = (run: Case['run'], input = message): Case => ({ input, expected: input, run });
const cases: Record<string, Case> = {
  'pool.blake3': { input: message, expected: digest, run: (bytes) => pool.blake3(bytes) },
  'pool.blake3 of few bytes': { input: short, expected: blake3(short), run: (bytes) => pool.blake3(bytes) },
  'pool.blake3 of a list': { input: message, expected: digest, run: (bytes) => pool.blake3([bytes]) },
  'pool.blake3 of an iterable': { input: message, expected: digest, run: (bytes) => pool.blake3(given(bytes)) },
  'pool.blake3 of a stream': { input: message, expected: digest, run: (bytes) => pool.blake3(stream(bytes)) },
  'pool.blake3Xof': {
    input: message,
    expected: digest,
    run: async (bytes) => (await pool.blake3Xof(bytes)).xof(32),
  },
  'chunked.encrypt': plain((bytes) => opened(chunked(key).encrypt(bytes), chunked)),
  'chunked.encrypt of few bytes': plain((bytes) => opened(chunked(key).encrypt(bytes), chunked), short),
  'chunked.encrypt, read late': plain(async (bytes) => opened(await late(chunked(key).encrypt(bytes)), chunked)),
  'chunked.encrypt of a list': plain((bytes) => opened(chunked(key).encrypt([bytes]), chunked)),
  'chunked.encrypt of an iterable': plain((bytes) => opened(chunked(key).encrypt(given(bytes)), chunked)),
  'chunked.encrypt of a stream': plain((bytes) => opened(chunked(key).encrypt(stream(bytes)), chunked)),
  'chunked.encrypt with a pool': plain((bytes) => opened(chunked(key).encrypt(bytes, { pool }), chunked)),
  'agePayload.encrypt': plain((bytes) => opened(agePayload(key).encrypt(bytes), agePayload as never)),
  'secretstream.encrypt': plain((bytes) => opened(secretstream(key).encrypt(bytes), secretstream as never)),
  'chunked.encryptor': plain((bytes) => written(bytes)),
  'chunked.encryptor with a pool': plain((bytes) => written(bytes, { pool })),
  createEncryptor: plain((bytes) => throughNode(bytes)),
  'createEncryptor with a pool': plain((bytes) => throughNode(bytes, { pool })),
  'agePayload.decryptWhole': {
    input: sealed,
    expected: message,
    run: (bytes) => agePayload(key).decryptWhole(bytes),
  },
  'agePayload.reader': {
    input: sealed,
    expected: message.subarray(5, LENGTH - 5),
    run: async (bytes) => (await agePayload(key).reader(bytes)).read(5, LENGTH - 5),
  },
};
/** A read alone: the source goes away while it is under way. */
const open = async (bytes: Uint8Array, take: () => void, when: (typeof moments)[number]) => {
  const reader = await agePayload(key).reader(bytes);
  const read = reader.read(5, LENGTH - 5);
  await moment(when);
  take();
  return read;
};

const OURS = /got one whose buffer is detached or too short$|was it (transferred|changed)\?$/;
async function outcome(run: () => Promise<Uint8Array>, expected: Uint8Array): Promise<'right' | 'refused'> {
  let result: Uint8Array;
  try {
    result = await run();
  } catch (error) {
    expect((error as Error).message).toMatch(OURS);
    return 'refused';
  }
  if (Buffer.compare(result, expected) !== 0) expect.fail(`${result.length} bytes came, and they are wrong`);
  return 'right';
}

describe.each(Object.entries(ways))('%s', (what, way) => {
  // A piece of an iterable or a stream has no length before it comes.
  const known = Object.entries(cases).filter(
    ([name]) => !what.includes('follows') || !/an iterable|a stream/.test(name),
  );
  it.each(known)('%s', async (_, { input, expected, run }) => {
    const found = new Set<string>();
    for (const when of moments) {
      const [bytes, take] = way(input);
      const running = outcome(() => run(bytes), expected);
      await moment(when);
      take();
      found.add(await running);
    }
    // It must have been soon enough at least once, or the test shows nothing.
    expect([...found]).toContain('refused');
  });

  it('a read of an open reader', async () => {
    for (const when of moments) {
      const [bytes, take] = way(sealed);
      await outcome(() => open(bytes, take, when), message.subarray(5, LENGTH - 5));
    }
  });
});
