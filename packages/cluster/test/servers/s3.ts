/** An S3 server of the test's own: versitygw, with a bucket, and requests of tests beside the library. */
import { AwsClient } from 'aws4fetch';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { serverPath } from './available.ts';
import { freePort, startProgram, temporaryFolder } from './process.ts';

export interface S3Server {
  readonly endpoint: string;
  /** A bucket that is there. */
  readonly bucket: string;
  /** How the library reaches it; the secret is one that tests can look for in logs. */
  readonly options: {
    readonly endpoint: string;
    readonly region: string;
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
  };
  readonly pid: number;
  log(): string;
  put(key: string, body: Uint8Array<ArrayBuffer> | string): Promise<void>;
  /** Undefined if there is no such object. */
  get(key: string): Promise<Uint8Array | undefined>;
  remove(key: string): Promise<void>;
  /** Keys of objects in the bucket. */
  keys(): Promise<string[]>;
  /** Keys of uploads that are neither complete nor aborted: their parts are orphans, if no worker is busy with them. */
  uploads(): Promise<string[]>;
  /** A signed request of any kind below the endpoint. */
  request(method: string, path: string, body?: Uint8Array<ArrayBuffer> | string): Promise<Response>;
  stop(): Promise<void>;
}

export interface S3Settings {
  /** Whether the bucket keeps versions. */
  readonly versions?: boolean;
  readonly region?: string;
}

const valuesOf = (xml: string, element: string): string[] =>
  [...xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'))].map((match) => match[1]);

export async function startS3({ versions = false, region = 'us-east-1' }: S3Settings = {}): Promise<S3Server> {
  const folder = temporaryFolder();
  // Tags and metadata lie in files of their own, as not every file system has extended attributes.
  const [data, sidecar, old] = ['data', 'sidecar', 'versions'].map((name) => join(folder.path, name));
  for (const path of [data, sidecar, old]) mkdirSync(path);
  const port = await freePort();
  const options = {
    endpoint: `http://127.0.0.1:${port}`,
    region,
    accessKeyId: 'lanewise-tests',
    secretAccessKey: 'secret-of-the-tests-6f1c',
  };
  const bucket = 'objects';
  const client = new AwsClient({ ...options, service: 's3', retries: 0 });
  const request: S3Server['request'] = (method, path, body) =>
    client.fetch(`${options.endpoint}${path}`, { method, ...(body === undefined ? {} : { body }) });
  const sure = async (method: string, path: string, body?: Uint8Array<ArrayBuffer> | string): Promise<Response> => {
    const response = await request(method, path, body);
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const pathOf = (key: string): string => `/${bucket}/${key.split('/').map(encodeURIComponent).join('/')}`;
  const server = await startProgram({
    command: [
      serverPath('versitygw'),
      '--port',
      `127.0.0.1:${port}`,
      '--region',
      region,
      '--keep-alive',
      '--quiet',
      'posix',
      '--sidecar',
      sidecar,
      ...(versions ? ['--versioning-dir', old] : []),
      data,
    ],
    log: join(folder.path, 'log.txt'),
    env: { ROOT_ACCESS_KEY: options.accessKeyId, ROOT_SECRET_KEY: options.secretAccessKey },
    ready: () => sure('PUT', `/${bucket}`),
  });
  if (versions) {
    const body = '<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>';
    await sure('PUT', `/${bucket}?versioning`, body);
  }
  return {
    endpoint: options.endpoint,
    bucket,
    options,
    pid: server.pid,
    log: () => server.log(),
    request,
    async put(key, body) {
      await sure('PUT', pathOf(key), body);
    },
    async get(key) {
      const response = await request('GET', pathOf(key));
      const body = await response.bytes();
      return response.ok ? body : undefined;
    },
    async remove(key) {
      await sure('DELETE', pathOf(key));
    },
    keys: async () => valuesOf(await (await sure('GET', `/${bucket}?list-type=2`)).text(), 'Key'),
    uploads: async () => valuesOf(await (await sure('GET', `/${bucket}?uploads`)).text(), 'Key'),
    async stop() {
      await server.stop();
      folder.remove();
    },
  };
}
