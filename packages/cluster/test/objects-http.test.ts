/** Objects of plain servers of HTTP: which servers are read, and which are refused. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { NotAllowed, ObjectChanged, ObjectError, ObjectMissing, readerOf, uploadOf } from '../src/objects/index.ts';
import { bytesOf, patterned } from './bytes.ts';
import { startFileServer, type FileServer, type Habits } from './servers/file-server.ts';

let server: FileServer;
beforeAll(async () => {
  server = await startFileServer();
});
afterAll(() => server.stop());
beforeEach(() => {
  for (const name of Object.keys(server.habits)) Reflect.deleteProperty(server.habits, name);
});

const content = patterned(200_000);
const at = (name: string) => readerOf(`${server.url}${name}`, { attempts: 2, timeout: 5000 });
const put = (name: string, bytes: Uint8Array, habits: Habits = {}): void => {
  server.objects.set(name, bytes);
  Object.assign(server.habits, habits);
};

test('ranges of an object are its bytes', async () => {
  put('a name', content);
  const reader = at('a%20name');
  const object = await reader.look();
  expect(object).toMatchObject({ url: `${server.url}a%20name`, size: content.length });
  for (const [offset, length] of [
    [0, 200_000],
    [1, 65_536],
    [199_999, 1],
    [7, 0],
  ])
    expect(await bytesOf(reader.read(object, offset, length))).toEqual(
      Buffer.from(content.subarray(offset, offset + length)),
    );
});

test('an empty object is looked up, and its range is empty', async () => {
  put('empty', new Uint8Array());
  const object = await at('empty').look();
  expect(object.size).toBe(0);
  expect((await bytesOf(at('empty').read(object, 0, 0))).length).toBe(0);
});

test('a server that sends ranges without announcing them is read', async () => {
  put('object', content, { ranges: 'unannounced' });
  const object = await at('object').look();
  expect((await bytesOf(at('object').read(object, 5, 10))).length).toBe(10);
});

test.each([
  [{ ranges: 'ignored' }, 'the server ignores ranges: it sends the whole object'],
  [{ ranges: 'refused' }, 'the server sends no ranges (Accept-Ranges: none)'],
  [{ etags: 'weak' }, 'the server gives a weak ETag, so that a change between ranges could not be seen'],
  [{ etags: 'none' }, 'the server gives no ETag, so that a change between ranges could not be seen'],
  [
    { redirect: 'https://user:password@elsewhere.example/path?X-Amz-Signature=secret' },
    'the server redirects (302) to https://elsewhere.example/path, which is not followed',
  ],
] as const)('a server that cannot be read in ranges of one version is refused: %j', async (habits, reason) => {
  put('object', content, habits);
  const error = await at('object')
    .look()
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ObjectError);
  expect(error).toMatchObject({ message: `${server.url}object: ${reason}`, temporary: false });
});

test.each([{}, { ignoresIfMatch: true }])('an object that changes between reads is an error: %j', async (habits) => {
  put('object', content, habits);
  const object = await at('object').look();
  put('object', patterned(200_001).subarray(1));
  const error = await bytesOf(at('object').read(object, 0, 100)).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ObjectChanged);
  expect(error).toMatchObject({
    message: `${server.url}object: the object has changed since it was looked up`,
    temporary: false,
  });
});

test('stored bytes are read, also if they are compressed', async () => {
  put('object', content, { headers: { 'content-encoding': 'gzip' } });
  const object = await at('object').look();
  expect(await bytesOf(at('object').read(object, 0, 1000))).toEqual(Buffer.from(content.subarray(0, 1000)));
});

test('an object that is not there', async () => {
  const error = await at('none?version=1')
    .look()
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ObjectMissing);
  expect(error).toMatchObject({ message: `${server.url}none: there is no such object (404)`, status: 404 });
});

test('ranges that are none of the object are refused before a request', async () => {
  put('object', content);
  const reader = at('object');
  const object = await reader.look();
  const before = server.requests.length;
  expect(() => reader.read(object, 0, 200_001)).toThrow(
    new RangeError('"length" expected at most 200000 at offset 0, got 200001'),
  );
  expect(() => reader.read(object, -1, 1)).toThrow(
    new RangeError('"offset" expected integer from 0 to 2^53 - 1, got -1'),
  );
  expect(() => reader.read(object, 0.5, 1)).toThrow(RangeError);
  expect(() => reader.read(object, 0, '1' as never)).toThrow(
    new TypeError('"length" expected number, got type=string'),
  );
  expect(() => reader.read({} as never, 0, 1)).toThrow(new TypeError('"object" expected a version as look() gives it'));
  expect(server.requests.length).toBe(before);
});

test('an aborted signal ends a read with its reason, and no request follows', async () => {
  put('object', content);
  const object = await at('object').look();
  const controller = new AbortController();
  const reason = new Error('enough');
  const pieces = at('object').read(object, 0, content.length, controller.signal);
  await pieces[Symbol.asyncIterator]().next();
  const before = server.requests.length;
  controller.abort(reason);
  await expect(bytesOf(pieces)).rejects.toBe(reason);
  await expect(at('object').look(AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(server.requests.length).toBe(before);
});

test('permission, and writing', async () => {
  put('object', content);
  expect(() => readerOf(`${server.url}object`, {}, [`${server.url}obj`])).toThrow(NotAllowed);
  expect((await readerOf(`${server.url}object`, {}, [server.url]).look()).size).toBe(content.length);
  expect(() => uploadOf(`${server.url}object`)).toThrow(
    new RangeError('"target" expected s3:// or file:// to write to: servers of HTTP are only read'),
  );
});
