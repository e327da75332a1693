/** Every engine that the lab knows. */
import { browserEngine } from './browser-engine.ts';
import { chromium } from '../../../runtimes/src/chromium.ts';
import type { Engine } from './engine.ts';
import { firefox } from '../../../runtimes/src/firefox.ts';
import { runtimes } from './runtimes.ts';
import { webkit } from '../../../runtimes/src/webkit.ts';
import { workerd } from './workerd.ts';

export const engines: readonly Engine[] = [...runtimes, workerd, ...[chromium, firefox, webkit].map(browserEngine)];
