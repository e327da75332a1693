/** Ranged requests to a real server. */
// Runs in Node only: starts a server.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chunked, fetchRange, randomAccess, type FetchRangeOptions, type Reader } from '../../src/stream.ts';
import { concat, expectBytes, sample } from '../support/bytes.ts';
import { RangeServer } from '../support/range-server.ts';
import { through } from '../support/stream.ts';
import { rejection } from '../support/stream-reader.ts';

const key = sample(32, 91);
const CHUNK = 16_384;
const WHOLE = CHUNK + 16;
const plaintext = sample(5 * CHUNK + 1000, 92);
const seal = async (bytes: Uint8Array): Promise<Uint8Array> => {
  const sealer = await chunked(key).sealer();
  return concat(sealer.header, through(sealer, [bytes]));
};
const sealed = await seal(plaintext);

const server = new RangeServer();
beforeAll(() => server.start());
afterAll(() => server.close());
beforeEach(() => server.reset(sealed, { etag: '"one"' }));

const open = (options?: FetchRangeOptions): Promise<Reader> => chunked(key).reader(fetchRange(server.url, options));
/** The range in a file of chunks `from` to `to`. */
const rangeOf = (from: number, to: number): string =>
  `bytes=${56 + from * WHOLE}-${Math.min(56 + to * WHOLE, sealed.length) - 1}`;

describe('a server as it should be', () => {
  it('is asked for the beginning, for the last chunk, and for what is read', async () => {
    const file = await open();
    expectBytes(await file.read(CHUNK + 5, 3 * CHUNK + 5), plaintext.subarray(CHUNK + 5, 3 * CHUNK + 5), 'read');
    expectBytes(
      await file.read(3 * CHUNK + 5, 3 * CHUNK + 90),
      plaintext.subarray(3 * CHUNK + 5, 3 * CHUNK + 90),
      'on',
    );
    expect(server.requests.map(({ range }) => range)).toEqual(['bytes=0-4095', rangeOf(5, 6), rangeOf(1, 4)]);
    const [first, ...others] = server.requests;
    expect(first.headers['if-match']).toBeUndefined();
    for (const { headers } of others) {
      expect(headers['if-match']).toBe('"one"');
      expect(headers['if-range']).toBe('"one"');
    }
    for (const { headers } of server.requests) expect(headers['accept-encoding']).toMatch(/^identity(, identity)?$/);
    expectBytes(await file.read(0, file.size), plaintext, 'all');
  });

  it('an object of one chunk, and of less than the first request asks for', async () => {
    for (const size of [0, 1, 4096 - 72 - 1, 4096 - 72, 4096, 10_000]) {
      server.object = await seal(plaintext.subarray(0, size));
      const file = await open();
      expectBytes(await file.read(0, file.size), plaintext.subarray(0, size), `${size} bytes`);
    }
  });

  it('an empty object: no stream has this size', async () => {
    server.object = new Uint8Array(0);
    expect(await rejection(open())).toEqual(
      new Error('truncated after 0 bytes, or no encrypted stream: none has this size'),
    );
  });

  it('reads many ranges at a time', async () => {
    const file = await open();
    const random = sample(60, 93);
    await Promise.all(
      Array.from({ length: 30 }, async (_, i) => {
        const from = random[2 * i] * 300;
        const to = from + random[2 * i + 1] * 20;
        expectBytes(await file.read(from, to), plaintext.subarray(from, to), `${from} to ${to}`);
      }),
    );
  });

  it('gives its date in place of a tag', async () => {
    const modified = new Date(Date.now() - 60_000).toUTCString();
    server.headers = { 'last-modified': modified };
    const file = await open();
    expectBytes(await file.read(0, 5), plaintext.subarray(0, 5), 'read');
    expect(server.requests[1].headers['if-unmodified-since']).toBe(modified);
    expect(server.requests[1].headers['if-range']).toBe(modified);
    server.headers = { 'last-modified': new Date().toUTCString() };
    expect(await rejection(file.read(CHUNK, CHUNK + 5))).toEqual(
      new Error(
        `cannot fetch bytes 16456 to 32856: the object has changed since its first range was fetched: open it again`,
      ),
    );
  });

  it('gives a weak tag and a date', async () => {
    server.headers = { etag: 'W/"one"', 'last-modified': new Date(Date.now() - 60_000).toUTCString() };
    const file = await open();
    expectBytes(await file.read(0, 5), plaintext.subarray(0, 5), 'read');
    expect(server.requests[1].headers['if-match']).toBeUndefined();
  });

  it('redirects', async () => {
    const file = await chunked(key).reader(fetchRange(new URL('moved', server.url)));
    expectBytes(await file.read(0, 5), plaintext.subarray(0, 5), 'read');
  });

  it('gets headers of the caller, by a fetch of the caller', async () => {
    let calls = 0;
    const file = await open({
      headers: { Authorization: 'mine' },
      fetch: (address, init) => {
        calls++;
        expect(address).toBe(server.url);
        return fetch(address, init);
      },
    });
    expectBytes(await file.read(0, 5), plaintext.subarray(0, 5), 'read');
    expect(calls).toBe(3);
    for (const { headers } of server.requests) expect(headers['authorization']).toBe('mine');
  });
});

