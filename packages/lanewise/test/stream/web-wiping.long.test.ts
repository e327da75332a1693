/** All memory that streams of the platform take is looked at: after end, error, cancel and abort it holds no key and no plaintext. */
// Runs in Node only: loads the library anew, with constructors that remember their arrays, and streams of Node.
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import type * as Node from '../../src/stream-node.ts';
import type * as Stream from '../../src/stream.ts';
import { sample } from '../support/bytes.ts';
import { all, untilError } from '../support/stream.ts';
import { once } from '../support/once.ts';

const key = sample(32, 101);
const plaintext = sample(150_000, 102);
const broken = new Error('the disk is full');

const Plain = Uint8Array;
let made: Uint8Array<ArrayBuffer>[] = [];
let stream: typeof Stream;
let node: typeof Node;

beforeEach(async () => {
  made = [];
  vi.resetModules();
  globalThis.Uint8Array = new Proxy(Plain, {
    construct(target, values, as) {
      const view: unknown = Reflect.construct(target, values, as as Uint8ArrayConstructor);
      made.push(view as Uint8Array<ArrayBuffer>);
      return view as object;
    },
  });
  stream = await import('../../src/stream.ts');
  node = await import('../../src/stream-node.ts');
  globalThis.Uint8Array = Plain;
});
afterEach(() => vi.resetModules());

/** Whether memory that the library has made, apart from results, holds eight bytes in a row of these. */
function found(secret: Uint8Array, results: readonly Uint8Array[] = []): boolean {
  const others = new Set<ArrayBufferLike>([key, plaintext, ...results].map(({ buffer }) => buffer));
  const needles: Uint8Array[] = [];
  for (let at = 0; at + 8 <= secret.length; at += 8) needles.push(secret.subarray(at, at + 8));
  return [...new Set<ArrayBufferLike>(made.map(({ buffer }) => buffer))]
    .filter((buffer) => buffer.byteLength > 0 && !others.has(buffer))
    .some((buffer) => needles.some((needle) => Buffer.from(buffer).includes(needle)));
}
const expectWiped = (results: readonly Uint8Array[] = []): void => {
  for (const [name, secret] of Object.entries({
    key,
    start: plaintext.subarray(0, 4096),
    end: plaintext.subarray(-800),
  }))
    expect(found(secret, results), name).toBe(false);
};

type Name = 'chunked' | 'agePayload' | 'secretstream';
const names: readonly Name[] = ['chunked', 'agePayload', 'secretstream'];

/** A byte stream, which fills memory of the library, and then does as it is told. */
const filling = (bytes: Uint8Array, end: 'close' | 'fail' | 'wait'): ReadableStream<Uint8Array> => {
  let at = 0;
  return new ReadableStream({
    type: 'bytes',
    pull(controller: ReadableByteStreamController): Promise<void> | undefined {
      const request = controller.byobRequest!;
      const view = request.view as Uint8Array;
      const length = Math.min(view.length, bytes.length - at);
      if (length > 0) {
        view.set(bytes.subarray(at, at + length));
        at += length;
        request.respond(length);
      } else if (end === 'fail') controller.error(broken);
      else if (end === 'wait') return new Promise(() => undefined);
      else {
        controller.close();
        request.respond(0);
      }
      return undefined;
    },
  });
};

test('is able to see: a stream at work holds key and plaintext', async () => {
  const reader = once(stream.agePayload(key), (keyed) => keyed.encrypt(filling(plaintext, 'wait'))).getReader();
  await reader.read();
  expect(found(key)).toBe(true);
  expect(found(plaintext.subarray(0, 4096))).toBe(true);
  await reader.cancel();
  expectWiped();
});

