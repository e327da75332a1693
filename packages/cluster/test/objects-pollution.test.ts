/** Others in the process have added properties to Object.prototype: no request to an object, and no error of one, has them. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ObjectError, readerOf, uploadOf } from '../src/objects/index.ts';
import { bytesOf } from './bytes.ts';

const content = Buffer.from('an object of some bytes');
let seen: string[] = [];
const server = createServer((request, response) => {
  void answered(request).then(({ status, headers, body }) => {
    response.writeHead(status, headers);
    response.end(request.method === 'HEAD' ? undefined : body);
  });
});
async function answered(request: IncomingMessage) {
  const sent: Buffer[] = [];
  for await (const piece of request) sent.push(piece as Buffer);
  const { authorization = '', ...others } = request.headers;
  const signed = /SignedHeaders=[^,]*/.exec(authorization)?.[0] ?? 'unsigned';
  seen.push(`${request.method} ${request.url} ${Buffer.concat(sent).toString()} ${signed} ${String(others.range)}`);
  const headers = { etag: '"one"', 'accept-ranges': 'bytes', 'content-length': content.length };
  if (request.url?.includes('missing')) return { status: 404, headers: {}, body: Buffer.alloc(0) };
  if (request.method === 'POST')
    return {
      status: 200,
      headers: {},
      body: Buffer.from('<InitiateMultipartUploadResult><UploadId>id</UploadId></InitiateMultipartUploadResult>'),
    };
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(others.range ?? '') ?? [];
  if (from === undefined) return { status: 200, headers, body: content };
  const body = content.subarray(Number(from), Number(to) + 1);
  const range = `bytes ${from}-${to}/${content.length}`;
  return { status: 206, headers: { ...headers, 'content-length': body.length, 'content-range': range }, body };
}
let address: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const calls: Record<string, () => Promise<unknown>> = {
  'a read over HTTP': async () => {
    const reader = readerOf(`${address}/object`, { attempts: 1, timeout: 2000 });
    const object = await reader.look();
    return Buffer.from(await bytesOf(reader.read(object, 3, 9))).toString();
  },
  'a read from S3': async () => {
    const reader = readerOf('s3://bucket/object', s3());
    const object = await reader.look();
    return Buffer.from(await bytesOf(reader.read(object, 3, 9))).toString();
  },
  'an upload to S3': async () => (await uploadOf('s3://bucket/object', s3()).begin()).replace(/^[0-9a-f]{32}/, ''),
  'an error': () => readerOf(`${address}/missing`, { attempts: 1, timeout: 2000 }).look(),
};
const s3 = () => ({
  endpoint: address,
  region: 'us-east-1',
  accessKeyId: 'id',
  secretAccessKey: 'secret',
  attempts: 1,
  timeout: 2000,
});
/** Not `signal`: sockets of Node itself have that of `Object.prototype`. */
const polluted: Record<string, unknown> = {
  body: Buffer.from('stranger'),
  key: 'stranger',
  headers: { x: '1' },
  query: { stranger: '1' },
  temporary: true,
  status: 503,
  code: 'STRANGER',
  wait: 5,
  cause: new Error('polluted'),
  signQuery: true,
  datetime: '20000101T000000Z',
  allHeaders: true,
  appendSessionToken: true,
  sessionToken: 'stranger',
};

describe.each(Object.entries(calls))('%s', (_, call) => {
  const outcome = async () => {
    seen = [];
    const result = await call().catch((error: unknown) => {
      if (!(error instanceof ObjectError)) return String(error);
      const { message, temporary, status, code, wait } = error;
      return { message, temporary, status, code, wait, hasCause: Object.hasOwn(error, 'cause') };
    });
    return { result, seen };
  };
  it.each(Object.entries(polluted))('%s', async (name, value) => {
    const expected = await outcome();
    Object.defineProperty(Object.prototype, name, { value, configurable: true, writable: true });
    try {
      expect(await outcome()).toEqual(expected);
    } finally {
      Reflect.deleteProperty(Object.prototype, name);
    }
  });
});
