/** Every engine that the lab knows. */
import { browserEngine } from './browser-engine.ts';
import { chromium } from '../../../runtimes/src/chromium.ts';
import type { Engine } from './engine.ts';
import { firefox, firefoxBaseline, firefoxDebugger } from '../../../runtimes/src/firefox.ts';
import { runtimes } from './runtimes.ts';
import { webkit } from '../../../runtimes/src/webkit.ts';
import { workerd } from './workerd.ts';

export const engines: readonly Engine[] = [...runtimes, workerd, ...[chromium, firefox, webkit].map(browserEngine)];

/** Engines that only `npm run studies` starts, in tiers that users do not have. */
export const studyEngines: readonly Engine[] = [firefoxBaseline, firefoxDebugger].map((browser): Engine => ({
  ...browserEngine(browser),
  tier: 'baseline',
}));
