/** Ports of commands that build and then serve. */
// Runs in Node only: starts servers.
import { createServer, type AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkFree, portsOf } from '../app/ports.ts';
import { serveSite } from '../src/serve.ts';

const USUAL = { port: 8080, 'app-port': 8081 };

test('options come before the environment, which comes before what is usual', () => {
  expect(portsOf([], USUAL, {})).toEqual(USUAL);
  expect(portsOf([], USUAL, { PORT: '9000', APP_PORT: '9001' })).toEqual({ port: 9000, 'app-port': 9001 });
  expect(portsOf(['--port', '7000'], USUAL, { PORT: '9000' })).toEqual({ port: 7000, 'app-port': 8081 });
});

test.each([
  [['--port', '65536'], '"--port" expected a port from 0 to 65535, got "65536"'],
  [['--port', 'x'], 'got "x"'],
  [['--prot', '1'], "Unknown option '--prot'"],
])('%j is refused', (given, message) => expect(() => portsOf(given, USUAL, {})).toThrow(message));

test('a port in use is one line that names another, before anything is built', async () => {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await expect(checkFree('port', port, 'npm run site')).rejects.toThrow(
    `port ${port} is in use; \`npm run site -- --port ${port + 10}\` takes another`,
  );
  await new Promise((resolve) => server.close(resolve));
  await checkFree('port', port, 'npm run site');
});

test('an address without a page gets 404.html, with status 404', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lanewise-missing-'));
  for (const name of ['index.html', '404.html']) writeFileSync(join(folder, name), `this is ${name}`);
  writeFileSync(join(folder, '_headers'), '/*\n  a: b\n');
  const site = await serveSite(folder, 0);
  try {
    const response = await fetch(`${site.url}nothing/here`);
    expect([response.status, await response.text(), response.headers.get('a')]).toEqual([404, 'this is 404.html', 'b']);
    expect(response.headers.get('content-type')).toContain('text/html');
    expect((await fetch(site.url, { method: 'POST' })).status).toBe(405);
  } finally {
    await site.close();
    rmSync(folder, { recursive: true });
  }
});
