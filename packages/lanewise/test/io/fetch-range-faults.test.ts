/** Faults of servers with ranged requests: errors that say them. */
// Runs in Node only: starts a server.
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chunked, fetchRange, type Reader } from '../../src/stream.ts';
import { concat, expectBytes, sample } from '../support/bytes.ts';
import { RangeServer, type RangeRequest } from '../support/range-server.ts';
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

const open = (): Promise<Reader> => chunked(key).reader(fetchRange(server.url));
/** The range in a file of chunks `from` to `to`. */
const rangeOf = (from: number, to: number): string =>
  `bytes=${56 + from * WHOLE}-${Math.min(56 + to * WHOLE, sealed.length) - 1}`;

const CHANGED = 'the object has changed since its first range was fetched: open it again';
const EXPOSED = '(a server of another origin must name it in Access-Control-Expose-Headers)';

describe('what servers do wrong, at the first request and at the second', () => {
  type Answer = (response: ServerResponse, request: RangeRequest) => unknown;
  const body = ({ range }: RangeRequest, headers: Record<string, string>, status = 206, its = sealed): Answer => {
    const [first, last] = range.slice('bytes='.length).split('-').map(Number);
    return (response) => response.writeHead(status, headers).end(its.subarray(first, last + 1));
  };
  const without = (response: ServerResponse, name: string): void => response.removeHeader(name);
  const wrong: readonly [what: string, answer: Answer, first: string, second: string][] = [
    [
      'ignores ranges',
      (response) => response.writeHead(200).end(sealed),
      'the server ignores ranges and sends the whole object (status 200): decrypt that as a stream',
      'the server ignores ranges and sends the whole object (status 200): decrypt that as a stream',
    ],
    ...[500, 404, 403, 204].map((status): [string, Answer, string, string] => [
      `status ${status}`,
      (response) => response.writeHead(status).end(),
      `the server answered with status ${status}`,
      `the server answered with status ${status}`,
    ]),
    [
      'compresses',
      (response, request) => {
        const bytes = gzipSync(sealed.subarray(0, 4096));
        response.writeHead(206, {
          'content-encoding': 'gzip',
          'content-range': `bytes ${request.range.slice(6)}/${sealed.length}`,
        });
        response.end(bytes);
      },
      'the server encodes the object (Content-Encoding gzip), so ranges are not of its own bytes: switch that off',
      'the server encodes the object (Content-Encoding gzip), so ranges are not of its own bytes: switch that off',
    ],
    [
      'gives no Content-Range',
      (response, request) => body(request, {})(response, request),
      `the response has no Content-Range ${EXPOSED}`,
      `the response has no Content-Range ${EXPOSED}`,
    ],
    ...(
      [
        ['another range', 'bytes 1-4096/SIZE'],
        ['a shorter range', 'bytes 0-99/SIZE'],
        ['no size', 'bytes 0-4095/*'],
        ['another unit', 'lines 0-4095/SIZE'],
        ['a huge size', 'bytes 0-4095/9999999999999999'],
      ] as const
    ).map(([what, range]): [string, Answer, string, string] => {
      const got = range.replace('SIZE', `${sealed.length}`);
      const message = (expected: string): string =>
        `the server answered with other bytes: Content-Range expected bytes ${expected}, got ${got}`;
      return [
        what,
        (response, request) => body(request, { 'content-range': got })(response, request),
        message('0-4095/SIZE'),
        message(`${rangeOf(0, 1).slice(6)}/${sealed.length}`),
      ];
    }),
    [
      'another size',
      (response, request) =>
        body(request, { 'content-range': `bytes ${request.range.slice(6)}/${sealed.length + 1}` })(response, request),
      '',
      CHANGED,
    ],
    [
      'ends its body early',
      (response, request) => {
        response.writeHead(206, { 'content-range': `bytes ${request.range.slice(6)}/${sealed.length}` });
        response.end(sealed.subarray(0, 100));
      },
      'the body ended after 100 bytes of 4096: try again',
      'the body ended after 100 bytes of 16400: try again',
    ],
    [
      'sends more than it says',
      (response, request) => {
        response.writeHead(206, { 'content-range': `bytes ${request.range.slice(6)}/${sealed.length}` });
        response.end(sealed);
      },
      'the body has more than 4096 bytes',
      'the body has more than 16400 bytes',
    ],
    [
      'gives no validator',
      (response, request) => {
        without(response, 'etag');
        body(request, { 'content-range': `bytes ${request.range.slice(6)}/${sealed.length}` })(response, request);
      },
      `the response has no strong ETag ${EXPOSED}, and no Last-Modified before its Date, so a change of the object would go unnoticed: make the server send an ETag`,
      CHANGED,
    ],
    [
      'gives a weak tag',
      (response, request) =>
        body(request, { etag: 'W/"one"', 'content-range': `bytes ${request.range.slice(6)}/${sealed.length}` })(
          response,
          request,
        ),
      `the response has no strong ETag ${EXPOSED}, and no Last-Modified before its Date, so a change of the object would go unnoticed: make the server send an ETag`,
      CHANGED,
    ],
  ];
  it.each(wrong)('%s', async (_, answer, first, second) => {
    const from = 56;
    for (const [at, message] of [
      [0, first && `cannot fetch bytes 0 to 4096: ${first}`],
      [2, `cannot fetch bytes ${from} to ${from + WHOLE}: ${second}`],
    ] as const) {
      if (!message) continue;
      server.requests = [];
      server.answer = (number, request, response) => {
        if (number !== at) return false;
        answer(response, request);
        return true;
      };
      const work = at === 0 ? open() : open().then((file) => file.read(0, 5));
      expect(await rejection(work)).toEqual(new Error(message));
    }
    // Another try is another request.
    server.answer = () => false;
    const file = await open();
    expectBytes(await file.read(0, 5), plaintext.subarray(0, 5), 'afterwards');
  });

  it.each(['heeds If-Match', 'heeds If-Range', 'heeds neither'])('an object that changes: it %s', async (how) => {
    const file = await open();
    const other = await seal(sample(plaintext.length, 5));
    const shorter = await seal(plaintext.subarray(0, CHUNK));
    for (const object of [other, shorter, concat(sealed, sealed)]) {
      server.reset(object, { etag: '"two"' });
      server.answer = (_, { range, headers }, response) => {
        if (how === 'heeds If-Match') server.serve(response, { range, headers });
        else {
          const condition = how === 'heeds If-Range' ? { 'if-range': headers['if-range'] } : {};
          server.serve(response, { range, headers: condition });
        }
        return true;
      };
      expect(await rejection(file.read(0, 5))).toEqual(new Error(`cannot fetch bytes 56 to 16456: ${CHANGED}`));
    }
  });

  it('a fetch that gives no Response', async () => {
    const source = fetchRange('https://files.example/x', { fetch: () => Promise.resolve(undefined as never) });
    await expect(source.size()).rejects.toThrow('"fetch" expected function that gives a Response, got type=undefined');
  });

  it('bodies that nobody wants are not downloaded', async () => {
    let sent = 0;
    server.answer = (_, __, response) => {
      response.writeHead(200);
      const more = (): void => {
        if (response.destroyed || sent > 64e6) return;
        sent += 65_536;
        response.write(new Uint8Array(65_536), () => setImmediate(more));
      };
      more();
      return true;
    };
    await rejection(open());
    while (server.unfinished) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(sent).toBeLessThan(32e6);
  });
});
