/**
 * A pool of the packed library in pages with strict policies, isolated pages, and pages of another origin than their scripts, in real
 * browsers. Arguments choose some of these: `chromium firefox webkit`. Missing ones are reported; they make the run fail with --require only.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findBrowser, type Browser } from '../../runtimes/src/browsers.ts';
import { chromium } from '../../runtimes/src/chromium.ts';
import { firefox } from '../../runtimes/src/firefox.ts';
import { pageOf, serveLocally } from '../../runtimes/src/loopback.ts';
import { webkit } from '../../runtimes/src/webkit.ts';
import { serveBuild, type Served } from '../test/installed/builds.ts';
import { install } from '../test/installed/package.ts';
import { policies, type Policy } from '../test/installed/policies.ts';
import { Results } from '../test/installed/results.ts';
import { reporter } from '../test/installed/visit.ts';

const browsers: readonly Browser[] = [chromium, firefox, webkit];
const { values, positionals } = parseArgs({ allowPositionals: true, options: { require: { type: 'boolean' } } });
const unknown = positionals.filter((id) => !browsers.some((browser) => browser.id === id));
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(', ')}; there are: ${browsers.map(({ id }) => id).join(' ')}`);
  process.exit(2);
}

const results = new Results();
const folder = mkdtempSync(join(tmpdir(), 'lanewise-installed-'));
const reports = await reporter();
const served: Served[] = [];

async function serve(policy: Policy): Promise<string> {
  const origin = new URL(reports.url).origin;
  const headers: Record<string, string> = policy.elsewhere ? { 'access-control-allow-origin': '*' } : {};
  for (const [name, text] of Object.entries(policy.headers!)) headers[name] = text.replace('REPORTER', origin);
  const scripts = await serveBuild({ ...policy, headers }, folder);
  served.push(scripts);
  if (!policy.elsewhere) return scripts.url;
  const page = await serveLocally({
    headers: {},
    get: (path) => Promise.resolve(path === '/' ? pageOf(`${scripts.url}main.js`) : undefined),
    post: () => undefined,
  });
  served.push(page);
  return page.url;
}

try {
  install(folder);
  const pages: string[] = [];
  for (const policy of policies) pages.push(await serve(policy));
  for (const browser of browsers.filter(({ id }) => positionals.length === 0 || positionals.includes(id))) {
    const found = await findBrowser(browser);
    if (found.missing !== undefined) {
      results.miss(`${browser.id}: there is no ${found.missing}: ${found.howToGet}`);
      continue;
    }
    const its = await reports.visit(browser, found.path, pages);
    policies.forEach(({ name, page, engine, isolated = false }, i) =>
      results.add(name, `${browser.name} ${found.version}`, its[i], page, { engine, isolated }),
    );
  }
} finally {
  for (const one of served) await one.close();
  await reports.close();
  rmSync(folder, { recursive: true, force: true });
}
if (!results.report() || (values.require && results.missing > 0)) process.exitCode = 1;
