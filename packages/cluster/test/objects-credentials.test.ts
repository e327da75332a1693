/** Credentials of containers and machines at Amazon, from endpoints that answer as Amazon documents it. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { keeping, sourceIn } from '../src/objects/credentials.ts';
import { noticesIn, refuseIgnored } from '../src/objects/ignored.ts';
import { readerOf, uploadOf } from '../src/objects/index.ts';
import { thrown } from './bytes.ts';
import { temporaryFolder } from './servers/process.ts';

let server: Server;
let base: string;
let answer: (request: IncomingMessage) => { status?: number; body?: string };
const folder = temporaryFolder();
beforeAll(async () => {
  server = createServer((request, response) => {
    const { status = 200, body = '' } = answer(request);
    response.writeHead(status).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  folder.remove();
});
beforeEach(() => {
  answer = () => ({ status: 404 });
});

const issued = (id: string) =>
  JSON.stringify({ AccessKeyId: id, SecretAccessKey: 'SECRET', Token: 'TOKEN', Expiration: '2099-01-01T00:00:00Z' });
const expected = (id: string) => ({ accessKeyId: id, secretAccessKey: 'SECRET', sessionToken: 'TOKEN' });

test('a container: the token goes along, from the variable or the file, and the answer is kept', async () => {
  const seen: unknown[] = [];
  answer = ({ url, headers }) => {
    seen.push([url, headers.authorization]);
    return { body: issued('container') };
  };
  const environment = {
    AWS_CONTAINER_CREDENTIALS_FULL_URI: `${base}/by-variable`,
    AWS_CONTAINER_AUTHORIZATION_TOKEN: 'a',
  };
  for (let i = 0; i < 3; i++) expect(await sourceIn(environment, true)()).toEqual(expected('container'));
  const file = join(folder.path, 'token');
  writeFileSync(file, 'b\n');
  const byFile = {
    AWS_CONTAINER_CREDENTIALS_FULL_URI: `${base}/by-file`,
    AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file,
  };
  expect(await sourceIn(byFile, false)()).toEqual(expected('container'));
  expect(seen).toEqual([
    ['/by-variable', 'a'],
    ['/by-file', 'b'],
  ]);
});

test('a machine: by a token of IMDSv2 and the name of its role', async () => {
  const seen: string[] = [];
  answer = ({ url, method, headers }) => {
    seen.push(`${method} ${url}`);
    if (method === 'PUT')
      return { status: headers['x-aws-ec2-metadata-token-ttl-seconds'] === '21600' ? 200 : 400, body: 'token' };
    if (headers['x-aws-ec2-metadata-token'] !== 'token') return { status: 401 };
    return { body: url!.endsWith('/') ? 'role\n' : issued('machine') };
  };
  const environment = { AWS_EC2_METADATA_SERVICE_ENDPOINT: base };
  expect(await sourceIn(environment, true)()).toBeUndefined();
  expect(await sourceIn({ ...environment, AWS_EC2_METADATA_DISABLED: 'true' }, false)()).toBeUndefined();
  expect(seen).toEqual([]);
  expect(await sourceIn(environment, false)()).toEqual(expected('machine'));
  const path = '/latest/meta-data/iam/security-credentials/';
  expect(seen).toEqual(['PUT /latest/api/token', `GET ${path}`, `GET ${path}role`]);
});

test('a machine without a role, and one that is none of EC2', async () => {
  answer = ({ method }) => (method === 'PUT' ? { body: 'token' } : { status: 404 });
  expect(await sourceIn({ AWS_EC2_METADATA_SERVICE_ENDPOINT: `${base}/?no-role` }, false)()).toBeUndefined();
  answer = () => ({ status: 403 });
  expect(await sourceIn({ AWS_EC2_METADATA_SERVICE_ENDPOINT: `${base}/?none` }, false)()).toBeUndefined();
});

test('answers without credentials, and endpoints elsewhere, are errors without secrets', async () => {
  let count = 0;
  const source = () => sourceIn({ AWS_CONTAINER_CREDENTIALS_FULL_URI: `${base}/broken-${count++}` }, true)();
  for (const body of [
    '',
    '{}',
    issued('').replace('2099-01-01T00:00:00Z', 'never'),
    issued('x').replace('TOKEN', ''),
  ]) {
    answer = () => ({ body });
    const error = await thrown(source());
    expect(error).toMatchObject({ message: 'credentials of the container: the endpoint gave no credentials' });
  }
  answer = () => ({ status: 403 });
  expect(await thrown(source())).toMatchObject({
    message: 'credentials of the container: the endpoint answered 403',
    temporary: false,
  });
  const failing = [{ status: 500 }, { body: issued('later') }];
  answer = () => failing.shift()!;
  expect(await source()).toEqual(expected('later'));
  for (const elsewhere of ['http://elsewhere/', 'ftp://127.0.0.1/', 'x'])
    expect(() => sourceIn({ AWS_CONTAINER_CREDENTIALS_FULL_URI: elsewhere }, true)).toThrow(
      new RangeError('"AWS_CONTAINER_CREDENTIALS_FULL_URI" expected https://, or http:// on this machine'),
    );
});

test('credentials are asked for again before they expire, once for all callers, and kept while no new ones come', async () => {
  const minute = 60_000;
  let time = 0;
  let count = 0;
  const source = keeping(
    () => {
      count++;
      if (time > 80 * minute && time < 100 * minute) return Promise.reject(new Error('down'));
      return Promise.resolve({
        credentials: { ...expected(`${count}`) },
        expires: Math.max(60, time / minute + 30) * minute,
      });
    },
    () => time,
  );
  const idAt = async (minutes: number): Promise<string | undefined> => {
    time = minutes * minute;
    return (await source())?.accessKeyId;
  };
  expect(await Promise.all([idAt(0), idAt(0), idAt(0)])).toEqual(['1', '1', '1']);
  expect(await idAt(54)).toBe('1');
  expect(await idAt(56)).toBe('2'); // until 86
  expect(await idAt(82)).toBe('2'); // no new ones come, and these hold
  expect(await thrown(idAt(87))).toMatchObject({ message: 'down' });
  expect(await idAt(101)).toBe('5');
});

const forRole = (code: string) =>
  `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleWithWebIdentityResult>
  <SubjectFromWebIdentityToken>system:serviceaccount:default:worker</SubjectFromWebIdentityToken>
  <Credentials><SessionToken>TOKEN</SessionToken><SecretAccessKey>SECRET</SecretAccessKey>
  <Expiration>2099-01-01T00:00:00Z</Expiration><AccessKeyId>${code}</AccessKeyId></Credentials>
  </AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`;

test('a web identity: the token of the file is given for the role, also where other sources are there', async () => {
  const file = join(folder.path, 'web-token');
  writeFileSync(file, 'the.web+token\n');
  const seen: unknown[] = [];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    request.on('data', (data: Buffer) => (body += data.toString()));
    request.on('end', () => {
      seen.push([
        request.method,
        request.url,
        request.headers.authorization,
        Object.fromEntries(new URLSearchParams(body)),
      ]);
      response.writeHead(200).end(forRole('role'));
    });
  });
  const environment = {
    AWS_WEB_IDENTITY_TOKEN_FILE: file,
    AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/narrow',
    AWS_ENDPOINT_URL_STS: base,
    AWS_CONTAINER_CREDENTIALS_FULL_URI: `${base}/container`,
  };
  for (let i = 0; i < 2; i++) expect(await sourceIn(environment, false)()).toEqual(expected('role'));
  expect(await sourceIn({ ...environment, AWS_ROLE_SESSION_NAME: 'night' }, true)()).toEqual(expected('role'));
  const fields = {
    Action: 'AssumeRoleWithWebIdentity',
    Version: '2011-06-15',
    RoleArn: environment.AWS_ROLE_ARN,
    WebIdentityToken: 'the.web+token',
  };
  expect(seen).toEqual([
    ['POST', '/', undefined, { ...fields, RoleSessionName: 'lanewise' }],
    ['POST', '/', undefined, { ...fields, RoleSessionName: 'night' }],
  ]);
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { status = 200, body = '' } = answer(request);
    response.writeHead(status).end(body);
  });
});

test('a web identity that is refused, or half of one: errors without the token', async () => {
  const file = join(folder.path, 'web-token-2');
  writeFileSync(file, 'the.web+token');
  const environment = { AWS_WEB_IDENTITY_TOKEN_FILE: file, AWS_ROLE_ARN: 'arn', AWS_ENDPOINT_URL_STS: base };
  answer = () => ({
    status: 400,
    body: '<Error><Code>InvalidIdentityToken</Code><Message>the.web+token</Message></Error>',
  });
  expect(await thrown(sourceIn(environment, false)())).toMatchObject({
    message: 'credentials of the web identity: the token service answered 400 (InvalidIdentityToken)',
    temporary: false,
  });
  answer = () => ({ body: forRole('') });
  expect(await thrown(sourceIn(environment, false)())).toMatchObject({
    message: 'credentials of the web identity: the endpoint gave no credentials',
  });
  const failing = [{ status: 503 }, { body: forRole('later') }];
  answer = () => failing.shift()!;
  expect(await sourceIn(environment, false)()).toEqual(expected('later'));
  expect(
    await thrown(sourceIn({ ...environment, AWS_WEB_IDENTITY_TOKEN_FILE: `${file}-none` }, false)()),
  ).toMatchObject({
    message: 'credentials of the web identity: the file of AWS_WEB_IDENTITY_TOKEN_FILE cannot be read (ENOENT)',
  });
  expect(() => sourceIn({ AWS_ROLE_ARN: 'arn' }, false)).toThrow(
    new TypeError('"AWS_WEB_IDENTITY_TOKEN_FILE" is missing: both or neither are set'),
  );
  expect(() => sourceIn({ AWS_WEB_IDENTITY_TOKEN_FILE: file }, false)).toThrow(
    new TypeError('"AWS_ROLE_ARN" is missing: both or neither are set'),
  );
  expect(() => sourceIn({ ...environment, AWS_ENDPOINT_URL_STS: 'http://elsewhere/' }, false)).toThrow(
    new RangeError('"AWS_ENDPOINT_URL_STS" expected https://, or http:// on this machine: it is sent a token'),
  );
});

test('variables that would have S3 used as another user or by another way are refused, all others named', () => {
  const nothing = { credentials: false, endpoint: false };
  for (const name of ['AWS_PROFILE', 'AWS_DEFAULT_PROFILE', 'AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE']) {
    expect(() => refuseIgnored({ [name]: 'x' }, nothing)).toThrow(
      `"${name}" is set, and profiles are not read: eval "$(aws configure export-credentials --format env)" sets the variables of one, or unset it`,
    );
    expect(() => refuseIgnored({ [name]: 'x' }, { ...nothing, credentials: true })).not.toThrow();
    expect(() => refuseIgnored({ [name]: '' }, nothing)).not.toThrow();
  }
  expect(() => refuseIgnored({ AWS_USE_FIPS_ENDPOINT: 'true' }, nothing)).toThrow(
    '"AWS_USE_FIPS_ENDPOINT" is set, and not followed: set AWS_ENDPOINT_URL_S3=https://s3-fips.REGION.amazonaws.com, or unset it',
  );
  expect(() => refuseIgnored({ AWS_USE_DUALSTACK_ENDPOINT: 'True' }, nothing)).toThrow('AWS_USE_DUALSTACK_ENDPOINT');
  expect(() => refuseIgnored({ AWS_USE_FIPS_ENDPOINT: 'false' }, nothing)).not.toThrow();
  expect(() => refuseIgnored({ AWS_USE_FIPS_ENDPOINT: 'true' }, { ...nothing, endpoint: true })).not.toThrow();
  expect(
    noticesIn({ AWS_CA_BUNDLE: '/ca', https_proxy: 'http://proxy', AWS_STS_REGIONAL_ENDPOINTS: 'regional' }),
  ).toEqual([
    'AWS_CA_BUNDLE is set, and not read: NODE_EXTRA_CA_CERTS names a file of certificates',
    'HTTPS_PROXY is set, and not read: connections go to the store directly',
  ]);
});

test('a reader of S3 refuses them, one of a file does not care', () => {
  vi.stubEnv('AWS_PROFILE', 'narrow');
  try {
    expect(() => readerOf('s3://bucket/key')).toThrow('"AWS_PROFILE" is set');
    expect(() => uploadOf('s3://bucket/key')).toThrow('"AWS_PROFILE" is set');
    expect(() => readerOf('s3://bucket/key', { accessKeyId: 'a', secretAccessKey: 'b' })).not.toThrow();
    expect(() => readerOf('file:///srv/data')).not.toThrow();
    vi.stubEnv('AWS_PROFILE', '');
    vi.stubEnv('AWS_ROLE_ARN', 'arn');
    expect(() => readerOf('s3://bucket/key')).toThrow('"AWS_WEB_IDENTITY_TOKEN_FILE" is missing');
    expect(() => readerOf('file:///srv/data')).not.toThrow();
  } finally {
    vi.unstubAllEnvs();
  }
});
