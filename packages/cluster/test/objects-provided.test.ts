/** Credentials by a function, in the form of the vendor's providers: in this thread, and in the threads of a worker. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { subtree } from 'lanewise/blake3.js';
import { bytesToHex } from 'lanewise/utils.js';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { readerOf } from '../src/objects/index.ts';
import type { CredentialProvider } from '../src/objects/object.ts';
import { Threads } from '../src/worker/threads.ts';
import { patterned, thrown } from './bytes.ts';

const content = patterned(1024);
/** A store that shows who signed. */
let server: Server;
let endpoint: string;
let signers: string[] = [];
beforeAll(async () => {
  server = createServer(({ headers, method }, response) => {
    signers.push(/Credential=(\w+)\//.exec(headers.authorization ?? '')?.[1] ?? 'nobody');
    const head = { etag: '"tag"', 'content-length': content.length, 'content-range': 'bytes 0-1023/1024' };
    response.writeHead(headers.range === undefined ? 200 : 206, head).end(method === 'HEAD' ? '' : content);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(() => {
  signers = [];
});

const SECRET = 'a secret that no message has';
const keys = (accessKeyId: string) => ({ accessKeyId, secretAccessKey: SECRET, sessionToken: 'TOKEN' });
const look = (credentials: CredentialProvider, signal?: AbortSignal) =>
  readerOf('s3://bucket/key', { endpoint, credentials, attempts: 1 }).look(signal);
const seconds = (n: number): Date => new Date(Date.now() + n * 1000);

test('requests are signed with what it gives, which is kept for all readers', async () => {
  const provider = vi.fn<CredentialProvider>(() => Promise.resolve({ ...keys('first'), expiration: seconds(3600) }));
  for (let i = 0; i < 3; i++) expect(await look(provider)).toMatchObject({ size: content.length });
  expect(signers).toEqual(['first', 'first', 'first']);
  expect(provider).toHaveBeenCalledTimes(1);
});

test('it is asked again before they expire, and every few minutes where they have no end', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    for (const given of [{ expiration: seconds(600) }, {}]) {
      let asked = 0;
      const provider = () => Promise.resolve({ ...keys(`id${++asked}`), ...given });
      await look(provider);
      vi.setSystemTime(Date.now() + 299_000);
      await look(provider);
      vi.setSystemTime(Date.now() + 2000);
      await look(provider);
      expect(signers.splice(0)).toEqual(['id1', 'id1', 'id2']);
    }
  } finally {
    vi.useRealTimers();
  }
});

test.each<[string, () => unknown, string]>([
  [
    'that throws',
    () => {
      throw new RangeError(SECRET);
    },
    'failed (RangeError)',
  ],
  [
    'that rejects',
    () => Promise.reject(Object.assign(new Error(SECRET), { name: 'CredentialsProviderError' })),
    'failed (CredentialsProviderError)',
  ],
  [
    'that rejects with a text',
    () => ({ then: (_: unknown, reject: (reason: string) => void) => reject(SECRET) }),
    'failed (string)',
  ],
  [
    'that gives nothing',
    () => undefined,
    'expected to give { accessKeyId, secretAccessKey, sessionToken? }, gave something else',
  ],
  [
    'that gives half',
    () => ({ secretAccessKey: SECRET }),
    'expected to give { accessKeyId, secretAccessKey, sessionToken? }, gave something else',
  ],
  [
    'that gives an empty key',
    () => keys(''),
    'expected to give { accessKeyId, secretAccessKey, sessionToken? }, gave something else',
  ],
  [
    'that gives a wrong token',
    () => ({ ...keys('id'), sessionToken: 5 }),
    'expected to give { accessKeyId, secretAccessKey, sessionToken? }, gave something else',
  ],
  [
    'that gives a text as the end',
    () => ({ ...keys('id'), expiration: 'tomorrow' }),
    'expected to give "expiration" as a Date, gave something else',
  ],
])('one %s is an error that says so, without a secret, and nothing is sent', async (_, provider, reason) => {
  const error = await thrown(look(provider as CredentialProvider));
  expect(error).toMatchObject({ message: `credentials: the function "credentials" ${reason}`, temporary: false });
  expect(signers).toEqual([]);
});

test('one that gives no answer ends with its signal at once, and by itself after 30 seconds', async () => {
  const never: CredentialProvider = () => new Promise(() => undefined);
  const aborter = new AbortController();
  const started = performance.now();
  const aborted = thrown(look(never, aborter.signal));
  setTimeout(() => aborter.abort(new Error('enough')), 10);
  expect(await aborted).toMatchObject({ message: 'enough' });
  expect(performance.now() - started).toBeLessThan(10_000);
  vi.useFakeTimers();
  try {
    const silent = thrown(look(() => new Promise(() => undefined)));
    await vi.advanceTimersByTimeAsync(31_000);
    expect(await silent).toMatchObject({ message: expect.stringContaining('gave no answer for 30 s') as string });
  } finally {
    vi.useRealTimers();
  }
});

test('it stands alone: neither keys beside it nor the environment', async () => {
  const provider: CredentialProvider = () => Promise.resolve(keys('given'));
  const options = { endpoint, credentials: provider };
  for (const name of ['accessKeyId', 'secretAccessKey', 'sessionToken'])
    expect(() => readerOf('s3://bucket/key', { ...options, [name]: 'x' })).toThrow(
      `"credentials" expected no "${name}" beside it: give one of them`,
    );
  expect(() => readerOf('s3://bucket/key', { credentials: 'x' as unknown as CredentialProvider })).toThrow(
    '"credentials" expected function, got type=string',
  );
  vi.stubEnv('AWS_PROFILE', 'narrow').stubEnv('AWS_ACCESS_KEY_ID', 'environment').stubEnv('AWS_SECRET_ACCESS_KEY', 'x');
  try {
    await look(provider);
    vi.stubEnv('AWS_ACCESS_KEY_ID', '');
    await look(provider);
    expect(signers).toEqual(['given', 'given']);
  } finally {
    vi.unstubAllEnvs();
  }
});

test('the threads of a worker ask for it', async () => {
  const object = { url: 's3://bucket/key', size: content.length, etag: '"tag"' };
  const data = { object, mode: { name: 'hash' }, leafBytes: 1024, offset: 0, length: 1024 };
  const task = { action: 'run', name: 'blake3-leaf', data, children: [] } as const;
  const run = async (credentials: CredentialProvider): Promise<unknown> => {
    const objects = { endpoint, credentials, attempts: 1 };
    const rights = { allow: ['s3://bucket/'], allowWrite: [], keyFiles: {}, identityFile: undefined };
    const settings = { ...rights, objects, native: true };
    const threads = new Threads(settings, () => undefined);
    try {
      return await threads.run(task, undefined);
    } finally {
      await threads.close();
    }
  };
  const node = subtree(content, { offset: 0 });
  expect(await run(() => Promise.resolve({ ...keys('thread'), expiration: seconds(3600) }))).toMatchObject({
    chainingValue: bytesToHex(node.chainingValue),
  });
  expect(signers).toEqual(['thread']);
  const failing = () => Promise.reject(new RangeError(SECRET));
  expect(await thrown(run(failing))).toMatchObject({
    message: expect.stringMatching(/^credentials: the function "credentials" failed \(RangeError\)$/) as string,
  });
});
