/**
 * The app in real browsers: `npm run test:app`. Arguments choose some of them: `chromium firefox webkit`. With `--large`, a file of 2 GiB
 * in each. Missing browsers and programs are reported; they make the run fail with --require only.
 */
import { build } from 'esbuild';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { browse, findBrowser, type Browser } from '../../../packages/runtimes/src/browsers.ts';
import { inWords } from '../../../packages/runtimes/src/processes.ts';
import { buildApp } from '../build.ts';
import { agePath, hasB3sum, judge } from './age.ts';
import { browsers, saving } from './browsers.ts';
import { judges } from './judges.ts';
import { passkeys } from './passkeys.ts';
import { serveTest } from './server.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { require: { type: 'boolean' }, large: { type: 'boolean' } },
});
const unknown = positionals.filter((id) => !browsers.some((browser) => browser.id === id));
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(', ')}; there are: ${browsers.map(({ id }) => id).join(' ')}`);
  process.exit(2);
}
if (!hasB3sum || (values.large && agePath === undefined)) {
  console.log('NOT RUN: there is no b3sum, or no age 1.3.1 for the large file, which Go can install and did not');
  process.exit(values.require ? 1 : 0);
}
console.log(`Judged by ${judge.name} and b3sum.`);

export interface Report {
  readonly name: string;
  readonly failure?: string;
  readonly note?: string;
  readonly seconds: number;
}

const SILENCE_MILLISECONDS = values.large ? 1_500_000 : 180_000;
let passed = 0;
let failed = 0;
const missing: string[] = [];

function print(where: string, { name, failure, note, seconds }: Report): void {
  if (failure === undefined) passed++;
  else failed++;
  const result = failure === undefined ? 'right' : `FAILED: ${failure}`;
  console.log(
    `${where.padEnd(24)}${name.padEnd(68)}${seconds.toFixed(1).padStart(6)} s  ${result}${note ? `; ${note}` : ''}`,
  );
}

/** A service worker of another version. */
const otherVersion = (script: Buffer): string => {
  const changed = script.toString().replace(/-[0-9a-f]{16}\b/, '-0123456789abcdef');
  if (changed === script.toString()) throw new Error('the service worker expected a version');
  return changed;
};

/** The app as it is built, a new version, and a new version with a file that does not belong to it. */
const versions = {
  built: (_: string, content: Buffer) => content,
  new: (name: string, content: Buffer) => (name === 'service-worker.js' ? otherVersion(content) : content),
  mixed: (name: string, content: Buffer) =>
    name === 'main.js' ? `${content.toString()};` : versions.new(name, content),
};

async function testIn(browser: Browser, path: string, where: string, app: string, driver: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lanewise-app-'));
  const downloads = join(folder, 'downloads');
  await mkdir(downloads);
  let finish!: () => void;
  let timer: NodeJS.Timeout | undefined;
  let why = `the page said nothing for ${SILENCE_MILLISECONDS / 1000} s`;
  let isEnded = false;
  const done = new Promise<void>((resolve) => (finish = resolve));
  const heard = (): void => {
    clearTimeout(timer);
    timer = setTimeout(finish, SILENCE_MILLISECONDS);
  };
  const server = await serveTest(app, driver, folder, {
    ...judges(folder, downloads),
    begin: () => ({ browser: browser.id, isLarge: values.large === true }),
    network: (up: boolean) => {
      server.up = up;
    },
    version(which: keyof typeof versions) {
      server.change = versions[which];
    },
    report: (report: Report) => {
      heard();
      print(where, report);
    },
    end: () => {
      isEnded = true;
      finish();
    },
  });
  try {
    heard();
    const ending = await browse(saving(browser, downloads), path, `${server.url}driver.html`, done);
    if (ending) why = `the browser ${inWords(ending)}`;
    if (!isEnded) print(where, { name: 'the page', failure: why, seconds: 0 });
  } finally {
    clearTimeout(timer);
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const app = await buildApp();
const { outputFiles } = await build({
  entryPoints: [join(import.meta.dirname, 'page/driver.ts')],
  bundle: true,
  format: 'esm',
  target: 'es2022',
  write: false,
});
for (const browser of browsers.filter(({ id }) => positionals.length === 0 || positionals.includes(id))) {
  const found = await findBrowser(browser);
  if (found.missing !== undefined) {
    missing.push(`${browser.id}: there is no ${found.missing}: ${found.howToGet}`);
    continue;
  }
  const where = `${browser.name} ${found.version}`;
  await testIn(browser, found.path, where, app, outputFiles[0].text);
  if (browser.id === 'chromium' && !values.large) await passkeys(found.path, app, (report) => print(where, report));
}
if (missing.length > 0) console.log(`\nNOT RUN:\n  ${missing.join('\n  ')}`);
console.log(`\n${passed + failed} tests: ${passed} passed, ${failed} failed`);
if (failed > 0 || passed === 0 || (values.require && missing.length > 0)) process.exitCode = 1;