describe('signals', () => {
  const reason = new RangeError('mine');
  it('ends the request that is under way', async () => {
    const file = await open();
    server.answer = (_, __, response) => {
      response.writeHead(206, { 'content-range': `bytes 56-16455/${sealed.length}` }).write('x');
      return true;
    };
    const controller = new AbortController();
    const read = rejection(file.read(0, 5, { signal: controller.signal }));
    while (server.unfinished !== 1) await new Promise((resolve) => setTimeout(resolve, 1));
    controller.abort(reason);
    expect(await read).toBe(reason);
    while (server.unfinished) await new Promise((resolve) => setTimeout(resolve, 1));
  });

  it('ends all server.requests of a source', async () => {
    const controller = new AbortController();
    const file = await open({ signal: controller.signal });
    controller.abort(reason);
    expect(await rejection(file.read(0, 5))).toBe(reason);
    expect(await rejection(open({ signal: controller.signal }))).toBe(reason);
    expect(server.requests).toHaveLength(2);
  });

  it('ends with a fetch that heeds none', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 3);
    const never = (): Promise<never> => new Promise(() => undefined);
    expect(await rejection(open({ fetch: never, signal: controller.signal }))).toBe(reason);
  });
});

it('gives what fetch throws', async () => {
  const mine = new Error('mine');
  expect(await rejection(open({ fetch: () => Promise.reject(mine) }))).toBe(mine);
  const closed = fetchRange(`http://127.0.0.1:${server.port === 1 ? 2 : 1}/`);
  expect(await rejection(closed.size())).toBeInstanceOf(TypeError);
});

it('is a source of its own', async () => {
  const source = fetchRange(server.url);
  expect(server.requests).toEqual([]);
  expectBytes(await randomAccess(source).read(10, 90), sealed.subarray(10, 90), 'read');
  expectBytes(await source.read(4000, 5000), sealed.subarray(4000, 5000), 'read');
  expect(await source.size()).toBe(sealed.length);
  expect(server.requests.map(({ range }) => range)).toEqual(['bytes=0-4095', 'bytes=4000-4999']);
});

it('refuses wrong arguments at once', () => {
  const call = fetchRange as (...values: unknown[]) => unknown;
  for (const [values, error] of [
    [[], new TypeError('"url" expected string or URL, got type=undefined')],
    [[{}], new TypeError('"url" expected string or URL, got type=Object')],
    [
      [server.url, { header: {} }],
      new TypeError('"options" expected plain object { fetch, headers, signal }, got { header }'),
    ],
    [[server.url, { fetch: 'fetch' }], new TypeError('"fetch" expected function, got type=string')],
    [
      [server.url, { headers: { RANGE: 'bytes=0-1' } }],
      new TypeError('"headers" expected none that fetchRange sets, got range'),
    ],
    [[server.url, { signal: 1 }], new TypeError('"signal" expected AbortSignal, got type=number')],
    [[server.url, {}, 1], new TypeError('"arguments" expected at most 2, got another of type=number')],
  ] as const)
    expect(() => call(...values)).toThrow(error);
});