describe.each(names)('%s', (name) => {
  it.each(['end', 'cancel', 'abort', 'an error of the source', 'an error of the caller'])(
    'encrypt: %s',
    async (how) => {
      const { signal, abort } = ((controller) => ({
        signal: controller.signal,
        abort: () => controller.abort(broken),
      }))(new AbortController());
      const onProgress = (): void => {
        if (how === 'an error of the caller') throw broken;
      };
      const source = filling(plaintext, how === 'end' ? 'close' : how === 'an error of the source' ? 'fail' : 'wait');
      const result = once(stream[name](key), (keyed) => keyed.encrypt(source, { signal, onProgress }));
      if (how === 'end') await all(result);
      else if (how.startsWith('an error')) expect((await untilError(result)).error).toBe(broken);
      else {
        const reader = result.getReader();
        // A header comes first, if there is one.
        if (stream[name].headerLength) await reader.read();
        await reader.read();
        if (how === 'cancel') await reader.cancel();
        else {
          abort();
          await expect(reader.read()).rejects.toBe(broken);
        }
      }
      expectWiped();
    },
  );

  it.each(['end', 'cancel', 'truncated', 'damaged', 'a wrong key'])('decrypt: %s', async (how) => {
    const sealed = await all(once(stream[name](key), (keyed) => keyed.encrypt(plaintext)));
    expectWiped();
    if (how === 'damaged') sealed[sealed.length - 40_000] ^= 1;
    const source = filling(how === 'truncated' ? sealed.subarray(0, -1) : sealed, 'close');
    const other = how === 'a wrong key' ? sample(32, 9) : key;
    const result = once(stream[name](other), (keyed) => keyed.decrypt(source));
    if (how === 'end') expect(await all(result)).toHaveLength(plaintext.length);
    else if (how === 'cancel') {
      const reader = result.getReader();
      await reader.read();
      await reader.cancel();
    } else expect((await untilError(result)).error).toBeInstanceOf(Error);
    expectWiped();
    expect(found(other, [other])).toBe(false);
  });

  it.each(['end', 'cancel', 'abort', 'nobody reads'])('a pair: %s', async (how) => {
    const { readable, writable } = once(stream[name](key), (keyed) => keyed.encryptor());
    const writer = writable.getWriter();
    writer.closed.catch(() => undefined);
    const writing = writer.write(plaintext).then(() => (how === 'end' ? writer.close() : undefined));
    if (how === 'end') await all(readable);
    else if (how === 'nobody reads') void writer.abort(broken);
    else {
      const reader = readable.getReader();
      await reader.read();
      if (how === 'cancel') await reader.cancel();
      else {
        void writer.abort(broken);
        await expect(reader.read()).rejects.toBe(broken);
      }
    }
    await writing.catch(() => undefined);
    expectWiped();
  });

  it.each(['end', 'destroy', 'error', 'unused'])('a Transform of Node: %s', async (how) => {
    const transform = once<Stream.Streams, ReturnType<typeof node.createEncryptor>>(stream[name](key), (keyed) =>
      node.createEncryptor(keyed),
    );
    if (how !== 'unused') transform.write(plaintext);
    await setTimeout(5);
    const results: Uint8Array[] = [];
    transform.on('data', (chunk: Uint8Array) => results.push(chunk)).on('error', () => undefined);
    const closed = new Promise((resolve) => transform.on('close', resolve));
    if (how === 'end') transform.end();
    else transform.destroy(how === 'error' ? broken : undefined);
    await closed;
    expectWiped(results);
  });

  it('a signal that was aborted before, and arguments that are wrong: no key is kept', async () => {
    const signal = AbortSignal.abort(broken);
    await untilError(once(stream[name](key), (keyed) => keyed.encrypt(filling(plaintext, 'wait'), { signal })));
    await untilError(once(stream[name](key), (keyed) => keyed.decryptor({ signal })).readable);
    expect(() => once(stream[name](key), (keyed) => keyed.encrypt(plaintext, { size: 5 }))).toThrow(RangeError);
    expectWiped();
  });
});

describe('a host without streams', () => {
  it.each(['ReadableStream', 'WritableStream'] as const)(
    'without %s: the import works, and a call says so',
    async (lacking) => {
      vi.resetModules();
      vi.stubGlobal(lacking, undefined);
      const its = await import('../../src/stream.ts');
      vi.unstubAllGlobals();
      const message = new Error(`${lacking} is not available: use sealer and opener, which need no streams`);
      for (const name of names) {
        expect(() => its[name](key).encryptor()).toThrow(message);
        if (lacking === 'ReadableStream') expect(() => its[name](key).decrypt(plaintext)).toThrow(message);
      }
      expect(its.agePayload(key).sealer().end()).toHaveLength(16);
    },
  );

  it('a page that replaces them after the import is not reached', () => {
    vi.stubGlobal('ReadableStream', undefined);
    vi.stubGlobal('WritableStream', undefined);
    const pair = once(stream.agePayload(key), (keyed) => keyed.encryptor());
    vi.unstubAllGlobals();
    expect(pair.readable).toBeInstanceOf(ReadableStream);
    expect(pair.writable).toBeInstanceOf(WritableStream);
  });
});
