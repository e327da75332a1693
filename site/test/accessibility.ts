/**
 * `npm run test:site`: opens pages of the built site, and the app, in Chromium, in two widths, light and dark. Fails on whatever axe-core
 * finds, on a page that is wider than the window, and on violations of the page's policy. `-- --pictures FOLDER` keeps pictures,
 * for people to look at.
 */
import axe from 'axe-core';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findBrowser } from '../../packages/runtimes/src/browsers.ts';
import { chromium } from '../../packages/runtimes/src/chromium.ts';
import { dist as app } from '../app/build.ts';
import { serveApp } from '../app/serve.ts';
import { inChromium, type DevTools } from '../app/test/devtools.ts';
import { serveSite } from '../src/serve.ts';
import { siteFolder } from '../src/site-files.ts';

const site = join(siteFolder, 'dist');
const WIDTHS = [1280, 390];
const SCHEMES = ['light', 'dark'];

const { values } = parseArgs({ options: { pictures: { type: 'string' }, only: { type: 'string', default: '' } } });

/** The newest report; all are made alike. */
const report = readdirSync(join(site, 'measurements'))
  .filter((name) => existsSync(join(site, 'measurements', name, 'report.html')))
  .toSorted()
  .at(-1);
if (report === undefined) throw new Error('the site has no report; run npm run site:build');

const PAGES: readonly (readonly [name: string, path: string])[] = [
  ['start', ''],
  ['guide', 'guides/choosing.html'],
  ['api', 'api/chacha.html'],
  ['study', 'studies/blake3-ladder.html'],
  ['security', 'security.html'],
  ['lab', 'lab/'],
  ['report', `measurements/${report}/report.html`],
  ['missing', '404.html'],
];

interface Finding {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** axe's rules for WCAG and good practice, and the experimental one about names of buttons. */
const AXE = `axe.run(document, { resultTypes: ['violations'], rules: { 'label-content-name-mismatch': { enabled: true } } })
  .then(({ violations }) => violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map(({ html, failureSummary }) => ({ html: html.slice(0, 200), failureSummary })) })))`;

/** A report has hundreds of tables and plots, all made by the same few functions: some of each section are enough for axe-core. */
const SHORTEN = `for (const section of document.querySelectorAll('main > section'))
  for (const tag of ['figure', '.scroll', 'details', 'h3', 'li'])
    for (const each of [...section.querySelectorAll(tag)].slice(2)) each.remove(); 0`;

/** axe-core judges no contrast on gradients, and there are some where a box can be scrolled. */
const PLAIN = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { background-image: none !important }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
} 0`;

async function findingsOf(page: DevTools): Promise<string[]> {
  await page.evaluate(PLAIN);
  await page.evaluate(`${axe.source}; 0`);
  const found = (await page.evaluate(AXE)) as Finding[];
  const wider = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  return [
    ...found.map(
      ({ id, help, nodes }) =>
        `${id}: ${help} (${nodes.length} times)\n    ${nodes[0].html}\n    ${nodes[0].failureSummary?.replaceAll('\n', '\n    ') ?? ''}`,
    ),
    ...(wider === 0 ? [] : [`the page is ${String(wider)} pixels wider than the window`]),
  ];
}

const found = await findBrowser(chromium);
if (found.missing !== undefined) {
  console.log(`not run: there is no ${found.missing}: ${found.howToGet}`);
  process.exit(0);
}
if (values.pictures !== undefined) await mkdir(values.pictures, { recursive: true });
const temporary = await mkdtemp(join(tmpdir(), 'lanewise-pages-'));
const [pages, its] = [await serveSite(site, 0), await serveApp(app, 0)];
const all = [...PAGES.map(([name, path]) => [name, `${pages.url}${path}`] as const), ['app', its.url] as const].filter(
  ([name]) => name.includes(values.only),
);
const wrong: string[] = [];
try {
  await inChromium(found.path, 'about:blank', temporary, async (page) => {
    for (const scheme of SCHEMES)
      for (const width of WIDTHS) {
        await page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
        const size = { width, height: 900, deviceScaleFactor: 1, mobile: width < 500 };
        await page.send('Emulation.setDeviceMetricsOverride', size);
        for (const [name, url] of all) {
          await page.send('Page.navigate', { url });
          await page.until(
            `document.readyState === 'complete' && document.body !== null && location.href.startsWith(${JSON.stringify(url)})`,
          );
          // Pages of VitePress and the app are complete when their scripts have run.
          await page.evaluate('new Promise((resolve) => setTimeout(resolve, 300))');
          if (values.pictures !== undefined) {
            const options = { captureBeyondViewport: name !== 'report' };
            const { data } = (await page.send('Page.captureScreenshot', options)) as { data: string };
            await writeFile(join(values.pictures, `${name}-${width}-${scheme}.png`), data, 'base64');
          }
          if (name === 'report') await page.evaluate(SHORTEN);
          for (const finding of await findingsOf(page)) wrong.push(`${name}, ${width}, ${scheme}: ${finding}`);
        }
      }
  });
} finally {
  await pages.close();
  its.server.close();
  its.server.closeAllConnections();
  await rm(temporary, { recursive: true, force: true });
}
const looks = all.length * WIDTHS.length * SCHEMES.length;
if (wrong.length > 0) {
  console.error(wrong.join('\n'));
  console.error(`${wrong.length} findings in ${looks} looks at pages`);
  process.exitCode = 1;
} else console.log(`${looks} looks at ${all.length} pages: no finding of axe-core ${axe.version}`);
