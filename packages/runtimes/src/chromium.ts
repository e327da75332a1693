/** Chromium, and browsers that are built from it. */
import { join } from 'node:path';
import type { Browser } from './browsers.ts';

/** Quiet, and as fast in the background as in front. */
const FLAGS = [
  '--headless=new',
  '--disable-gpu',
  '--disable-quic',
  '--disable-sync',
  '--disable-extensions',
  '--disable-default-apps',
  '--disable-component-update',
  '--disable-background-networking',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-breakpad',
  '--disable-crash-reporter',
  '--disable-dev-shm-usage',
  '--no-default-browser-check',
  '--no-first-run',
  '--password-store=basic',
  '--mute-audio',
];
/** Its sandbox does not start for root. */
const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

export const chromium: Browser = {
  id: 'chromium',
  name: 'Chromium',
  candidates: [
    'chromium',
    'chromium-browser',
    'google-chrome-stable',
    'google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  howToGet: 'apt-get install chromium',
  needsDisplay: false,
  settings: { arguments: ['--headless=new', ...asRoot] },
  remarks: [],
  program: (path, { folder, url }) =>
    Promise.resolve({ path, arguments: [...FLAGS, ...asRoot, `--user-data-dir=${join(folder, 'profile')}`, url] }),
};
