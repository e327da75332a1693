/**
 * A pool of the packed library in applications that bundlers have built, in real browsers; and one in the server of Next.js.
 * Arguments choose some of the builds by their name, or by its beginning: `webpack "Vite 7"`. Missing browsers and bundlers are reported; they
 * make the run fail with --require only.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findBrowser, type Browser } from '../../runtimes/src/browsers.ts';
import { chromium } from '../../runtimes/src/chromium.ts';
import { firefox } from '../../runtimes/src/firefox.ts';
import { webkit } from '../../runtimes/src/webkit.ts';
import { askServer, programOf, serveBuild, sizeOfBuild } from '../test/installed/builds.ts';
import { builds, comparisons, MOST_FOR_ROOT } from '../test/installed/bundlers.ts';
import { Results } from '../test/installed/results.ts';
import { install } from '../test/installed/package.ts';
import { reporter } from '../test/installed/visit.ts';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { require: { type: 'boolean' } } });
const named = (asked: string): typeof builds => {
  const exact = builds.filter(({ name }) => name === asked);
  return exact.length > 0 ? exact : builds.filter(({ name }) => name.startsWith(asked));
};
const unknown = positionals.filter((asked) => named(asked).length === 0);
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(', ')}; there are:\n${builds.map(({ name }) => name).join('\n')}`);
  process.exit(2);
}
const chosen = positionals.length === 0 ? builds : [...new Set(positionals.flatMap(named))];

const results = new Results();
const browsers: (readonly [Browser, string, string])[] = [];
for (const browser of [chromium, firefox, webkit]) {
  const found = await findBrowser(browser);
  if (found.missing === undefined) browsers.push([browser, found.path, `${browser.name} ${found.version}`]);
  else results.miss(`there is no ${found.missing}: ${found.howToGet}`);
}

const folder = mkdtempSync(join(tmpdir(), 'lanewise-installed-'));
const reports = await reporter();
try {
  install(folder);
  for (const build of chosen) {
    try {
      await programOf(build);
    } catch (error) {
      results.miss(`${build.name}: ${(error as Error).message}`);
      continue;
    }
    try {
      const served = await serveBuild(build, folder);
      try {
        for (const [browser, path, name] of browsers)
          if (build.everywhere || browser === chromium)
            results.add(build.name, name, (await reports.visit(browser, path, [served.url]))[0], build.page);
        if (build.server) {
          const [route, component] = await askServer(served.url);
          results.add(build.name, 'its server, a route', route, build.server);
          results.add(build.name, 'its server, a component', component, build.server);
        }
      } finally {
        await served.close();
      }
      if (build.compared)
        for (const { name, door } of comparisons) {
          const sizes: number[] = [];
          for (const from of [`lanewise/${door}.js`, 'lanewise'])
            sizes.push(
              await sizeOfBuild(build, folder, `import { ${name} } from '${from}';\nglobalThis.its = ${name};\n`),
            );
          results.addSizes(build.name, `${name}, root`, sizes, MOST_FOR_ROOT);
        }
    } catch (error) {
      results.add(build.name, '-', { failed: [(error as Error).message] }, build.page);
    }
  }
} finally {
  await reports.close();
  rmSync(folder, { recursive: true, force: true });
}
if (!results.report() || (values.require && results.missing > 0)) process.exitCode = 1;
