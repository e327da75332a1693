/** Objects in S3 through a proxy with faults: those that pass are overcome, one that lasts is one clear error, and nothing is left. */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  ObjectChanged,
  ObjectError,
  ObjectShort,
  readerOf,
  uploadOf,
  type ObjectVersion,
} from '../src/objects/index.ts';
import { bytesOf, patterned, thrown } from './bytes.ts';
import { hasServer } from './servers/available.ts';
import { s3Error, startFaultProxy, type Fault, type FaultProxy } from './servers/fault-proxy.ts';
import { startS3, type S3Server } from './servers/s3.ts';

const content = patterned(1 << 20);
/** Milliseconds of silence after which an attempt has failed: few where silence is the fault, and else more than a slow machine needs. */
const patienceFor = (faults: readonly Fault[]): number =>
  faults.some((fault) => /silence|stuck/.test(fault.kind) || (fault.kind === 'slow' && fault.bytes === 1))
    ? 800
    : 20_000;

describe.skipIf(!hasServer('versitygw'))('S3 with faults', () => {
  let s3: S3Server;
  let proxy: FaultProxy;
  let object: ObjectVersion;
  let patience = patienceFor([]);
  const url = (key: string): string => `s3://${s3.bucket}/${key}`;
  const options = (more: object = {}) => ({
    ...s3.options,
    endpoint: proxy.url,
    attempts: 3,
    timeout: patience,
    ...more,
  });
  const reader = () => readerOf(url('object'), options());
  const upload = (key: string) => uploadOf(url(key), options());

  beforeAll(async () => {
    // Waits between attempts are random parts of growing times: small parts here.
    vi.spyOn(Math, 'random').mockReturnValue(0.05);
    s3 = await startS3();
    proxy = await startFaultProxy(s3.endpoint);
    await s3.put('object', content);
    object = await reader().look();
  });
  afterEach(() => {
    proxy.inject();
    patience = patienceFor([]);
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await proxy.stop();
    await s3.stop();
  });

  /** The first requests of a kind meet faults, one after the other. */
  const first = (isMeant: (method: string, query: URLSearchParams) => boolean, ...faults: Fault[]): void => {
    patience = patienceFor(faults);
    proxy.inject(({ method, query }) => (isMeant(method, query) ? faults.shift() : undefined));
  };
  /** All requests meet a fault. */
  const always = (fault: Fault): void => {
    patience = patienceFor([fault]);
    proxy.inject(() => fault);
  };
  const read = (attempts = 3): Promise<Uint8Array> =>
    bytesOf(readerOf(url('object'), options({ attempts })).read(object, 100, 900_000));
  const expected = Buffer.from(content.subarray(100, 900_100));

  const passing: readonly (readonly [string, readonly Fault[]])[] = [
    ['500', [s3Error(500, 'InternalError'), s3Error(500, 'InternalError')]],
    ['503 SlowDown', [s3Error(503, 'SlowDown', { 'retry-after': '0' }), s3Error(503, 'SlowDown')]],
    [
      '429 and 502 without a body',
      [
        { kind: 'answer', status: 429 },
        { kind: 'answer', status: 502 },
      ],
    ],
    ['a connection that is closed at once', [{ kind: 'refused' }, { kind: 'refused' }]],
    ['an answer that is lost', [{ kind: 'lost' }]],
    ['silence', [{ kind: 'silence' }]],
  ];

  describe.each(passing)('%s', (_name, faults) => {
    test('a look-up and a range', async () => {
      first(() => true, ...faults);
      expect((await reader().look()).size).toBe(content.length);
      first(() => true, ...faults);
      expect(Buffer.compare(await read(), expected)).toBe(0);
    });

    test('an upload, in each of its steps', async () => {
      for (const step of ['POST uploads', 'PUT', 'POST uploadId', 'all']) {
        const [method, name] = step.split(' ');
        const isMeant = (asked: string, query: URLSearchParams): boolean =>
          step === 'all' || (asked === method && (name === undefined || query.has(name)));
        first(isMeant, ...faults);
        const id = await upload('target').begin();
        const etag = await upload('target').part(id, 1, 0, content);
        const whole = await upload('target').complete(id, [{ number: 1, etag }]);
        proxy.inject();
        expect(await readerOf(url('target'), options()).look()).toMatchObject({ size: content.length, etag: whole });
        expect(Buffer.compare((await s3.get('target'))!, content)).toBe(0);
        // Also not of a beginning whose answer was lost.
        expect(await s3.uploads()).toEqual([]);
        await s3.remove('target');
      }
    });

    test('giving up', async () => {
      const id = await upload('given-up').begin();
      await upload('given-up').part(id, 1, 0, content);
      first((method) => method === 'DELETE', ...faults);
      await upload('given-up').abort(id);
      expect(await s3.uploads()).toEqual([]);
    });
  });

  const broken: readonly (readonly [string, readonly Fault[]])[] = [
    [
      'is cut off',
      [
        { kind: 'cut', bytes: 300_000 },
        { kind: 'cut', bytes: 0 },
      ],
    ],
    [
      'is short',
      [
        { kind: 'short', bytes: 300_000 },
        { kind: 'short', bytes: 0 },
      ],
    ],
    ['stops', [{ kind: 'stuck', bytes: 300_000 }]],
    ['comes by single bytes', [{ kind: 'slow', bytes: 1, milliseconds: 50 }]],
  ];
  test.each(broken)('a body that %s is asked for again from there', async (_name, faults) => {
    first((method) => method === 'GET', ...faults);
    const before = proxy.requests.length;
    expect(Buffer.compare(await read(), expected)).toBe(0);
    expect(proxy.requests.length - before).toBe(faults.length + 1);
  });

  test('a body that comes slowly, but comes, is waited for', async () => {
    always({ kind: 'slow', bytes: 1 << 16, milliseconds: 20 });
    const before = proxy.requests.length;
    expect(Buffer.compare(await read(), expected)).toBe(0);
    expect(proxy.requests.length - before).toBe(1);
  });

  const lasting: readonly (readonly [string, Fault, object])[] = [
    ['500', s3Error(500, 'InternalError'), { message: 'the store answered 500 InternalError, 2 times in a row' }],
    ['503', s3Error(503, 'SlowDown'), { message: 'the store answered 503 SlowDown, 2 times in a row' }],
    [
      'a closed connection',
      { kind: 'refused' },
      { message: 'the connection to HOST failed (ECONNRESET), 2 times in a row' },
    ],
    ['silence', { kind: 'silence' }, { message: 'no answer for 0.8 s, 2 times in a row' }],
    [
      'a body that is cut off',
      { kind: 'cut', bytes: 0 },
      { message: 'the connection to HOST failed (ECONNRESET), 2 times in a row' },
    ],
    [
      'a short body',
      { kind: 'short', bytes: 0 },
      { message: 'the range at 100 ended after 0 of 900000 bytes, 2 times in a row' },
    ],
    ['a body that stops', { kind: 'stuck', bytes: 10 }, { message: 'no answer for 0.8 s, 2 times in a row' }],
  ];
  test.each(lasting)(
    '%s that lasts is one error, which may pass later',
    async (_name, fault, { message }: { message?: string }) => {
      always(fault);
      const error = await thrown(read(2));
      expect(error).toBeInstanceOf(ObjectError);
      const expected = `${url('object')}: ${message?.replace('HOST', new URL(proxy.url).host)}`;
      expect(error).toMatchObject({ message: expected, temporary: true });
    },
  );

  test('a short body that lasts is told by its kind', async () => {
    always({ kind: 'short', bytes: 0 });
    expect(await thrown(read())).toBeInstanceOf(ObjectShort);
  });

  test.each([
    ['a long body', { kind: 'long', bytes: 1 }, 'more than the 900000 bytes asked for came'],
    [
      'another range',
      { kind: 'headers', headers: { 'content-range': `bytes 0-899999/${content.length}` } },
      'the server sends another range than it was asked for',
    ],
    [
      'the whole object',
      { kind: 'answer', status: 200, body: 'x' },
      'the server ignores ranges: it sends the whole object',
    ],
    [
      'a code of the store that does not pass',
      s3Error(403, 'InvalidObjectState'),
      'the object is archived and must be restored first (403 InvalidObjectState)',
    ],
  ] as const)('%s is an error at once', async (_name, fault, message) => {
    always(fault);
    const before = proxy.requests.length;
    expect(await thrown(read())).toMatchObject({ message: `${url('object')}: ${message}`, temporary: false });
    expect(proxy.requests.length - before).toBe(1);
  });

  test.each([
    ['another ETag', { kind: 'headers', headers: { etag: '"other"' } }],
    ['another size', { kind: 'headers', headers: { 'content-range': 'bytes 100-900099/7' } }],
    ['412', s3Error(412, 'PreconditionFailed')],
  ] as const)('%s is an object that has changed', async (_name, fault) => {
    always(fault);
    expect(await thrown(read())).toBeInstanceOf(ObjectChanged);
  });

  test('an object that changes while its body is asked for again is an error, and not a mixture', async () => {
    await s3.put('changing', content);
    const changing = readerOf(url('changing'), options());
    const before = await changing.look();
    first((method) => method === 'GET', { kind: 'cut', bytes: 300_000 });
    const pieces = changing.read(before, 0, before.size)[Symbol.asyncIterator]();
    await pieces.next();
    await s3.put(
      'changing',
      content.map((byte) => ~byte),
    );
    const rest = (async () => {
      while ((await pieces.next()).done !== true);
    })();
    expect(await thrown(rest)).toBeInstanceOf(ObjectChanged);
  });

  test('the region of a bucket that is elsewhere is named', async () => {
    const message = `${url('object')}: the bucket is in region eu-west-1, not in us-east-1: set AWS_REGION=eu-west-1`;
    always({
      kind: 'answer',
      status: 301,
      headers: { 'x-amz-bucket-region': 'eu-west-1', location: 'https://elsewhere/' },
    });
    expect(await thrown(reader().look())).toMatchObject({ message, temporary: false });
    const body = '<Error><Code>AuthorizationHeaderMalformed</Code><Region>eu-west-1</Region></Error>';
    always({ kind: 'answer', status: 400, body });
    expect(await thrown(reader().look())).toMatchObject({ message, temporary: false });
    expect(await thrown(upload('target').begin())).toMatchObject({
      temporary: false,
      code: 'AuthorizationHeaderMalformed',
    });
  });

  test('a completion that answers 200 with an error is an error, or is tried again', async () => {
    const isCompletion = (method: string, query: URLSearchParams): boolean =>
      method === 'POST' && query.has('uploadId');
    const answered = (code: string): Fault => ({ ...(s3Error(200, code) as Fault & { kind: 'answer' }), status: 200 });
    const id = await upload('target').begin();
    const etag = await upload('target').part(id, 1, 0, content);
    first(isCompletion, answered('MalformedXML'));
    const error = await thrown(upload('target').complete(id, [{ number: 1, etag }]));
    expect(error).toMatchObject({
      message: `${url('target')}: the store refuses (200 MalformedXML)`,
      temporary: false,
    });
    expect(await s3.keys()).not.toContain('target');
    first(isCompletion, answered('InternalError'), { kind: 'answer', status: 200, body: '<?xml version="1.0"?>\n   ' });
    await upload('target').complete(id, [{ number: 1, etag }]);
    expect(Buffer.compare((await s3.get('target'))!, content)).toBe(0);
    expect(await s3.uploads()).toEqual([]);
  });

  test('a completion whose answer was lost is recognized by its object, and no other object is taken for it', async () => {
    const isCompletion = (method: string, query: URLSearchParams): boolean =>
      method === 'POST' && query.has('uploadId');
    const gone = s3Error(404, 'NoSuchUpload');
    const id = await upload('target').begin();
    const etag = await upload('target').part(id, 1, 0, content);
    first(isCompletion, { kind: 'lost' }, gone);
    const whole = await upload('target').complete(id, [{ number: 1, etag }]);
    expect(whole).toBe((await readerOf(url('target'), options()).look()).etag);
    // Another object of the same name. It is removed first, as versitygw hands metadata down to a replacement.
    await s3.remove('target');
    await s3.put('target', content);
    first(isCompletion, gone);
    const error = await thrown(upload('target').complete(id, [{ number: 1, etag }]));
    expect(error).toMatchObject({ code: 'NoSuchUpload', temporary: false });
    await s3.remove('target');
  });

  test('a beginning that is cancelled, or whose answers are all lost, leaves no upload', async () => {
    const isBeginning = (method: string, query: URLSearchParams): boolean => method === 'POST' && query.has('uploads');
    first(isBeginning, { kind: 'lost' }, { kind: 'lost' }, { kind: 'lost' });
    expect(await thrown(upload('lost').begin())).toMatchObject({ code: 'ECONNRESET', temporary: true });
    expect(await s3.uploads()).toEqual([]);
    // The lists in which such uploads are looked for may fail, too.
    const list = s3Error(503, 'SlowDown');
    const faults: Fault[] = [list, list];
    let lost = 0;
    proxy.inject(({ method, query }) => {
      if (isBeginning(method, query)) return lost++ === 0 ? { kind: 'lost' } : undefined;
      return method === 'GET' ? faults.shift() : undefined;
    });
    const id = await upload('lost').begin();
    expect(await s3.uploads()).toEqual(['lost']);
    await upload('lost').abort(id);

    const controller = new AbortController();
    const reason = new Error('enough');
    proxy.inject(({ method, query }) => {
      if (isBeginning(method, query)) controller.abort(reason);
      return undefined;
    });
    expect(await thrown(upload('cancelled').begin(controller.signal))).toBe(reason);
    await expect.poll(() => proxy.requests.filter((each) => /^DELETE .*cancelled/.test(each)).length).toBe(1);
    await expect.poll(() => s3.uploads()).toEqual([]);
  });

  test('an upload whose parts fail for good can be given up: no orphaned parts, no object', async () => {
    const id = await upload('failing').begin();
    await upload('failing').part(id, 1, 0, content);
    proxy.inject(({ method }) => (method === 'PUT' ? s3Error(500, 'InternalError') : undefined));
    expect(await thrown(upload('failing').part(id, 2, content.length, content))).toMatchObject({ temporary: true });
    await upload('failing').abort(id);
    expect(await s3.uploads()).toEqual([]);
    expect(await s3.keys()).not.toContain('failing');
  });

  test('a store that refuses a part before it has read it: the refusal is the error, not the connection', async () => {
    proxy.inject(({ method }) => (method === 'PUT' ? { kind: 'early', status: 403 } : undefined));
    const id = await upload('early').begin();
    const error = await thrown(upload('early').part(id, 1, 0, patterned(64 << 20)));
    expect(error).toMatchObject({ status: 403, temporary: false });
    await upload('early').abort(id);
  });

  test('a network that is lost and comes back', async () => {
    await proxy.down();
    const error = await thrown(read(2));
    expect(error).toMatchObject({
      message: `${url('object')}: the connection to ${new URL(proxy.url).host} failed (ECONNREFUSED), 2 times in a row`,
      temporary: true,
    });
    const patient = readerOf(url('object'), options({ attempts: 50 }));
    const late = bytesOf(patient.read(object, 100, 900_000));
    await proxy.up();
    expect(Buffer.compare(await late, expected)).toBe(0);
  });

  test('an abort signal ends waiting and sending at once, with its reason', async () => {
    const reason = new Error('enough');
    for (const fault of [{ kind: 'silence' }, s3Error(503, 'SlowDown', { 'retry-after': '3600' })] as const) {
      always(fault);
      const controller = new AbortController();
      const calls = [
        reader().look(controller.signal),
        bytesOf(reader().read(object, 0, 10, controller.signal)),
        upload('target').begin(controller.signal),
        upload('target').part(`${'0'.repeat(32)}.id`, 1, 0, content, controller.signal),
        upload('target').complete(`${'0'.repeat(32)}.id`, [{ number: 1, etag: '"0"' }], controller.signal),
      ].map(thrown);
      setTimeout(() => controller.abort(reason), 50);
      expect(await Promise.all(calls)).toEqual([reason, reason, reason, reason, reason]);
    }
  });

  test('the access key, the secret and signatures are in no error', async () => {
    const faults: readonly Fault[] = [...passing, ...broken].flatMap(([, each]) => each);
    const once = options({ attempts: 1 });
    for (const fault of faults.filter(({ kind }) => kind !== 'silence' && kind !== 'stuck' && kind !== 'slow')) {
      always(fault);
      const calls = [
        readerOf(url('object'), once).look(),
        bytesOf(readerOf(url('object'), once).read(object, 0, 900_000)),
        uploadOf(url('x'), once).begin(),
      ];
      for (const error of await Promise.all(calls.map(thrown))) {
        const { stack, cause } = (error ?? {}) as Error;
        expect(`${String(error)} ${stack} ${JSON.stringify(error)} ${String(cause)}`).not.toMatch(
          /lanewise-tests|secret-of-the|AWS4/,
        );
      }
    }
  });
});
