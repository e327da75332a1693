/** Sources that the caller has written: iterators and readers that give wrong values, and ends that never come. */
// Needs workers: it hashes in a pool, and workerd has its own ends for promises that never settle.
import { afterAll, describe, expect, it } from 'vitest';
import { createPool } from '../../src/pool.ts';
import { agePayload, chunked, secretstream, type Streams } from '../../src/stream.ts';
import { sample } from '../support/bytes.ts';
import { all } from '../support/stream.ts';

const key = sample(32, 71);
const formats: Record<string, (key: Uint8Array) => Streams> = { chunked, agePayload, secretstream };
const pool = createPool({ threads: 2 });
afterAll(() => pool.close());

const PIECES = '"source" expected pieces as objects { done, value }';
const ITERATOR = '"source" expected iterable that gives an iterator';
const of = (iterator: unknown): unknown[] => [
  { [Symbol.iterator]: () => iterator },
  { [Symbol.asyncIterator]: () => iterator },
];
const readers = (result: unknown): unknown => ({
  locked: false,
  getReader(options?: object) {
    if (options) throw new TypeError('no byte stream');
    return { read: () => result, cancel: () => Promise.resolve(), releaseLock() {} };
  },
});

it.each<[string, readonly unknown[], string]>([
  ['next() that gives nothing', of({ next: () => undefined }), `${PIECES}, got type=undefined`],
  ['next() that gives null', of({ next: () => Promise.resolve(null) }), `${PIECES}, got type=null`],
  ['next() that gives a number', of({ next: () => 5 }), `${PIECES}, got type=number`],
  ['no next()', of({}), `${ITERATOR}, got type=Object`],
  ['an iterator that is none', of(undefined), `${ITERATOR}, got type=undefined`],
  ['an iterator that is a number', of(5), `${ITERATOR}, got type=number`],
  ['read() that gives nothing', [readers(undefined), readers(Promise.resolve())], `${PIECES}, got type=undefined`],
  ['read() that gives a number', [readers(5)], `${PIECES}, got type=number`],
])('%s', async (_, sources, message) => {
  const calls = [
    ...Object.values(formats).flatMap((format) => [
      (source: never) => all(format(key).encrypt(source)),
      (source: never) => all(format(key).decrypt(source)),
      (source: never) => format(key).decryptWhole(source),
    ]),
    (source: never) => pool.blake3(source),
    (source: never) => pool.blake3Xof(source),
  ];
  for (const source of sources)
    for (const call of calls) await expect(call(source as never)).rejects.toThrow(new TypeError(message));
});

describe('a reader that gives up, of a source that never ends', () => {
  const never = (): Promise<never> => new Promise<never>(() => {});
  const sources: Record<string, () => ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>> = {
    'a stream': () => new ReadableStream({ pull: never, cancel: never }),
    'an iterator': () => ({ [Symbol.asyncIterator]: () => ({ next: never, return: never }) }),
  };
  it.each(Object.entries(sources))('%s: a signal ends the wait', async (_, source) => {
    for (const format of Object.values(formats))
      for (const name of ['encrypt', 'decrypt'] as const) {
        const controller = new AbortController();
        const reader = format(key)[name](source(), { signal: controller.signal }).getReader();
        const pending = reader.read();
        const cancelled = reader.cancel(new Error('no more'));
        expect(await pending).toEqual({ done: true, value: undefined });
        const reason = new Error('changed my mind');
        setTimeout(() => controller.abort(reason), 5);
        await expect(cancelled).rejects.toBe(reason);
      }
  });
});
