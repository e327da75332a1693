/** Objects in a real S3 server: read in ranges of one version, written in parts. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NotAllowed, ObjectChanged, ObjectMissing, ObjectShort, readerOf, uploadOf } from '../src/objects/index.ts';
import { bytesOf, patterned, thrown } from './bytes.ts';
import { hasServer } from './servers/available.ts';
import { startS3, type S3Server } from './servers/s3.ts';

const MiB = 1 << 20;

describe.skipIf(!hasServer('versitygw')).each([{ versions: false }, { versions: true }])('S3, %j', ({ versions }) => {
  let s3: S3Server;
  beforeAll(async () => {
    s3 = await startS3({ versions });
  });
  afterAll(() => s3.stop());

  const url = (key: string): string => `s3://${s3.bucket}/${key}`;
  const options = (more: object = {}) => ({ ...s3.options, attempts: 2, ...more });
  const reader = (key: string, more?: object) => readerOf(url(key), options(more));
  const upload = (key: string) => uploadOf(url(key), options());

  test('ranges of an object are its bytes, in pieces of at most 1 MiB', async () => {
    const content = patterned(3 * MiB + 17);
    await s3.put('large', content);
    const object = await reader('large').look();
    expect(object).toMatchObject({ url: url('large'), size: content.length, etag: /^"[0-9a-f]{32}"$/ });
    expect(object.version !== undefined).toBe(versions);
    const ranges = [
      [0, content.length],
      [0, 0],
      [0, 1],
      [MiB - 1, MiB + 2],
      [content.length - 1, 1],
      [content.length, 0],
    ];
    for (const [offset, length] of ranges) {
      const read = await bytesOf(reader('large').read(object, offset, length));
      expect(Buffer.compare(read, content.subarray(offset, offset + length))).toBe(0);
    }
    for await (const piece of reader('large').read(object, 0, object.size))
      expect(piece.length).toBeLessThanOrEqual(MiB);
  });

  test.each(['plain', 'a b/c+d%20e/100%', "sub'quote(1)!*", 'näme/日本/🙂', '?query=1&x#y', 'tilde~/=;,@:$'])(
    'key %s',
    async (key) => {
      const id = await upload(key).begin();
      const etag = await upload(key).part(id, 1, 0, Buffer.from(key));
      await upload(key).complete(id, [{ number: 1, etag }]);
      expect(await s3.get(key)).toEqual(new TextEncoder().encode(key));
      const object = await reader(key).look();
      expect((await bytesOf(reader(key).read(object, 0, object.size))).toString()).toBe(key);
      await s3.remove(key);
    },
  );

  test('an empty object', async () => {
    await s3.put('empty', '');
    const object = await reader('empty').look();
    expect(object.size).toBe(0);
    expect((await bytesOf(reader('empty').read(object, 0, 0))).length).toBe(0);
  });

  test('an object that is replaced between reads: an error, or the old bytes where the bucket keeps versions', async () => {
    await s3.put('changing', 'old bytes');
    const object = await reader('changing').look();
    await s3.put('changing', 'new bytes');
    const read = bytesOf(reader('changing').read(object, 0, 3));
    if (versions) expect((await read).toString()).toBe('old');
    else {
      const error = await thrown(read);
      expect(error).toBeInstanceOf(ObjectChanged);
      const message = `${url('changing')}: the object has changed since it was looked up`;
      expect(error).toMatchObject({ status: 412, temporary: false, message });
    }
  });

  test('an object that is removed between reads', async () => {
    await s3.put('removed', 'bytes');
    const object = await reader('removed').look();
    await s3.remove('removed');
    const read = bytesOf(reader('removed').read(object, 0, 5));
    if (versions) expect((await read).toString()).toBe('bytes');
    else expect(await thrown(read)).toBeInstanceOf(ObjectMissing);
  });

  test('refusals are told apart, and none shows a secret', async () => {
    await s3.put('object', 'bytes');
    const object = await reader('object').look();
    const secret = 'SECRET-that-is-wrong';
    const failures: readonly (readonly [() => Promise<unknown>, object, unknown])[] = [
      [
        () => reader('none').look(),
        { status: 404, code: 'NoSuchKey', message: `${url('none')}: there is no such object (404 NoSuchKey)` },
        ObjectMissing,
      ],
      [
        () => readerOf('s3://no-such-bucket/key', options()).look(),
        { status: 404, message: 's3://no-such-bucket/key: there is no such bucket (404 NoSuchBucket)' },
        ObjectMissing,
      ],
      [
        () => reader('object', { secretAccessKey: secret }).look(),
        { status: 403, message: `${url('object')}: the secret access key is wrong (403 SignatureDoesNotMatch)` },
        NotAllowed,
      ],
      [
        () => reader('object', { accessKeyId: 'unknown', secretAccessKey: secret }).look(),
        { message: `${url('object')}: the access key is not known there (404 XAdminUserNotFound)` },
        NotAllowed,
      ],
      [
        // An object that is shorter than its version says, by a store that does not look at If-Match first.
        () => bytesOf(reader('object').read({ ...object, size: 100 }, 50, 10)),
        {
          status: 416,
          message: `${url('object')}: the object ends before the range that was asked for (416 InvalidRange)`,
        },
        ObjectShort,
      ],
    ];
    for (const [call, expected, kind] of failures) {
      const error = await thrown(call());
      expect(error).toMatchObject({ ...expected, temporary: false });
      expect(error).toBeInstanceOf(kind);
      expect(`${String(error)}${(error as Error).stack}`).not.toMatch(/SECRET|Signature=/);
    }
  });

  test('parts in any order make an object, which is there at the end only', async () => {
    const content = patterned(11 * MiB);
    const id = await upload('target').begin();
    expect(await s3.uploads()).toEqual(['target']);
    const etags: string[] = [];
    for (const number of [3, 1, 2]) {
      const offset = (number - 1) * 5 * MiB;
      // A part that is sent again replaces the one before.
      if (number === 1) await upload('target').part(id, 1, 0, patterned(5 * MiB).fill(1));
      etags[number - 1] = await upload('target').part(id, number, offset, content.subarray(offset, offset + 5 * MiB));
    }
    expect(await s3.keys()).not.toContain('target');
    const parts = etags.map((etag, index) => ({ number: index + 1, etag }));
    const etag = await upload('target').complete(id, parts);
    const object = await reader('target').look();
    expect(object).toMatchObject({ size: content.length, etag });
    expect(Buffer.compare(await bytesOf(reader('target').read(object, 0, object.size)), content)).toBe(0);
    expect(await s3.uploads()).toEqual([]);
    // A worker that died after that does it again; giving up comes too late.
    expect(await upload('target').complete(id, parts)).toBe(etag);
    await upload('target').abort(id);
    expect((await reader('target').look()).etag).toBe(etag);
  });

  test('an empty part makes an empty object', async () => {
    const id = await upload('nothing').begin();
    const etag = await upload('nothing').part(id, 1, 0, new Uint8Array());
    await upload('nothing').complete(id, [{ number: 1, etag }]);
    expect((await reader('nothing').look()).size).toBe(0);
  });

  test('giving up leaves no parts and no object', async () => {
    const id = await upload('given-up').begin();
    await upload('given-up').part(id, 1, 0, patterned(100));
    await upload('given-up').abort(id);
    await upload('given-up').abort(id);
    expect(await s3.uploads()).toEqual([]);
    expect(await s3.keys()).not.toContain('given-up');
    const message = `${url('given-up')}: the upload is gone: it was aborted or never begun (404 NoSuchUpload)`;
    expect(await thrown(upload('given-up').part(id, 1, 0, patterned(100)))).toMatchObject({
      message,
      temporary: false,
    });
    const late = upload('given-up').complete(id, [{ number: 1, etag: '"00"' }]);
    expect(await thrown(late)).toMatchObject({ message, temporary: false });
  });

  test('parts that the store does not have, or that are too small, are refused, and the upload can be given up', async () => {
    const id = await upload('small').begin();
    const first = await upload('small').part(id, 1, 0, patterned(100));
    const second = await upload('small').part(id, 2, 100, patterned(100));
    const complete = (etags: readonly string[]) =>
      thrown(
        upload('small').complete(
          id,
          etags.map((etag, index) => ({ number: index + 1, etag })),
        ),
      );
    expect(await complete([first, second])).toMatchObject({ code: 'EntityTooSmall', temporary: false });
    expect(await complete(['"00000000000000000000000000000000"'])).toMatchObject({
      code: 'InvalidPart',
      temporary: false,
    });
    await upload('small').abort(id);
    expect(await s3.uploads()).toEqual([]);
  });

  test('requests without credentials are said to be without', async () => {
    await s3.put('object', 'bytes');
    const names = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'];
    const before = names.map((name) => process.env[name]);
    for (const name of names) Reflect.deleteProperty(process.env, name);
    try {
      const error = await thrown(readerOf(url('object'), { endpoint: s3.endpoint }).look());
      expect(error).toBeInstanceOf(NotAllowed);
      expect(String(error)).toContain(
        'the request was not signed: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set',
      );
    } finally {
      names.forEach((name, index) => before[index] !== undefined && (process.env[name] = before[index]));
    }
  });
});
