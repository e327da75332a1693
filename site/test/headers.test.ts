/** The headers that the site and the app are served with are those that `_headers` tells to hosts. */
// Runs in Node only: starts servers.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { headersIn, rule } from '../app/headers-file.ts';
import { serveApp } from '../app/serve.ts';
import { appUrl } from '../src/pages.ts';
import { serveSite } from '../src/serve.ts';
import { headersFile } from '../src/site-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'lanewise-headers-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a later path adds headers, sets others, and takes some away', () => {
  const text = rule('/*', { A: '1', B: '2' }) + rule('/lab/*', { B: '3: x' }, ['A']) + rule('/only.js', { C: '4' });
  const of = headersIn(text);
  expect(of('/x')).toEqual({ a: '1', b: '2' });
  expect(of('/lab/x.js')).toEqual({ b: '3: x' });
  expect(of('/only.js')).toEqual({ a: '1', b: '2', c: '4' });
  expect(() => headersIn('  a: b')).toThrow('_headers expected a path before "a: b"');
  expect(() => headersIn('/*\n  nonsense')('/')).toThrow('_headers expected "name: value", got "nonsense"');
});

test('every page of the site and each worker of the lab has a policy; the app has another origin', async () => {
  const [pages, app] = ['pages', 'app'].map((name) => join(folder, name));
  mkdirSync(join(pages, 'lab'), { recursive: true });
  mkdirSync(app);
  for (const name of ['index.html', 'lab/index.html', 'lab/session-worker.js']) writeFileSync(join(pages, name), 'x');
  writeFileSync(join(pages, '_headers'), headersFile());
  writeFileSync(join(app, 'index.html'), 'x');
  writeFileSync(join(app, '_headers'), rule('/*', { 'content-security-policy': "default-src 'none'" }));
  const site = await serveSite(pages, 0);
  const its = await serveApp(app, 0);
  try {
    const policyOf = async (url: string, expected = 200): Promise<string> => {
      const { status, headers } = await fetch(url);
      expect(status).toBe(expected);
      expect(headers.get('x-content-type-options') ?? 'nosniff').toBe('nosniff');
      return headers.get('content-security-policy')!;
    };
    expect(await policyOf(site.url)).toContain("default-src 'none'; script-src 'self' 'unsafe-inline'");
    for (const path of ['lab/', 'lab/session-worker.js']) {
      const policy = await policyOf(`${site.url}${path}`);
      // One policy, in which the code of others can send nothing elsewhere.
      expect(policy).toMatch(/^default-src 'none'; script-src 'self' 'wasm-unsafe-eval';.* connect-src 'self';/);
      expect(policy).not.toContain(',');
    }
    expect(await policyOf(its.url)).toBe("default-src 'none'");
    // Hosts send them with the page that says that there is none.
    for (const { url } of [site, its]) expect(await policyOf(`${url}none.js`, 404)).toContain("default-src 'none'");
    expect(new URL(its.url).origin).not.toBe(new URL(site.url).origin);
    for (const path of ['app/', 'app/index.html']) expect((await fetch(`${site.url}${path}`)).status).toBe(404);
  } finally {
    await site.close();
    its.server.close();
    its.server.closeAllConnections();
  }
});

test.each(['', 'files.example', 'javascript:alert(1)', '/app/'])('APP_URL %j is refused', (url) => {
  process.env['APP_URL'] = url;
  try {
    expect(() => appUrl()).toThrow('"APP_URL" expected an address such as https://files.example/');
  } finally {
    delete process.env['APP_URL'];
  }
});
