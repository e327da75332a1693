/** URLs of objects, permission by prefixes, and options. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { allowed, checkPrefixes, NotAllowed, readerOf, uploadOf } from '../src/objects/index.ts';
import { settingsOf } from '../src/objects/settings.ts';
import { Bucket } from '../src/objects/s3.ts';

beforeEach(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) vi.stubEnv(name, undefined);
});

describe('permission', () => {
  test.each([
    ['s3://bucket/data/x', 's3://bucket/data', true],
    ['s3://bucket/data/x', 's3://bucket/data/', true],
    ['s3://bucket/data', 's3://bucket/data', true],
    ['s3://bucket/data', 's3://bucket/data/', false],
    ['s3://bucket/database', 's3://bucket/data', false],
    ['s3://bucket/any', 's3://bucket', true],
    ['s3://bucket/any', 's3://bucket/', true],
    ['s3://bucket2/any', 's3://bucket', false],
    ['s3://bucket/data/../secret', 's3://bucket/data', false],
    ['s3://bucket/data/%2e%2e/secret', 's3://bucket/data', true],
    ['s3://bucket/data/x', 'file:///bucket/data', false],
    ['https://host/data/x', 'https://host/data/', true],
    ['https://host/data/x?version=1', 'https://host/data/', true],
    ['https://HOST:443/data/x', 'https://host/data/', true],
    ['https://host:444/data/x', 'https://host/data/', false],
    ['https://host/data/x', 'https://host', true],
    ['https://host.evil/data/x', 'https://host', false],
    ['https://host@evil/data/x', 'https://host', false],
    ['http://host/data/x', 'http://host/data/', false],
    ['http://127.0.0.1:8000/data/x', 'http://127.0.0.1:8000/data/', true],
    ['http://127.0.0.1.evil/data/x', 'http://127.0.0.1.evil/data/', false],
    ['https://host/database/x', 'https://host/data', false],
    ['https://host/data/../secret', 'https://host/data/', false],
    ['https://host/data/%2e%2e/secret', 'https://host/data/', false],
    ['https://host/data/..%2fsecret', 'https://host/data/', false],
    ['https://host/data/%252e%252e%252fsecret', 'https://host/data/', false],
    ['https://host/data/..;x/secret', 'https://host/data/', false],
    ['https://host/data/..%5csecret', 'https://host/data/', false],
    ['https://host/data/100%25.bin', 'https://host/data/', false],
    ['https://host/data/a%20b', 'https://host/data/', true],
    ['ftp://host/data', 'ftp://host/', false],
    ['', '', false],
  ])('%s under %s: %s', (url, prefix, expected) => {
    expect(allowed(url, [prefix])).toBe(expected);
    expect(allowed(url, ['s3://other', prefix])).toBe(expected);
    expect(allowed(url, [])).toBe(false);
  });

  const folder = mkdtempSync(join(tmpdir(), 'lanewise-allowed-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const at = (...names: string[]): string => pathToFileURL(join(folder, ...names)).href;

  test('files: links are followed on both sides, before names are compared', () => {
    mkdirSync(join(folder, 'data/sub'), { recursive: true });
    mkdirSync(join(folder, 'data2'));
    writeFileSync(join(folder, 'data/file'), 'public');
    writeFileSync(join(folder, 'data2/secret'), 'secret');
    symlinkSync(join(folder, 'data2/secret'), join(folder, 'data/link'));
    symlinkSync(join(folder, 'data2'), join(folder, 'data/folder'));
    symlinkSync(join(folder, 'data'), join(folder, 'alias'));
    symlinkSync(join(folder, 'data2/new'), join(folder, 'data/dangling'));
    const data = [at('data')];
    expect(allowed(at('data/file'), data)).toBe(true);
    expect(allowed(at('data/file'), [at('data/')])).toBe(true);
    expect(allowed(at('data/file'), [at('alias')])).toBe(true);
    expect(allowed(at('alias/file'), data)).toBe(true);
    expect(allowed(at('data/sub/new'), data)).toBe(true);
    expect(allowed(at('data/none/new'), data)).toBe(false);
    expect(allowed(at('data2/secret'), data)).toBe(false);
    expect(allowed(at('data/link'), data)).toBe(false);
    expect(allowed(at('data/folder/secret'), data)).toBe(false);
    expect(allowed(at('data/folder/new'), data)).toBe(false);
    expect(allowed(at('data/dangling'), data)).toBe(false);
    expect(allowed(`${at('data')}/..%2Fdata2/secret`, data)).toBe(false);
    expect(allowed(`${at('data')}/../data2/secret`, data)).toBe(false);
    expect(allowed(at('data2/secret'), ['file:///'])).toBe(true);
    expect(() => readerOf(at('data/link'), {}, data)).toThrow(NotAllowed);
    expect(() => uploadOf(at('data/folder/new'), {}, data)).toThrow(NotAllowed);
  });

  test('a link that is set after the permission was given is refused when the file is opened', async () => {
    const path = join(folder, 'data/changing');
    writeFileSync(path, 'public');
    const reader = readerOf(at('data/changing'), {}, [at('data')]);
    const object = await reader.look();
    rmSync(path);
    symlinkSync(join(folder, 'data2/secret'), path);
    const error = await reader.look().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NotAllowed);
    await expect(reader.read(object, 0, 1)[Symbol.asyncIterator]().next()).rejects.toBeInstanceOf(NotAllowed);
  });

  test.each([
    ['bucket/data', '"allow" expected a URL of s3:, file: or https:, got "bucket/data"'],
    ['s3://', '"allow" expected a bucket of 3 to 63 characters a-z, 0-9, . and -, got "s3://"'],
    ['s3://*', '"allow" expected a bucket of 3 to 63 characters a-z, 0-9, . and -, got "s3://*"'],
    ['http://host/', '"allow" expected https://, as http:// is read on loopback only, got "http://host/"'],
    ['https://host/?x', '"allow" expected a URL without a query'],
    ['https://host/%2e%2e%2f', '"allow" expected a path without encoded separators and dots'],
    ['https://user:password@host/', '"allow" expected a URL without user and password, got "https://host/"'],
    [7 as never, '"allow" expected a URL as string, got type=number'],
  ])('a prefix that permits nothing is an error at the start: %s', (prefix, message) => {
    expect(() => checkPrefixes(['s3://bucket', prefix], 'allow')).toThrow(
      expect.objectContaining({ message }) as Error,
    );
  });
  test('prefixes that are right', () => {
    expect(() => checkPrefixes(['s3://bucket/x', 'file:///srv', 'https://host'], 'allow')).not.toThrow();
    expect(() => checkPrefixes('s3://bucket' as never, 'allow')).toThrow(
      '"allow" expected an array of URLs, got type=string',
    );
  });
});

describe('URLs that name no object', () => {
  test.each([
    ['s3://bucket', '"source" expected s3://bucket/key, got no key'],
    ['s3://bucket/a/../b', '"source" expected a key without segments . and .., got "s3://bucket/a/../b"'],
    [`s3://bucket/${'k'.repeat(1025)}`, '"source" expected a key of at most 1024 bytes'],
    ['s3://bucket/a\nb', '"source" expected a key of Unicode without control characters'],
    ['s3://bucket/\ud800', '"source" expected a key of Unicode without control characters'],
    ['file://host/path', '"source" expected a file: URL without host'],
    ['file:///a?b', '"source" expected a file: URL with ? and # as %3F and %23'],
    ['https://host/x#y', '"source" expected a URL without a fragment'],
    ['gopher://host/x', '"source" expected a URL of s3:, file: or https:'],
    [undefined as never, '"source" expected a URL as string, got type=undefined'],
  ])('%s', (url, message) => {
    expect(() => readerOf(url)).toThrow(message);
  });

  test.each([
    'https://host/x?X-Amz-Signature=SECRET&X-Amz-Credential=SECRET',
    'https://host/x?sv=1&sig=SECRET',
    'https://host/x?GoogleAccessId=a&Signature=SECRET',
    'https://user:SECRET@host/x',
    'http://user:SECRET@elsewhere/x?y=SECRET',
  ])('no message holds a secret: %s', (url) => {
    let message = '';
    try {
      readerOf(url);
    } catch (error) {
      message = String(error);
    }
    expect(message).toMatch(/^RangeError: "source" expected /);
    expect(message).not.toContain('SECRET');
  });
});

describe('options', () => {
  test.each([
    [
      { endPoint: 'http://x' },
      '"objects" expected plain object { endpoint, region, accessKeyId, secretAccessKey, sessionToken, credentials, attempts, timeout }, got { endPoint }',
    ],
    [{ accessKeyId: 'SECRET' }, '"secretAccessKey" is missing: both or neither are given'],
    [{ secretAccessKey: 'SECRET' }, '"accessKeyId" is missing: both or neither are given'],
    [{ sessionToken: 'SECRET' }, '"accessKeyId" is missing beside "sessionToken"'],
    [
      { endpoint: 'http://SECRET@host' },
      '"endpoint" expected https://host or http://host, without user, password and query',
    ],
    [{ endpoint: 'ftp://host' }, '"endpoint" expected https://host or http://host, without user, password and query'],
    [{ region: 'eu west' }, '"region" expected a name of a-z, 0-9 and -'],
    [{ region: 7 }, '"region" expected string, got type=number'],
    [{ region: '' }, '"region" expected a string that is not empty'],
    [{ attempts: 0 }, '"attempts" expected integer from 1 to 100, got 0'],
    [{ timeout: '1' }, '"timeout" expected number, got type=string'],
    [null, '"objects" expected object, got type=null'],
  ])('%j', (options, message) => {
    expect(() => readerOf('s3://bucket/key', options as never)).toThrow(expect.objectContaining({ message }) as Error);
  });

  test('what is not given comes from the environment', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'id');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'key');
    vi.stubEnv('AWS_SESSION_TOKEN', 'token');
    vi.stubEnv('AWS_ENDPOINT_URL', 'https://general');
    vi.stubEnv('AWS_DEFAULT_REGION', 'eu-west-1');
    const credentials = { accessKeyId: 'id', secretAccessKey: 'key', sessionToken: 'token' };
    expect(settingsOf()).toMatchObject({ region: 'eu-west-1', endpoint: new URL('https://general') });
    expect(await settingsOf().credentials()).toEqual(credentials);
    vi.stubEnv('AWS_ENDPOINT_URL_S3', 'https://s3only');
    vi.stubEnv('AWS_REGION', 'eu-west-2');
    expect(settingsOf()).toMatchObject({ region: 'eu-west-2', endpoint: new URL('https://s3only') });
    // A token belongs to its keys.
    const own = { accessKeyId: 'other', secretAccessKey: 'other' };
    expect(await settingsOf(own).credentials()).toEqual({ ...own, sessionToken: undefined });
  });
});

test.each([
  ['bucket', 'a b/c+d', {}, 'https://bucket.s3.us-east-1.amazonaws.com/a%20b/c%2Bd?'],
  ['my.bucket', 'key', {}, 'https://s3.us-east-1.amazonaws.com/my.bucket/key?'],
  ['bucket', 'key', { region: 'cn-north-1' }, 'https://bucket.s3.cn-north-1.amazonaws.com.cn/key?'],
  ['bucket', "(k'!*)", { endpoint: 'http://127.0.0.1:7070' }, 'http://127.0.0.1:7070/bucket/%28k%27%21%2A%29?'],
  ['bucket', 'key', { endpoint: 'https://host/s3/' }, 'https://host/s3/bucket/key?'],
  [
    'bucket',
    'key',
    { endpoint: 'https://s3.eu-west-1.amazonaws.com' },
    'https://bucket.s3.eu-west-1.amazonaws.com/key?',
  ],
  ['bucket', 'key', { endpoint: 'https://evils3.amazonaws.com.evil' }, 'https://evils3.amazonaws.com.evil/bucket/key?'],
])('address of s3://%s/%s with %j', (bucket, key, options, expected) => {
  const url = new Bucket(bucket, settingsOf(options)).url(key, { versionId: 'a+b/c=' });
  expect(url.href).toBe(`${expected}versionId=a%2Bb%2Fc%3D`);
});
