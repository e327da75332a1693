/**
 * Pictures of the app in each of its states, for people to look at: `node site/app/test/screenshots.ts FOLDER`. Two widths, light and
 * dark.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser } from '../../../packages/runtimes/src/browsers.ts';
import { chromium } from '../../../packages/runtimes/src/chromium.ts';
import { buildApp } from '../build.ts';
import { choose, click, inChromium, type DevTools } from './devtools.ts';
import { serveTest } from './server.ts';

const folder = process.argv[2];
if (!folder) {
  console.error('expected a folder for the pictures');
  process.exit(2);
}

/** The states in order, with the steps from one to the next. */
const states: readonly (readonly [string, (page: DevTools) => Promise<unknown>])[] = [
  ['empty', () => Promise.resolve()],
  [
    'chosen',
    async (page) => {
      await page.evaluate(
        choose(
          `new File([new Uint8Array(23_456_789)], 'holiday film.mp4')`,
          `new File(['x'], 'notes of a rather long meeting about file names, final version (2).txt')`,
        ),
      );
      await page.evaluate(click('#make-passphrase'));
    },
  ],
  [
    'weak',
    async (page) => {
      await page.evaluate(
        `{ const field = document.getElementById('new-passphrase'); field.value = 'abc'; field.dispatchEvent(new Event('input')); } 0`,
      );
    },
  ],
  [
    'running',
    async (page) => {
      await page.evaluate(click('#clear'));
      await page.evaluate(click('[name=encrypt-method][value=keys]'));
      await page.evaluate(click('#make-key'));
      await page.evaluate(
        choose(
          `new File(['x'], 'notes.txt')`,
          `new File(Array(60).fill(new Blob([new Uint8Array(2 ** 26)])), 'backup.tar')`,
        ),
      );
      await page.until(`document.getElementById('recipients').value.length > 10`);
      await page.evaluate(click('#start'));
      await page.until(`/left/.test(document.getElementById('progress-text').textContent)`);
    },
  ],
  [
    'cancelled',
    async (page) => {
      await page.evaluate(click('#cancel'));
      await page.until(`document.body.dataset.state === 'idle'`);
    },
  ],
  [
    'done',
    async (page) => {
      await page.evaluate(click('#clear'));
      await page.evaluate(choose(`new File(['a'], 'a.txt')`, `new File(['b'], 'photos of the summer.zip')`));
      await page.evaluate(click('#start'));
      await page.until(`!document.getElementById('result').hidden`);
    },
  ],
  [
    'hashes',
    async (page) => {
      await page.evaluate(click('#clear'));
      await page.evaluate(
        choose(`new File(['a'], 'a.txt')`, `new File(['b'], 'b.txt')`, `new File(['c'], 'invoice\u202efdp.exe')`),
      );
      await page.evaluate(click('[name=task][value=hash]'));
      await page.evaluate(
        `document.getElementById('expected').value = '0'.repeat(64) + '  a.txt\\n10e5cf3d3c8a4f9f3468c8cc58eea84892a22fdadbc1acb22410190044c1d553  b.txt'; 0`,
      );
      await page.evaluate(click('#start'));
      await page.until(`!document.getElementById('error').hidden`);
    },
  ],
  [
    'passkey',
    async (page) => {
      await page.evaluate(click('[name=task][value=encrypt]'));
      await page.evaluate(click('[name=encrypt-method][value=passkey]'));
    },
  ],
  [
    'error',
    async (page) => {
      await page.evaluate(click('[name=task][value=decrypt]'));
      await page.evaluate(click('[name=decrypt-method][value=keys]'));
      await page.evaluate(click('#start'));
    },
  ],
  [
    'failed',
    async (page) => {
      await page.evaluate(click('#clear'));
      await page.evaluate(choose(`new File(['no age file'], 'letter.txt.age')`));
      await page.evaluate(
        `document.getElementById('identities').value = 'AGE-SECRET-KEY-1EGTZVFFV20835NWYV6270LXYVK2VKNX2MMDKWYKLMGR48UAWX40Q2P2LM0'; 0`,
      );
      await page.evaluate(click('[name=decrypt-method][value=keys]'));
      await page.evaluate(click('#start'));
      await page.until(`!document.getElementById('error').hidden`);
      await page.evaluate(click('summary'));
    },
  ],
];

const found = await findBrowser(chromium);
if (found.missing !== undefined) throw new Error(`there is no ${found.missing}: ${found.howToGet}`);
await mkdir(folder, { recursive: true });
const temporary = await mkdtemp(join(tmpdir(), 'lanewise-app-'));
const server = await serveTest(await buildApp(), '', temporary, {});
try {
  for (const scheme of ['light', 'dark'])
    for (const width of [375, 1280])
      await inChromium(found.path, 'about:blank', temporary, async (page) => {
        await page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
        const size = { width, height: 800, deviceScaleFactor: 1, mobile: width < 500 };
        await page.send('Emulation.setDeviceMetricsOverride', size);
        await page.send('Page.navigate', { url: server.url.replace('127.0.0.1', 'localhost') });
        await page.until(`document.getElementById('offline')?.textContent.startsWith('Ready')`);
        await page.evaluate('window.showSaveFilePicker = window.showDirectoryPicker = undefined; 0');
        for (const [name, reach] of states) {
          await reach(page);
          const { data } = (await page.send('Page.captureScreenshot', { captureBeyondViewport: true })) as {
            data: string;
          };
          await writeFile(join(folder, `${name}-${width}-${scheme}.png`), data, 'base64');
          const overflow = await page.evaluate(
            'document.documentElement.scrollWidth - document.documentElement.clientWidth',
          );
          if (overflow !== 0) console.log(`${name} ${width} ${scheme}: ${String(overflow)} pixels too wide`);
        }
      });
} finally {
  await server.close();
  await rm(temporary, { recursive: true, force: true });
}
