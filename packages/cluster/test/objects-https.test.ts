/** Objects over HTTPS: certificates are checked, and a wrong one is an error that stays. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setDefaultCACertificates } from 'node:tls';
import { afterAll, describe, expect, test } from 'vitest';
import { readerOf } from '../src/objects/index.ts';
import { bytesOf, patterned, thrown } from './bytes.ts';
import { startFileServer } from './servers/file-server.ts';
import { temporaryFolder } from './servers/process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());
const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(folder.path, name));
const { status } = spawnSync('openssl', [
  'req',
  '-x509',
  '-newkey',
  'ec',
  '-pkeyopt',
  'ec_paramgen_curve:prime256v1',
  '-nodes',
  '-days',
  '2',
  '-keyout',
  key,
  '-out',
  cert,
  '-subj',
  '/CN=localhost',
  '-addext',
  'subjectAltName=DNS:localhost',
]);
if (status !== 0) console.log('SKIPPED: objects behind HTTPS: there is no openssl, which makes the certificate');

describe.skipIf(status !== 0)('HTTPS', () => {
  test('certificates are checked', async () => {
    const server = await startFileServer({ key: readFileSync(key), cert: readFileSync(cert) });
    try {
      const content = patterned(300_000);
      server.objects.set('object', content);
      const url = `${server.url}object`;
      const reader = readerOf(url, { attempts: 3 });
      const error = await thrown(reader.look());
      const code = 'DEPTH_ZERO_SELF_SIGNED_CERT';
      const message = `${url}: the connection to ${new URL(url).host} failed (${code})`;
      expect(error).toMatchObject({ message, code, temporary: false });
      expect(server.requests).toEqual([]);

      setDefaultCACertificates([readFileSync(cert, 'utf8')]);
      const object = await reader.look();
      expect(Buffer.compare(await bytesOf(reader.read(object, 0, object.size)), content)).toBe(0);
      const misnamed = await thrown(readerOf(url.replace('localhost', '127.0.0.1'), { attempts: 3 }).look());
      expect(misnamed).toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID', temporary: false });
    } finally {
      await server.stop();
    }
  });
});
